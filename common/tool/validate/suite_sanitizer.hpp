#pragma once
/// @file
/// Programs with known labels on a GPU: built by nvcc, judged by NVIDIA's compute-sanitizer.

#include <filesystem>
#include <string>
#include <vector>

#include "common/tool/program/program.hpp"
#include "common/tool/validate/suite_counts.hpp"

namespace ladder {

/// nvcc, compute-sanitizer. @throws UsageError naming what is not here
struct SanitizerPrograms {
  std::string nvcc, sanitizer;
};
SanitizerPrograms find_sanitizer();

/// Builds the program, and runs it under memcheck, racecheck, initcheck and synccheck, once for each of
/// `runs`.
/// @param folder  where the program is built
SuiteResult sanitize(const SanitizerPrograms& programs, const ProgramRequest& request,
                     const std::vector<std::vector<std::string>>& runs, const std::filesystem::path& folder);

}  // namespace ladder
