#pragma once
/// @file
/// What a built step shows to who looks at its object files and its text, and what of that is for a person to
/// look at.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/grade/evidence/symbols.hpp"
#include "common/model/grade.hpp"
#include "common/tool/grading/grading.hpp"

namespace ladder {

/// Where a step's files are.
struct BuiltStep {
  const GradedStep& step;
  std::filesystem::path source;   ///< its file; its headers lie next to it
  std::filesystem::path sources;  ///< the folder that its recipes were run with
  std::filesystem::path outputs;
};

/// Runs a shell script confined. It may read those paths. @return what it prints, standard error left out
using Look = std::function<ProcessResult(const std::string& script, const std::vector<std::string>& reads)>;

/// Names, code and words of a step that are for a person to look at; those of the reference left out.
std::vector<grade::Suspicion> suspicions_of(const BuiltStep& built, const grade::Surroundings& around,
                                            const Look& look);

/// Makes the result of a step one that a person looks at, and says why: the evidence, and when an honest step
/// shows the same.
/// @param first  what is said before
void show_suspicions(const std::vector<grade::Suspicion>& found, const std::string& first,
                     model::GradedResult& result);

}  // namespace ladder
