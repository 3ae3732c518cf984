#pragma once
/// @file
/// Submissions whose source of a step is the published solution, or that of somebody else, but for comments
/// and blanks. Nothing is accused: a person asks.

#include <filesystem>
#include <string>
#include <vector>

#include "common/model/grade.hpp"

namespace ladder {

/// Submissions with one source of a step.
struct EqualSources {
  std::string step;        ///< "03/g2"
  bool published = false;  ///< it is that of solutions/
  std::vector<std::string> pseudonyms{};
};

/// Those that are the published solution, then those of two people or more that are equal. Skeletons are
/// nobody's; what one person has handed in several times is one.
/// @param root    the checkout
/// @param grades  the folder of the grades, with sources/ and, of a platform, handed.json
std::vector<EqualSources> equal_sources(const std::filesystem::path& root,
                                        const std::filesystem::path& grades,
                                        const std::vector<model::GradeRecord>& records);

/// A line for each.
std::vector<std::string> equal_lines(const std::vector<EqualSources>& all);

}  // namespace ladder
