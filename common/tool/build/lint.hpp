#pragma once
/// @file
/// What clang's CUDA front end says of a .cu file, for a student: the rules of host and device, nothing else.

#include <filesystem>
#include <string>
#include <vector>

#include "common/tool/build/compiler_output.hpp"

namespace ladder {

/// The violations in clang's output that nvcc would refuse too, in the student's words.
/// @param root, from  as first_error()
std::vector<BuildFailure> lint_errors(const std::string& output, const std::filesystem::path& root,
                                      const std::filesystem::path& from = {});

/// Whether clang crashed, so that what it should have said is missing in the output.
bool lint_crashed(const std::string& output);

/// What is said where clang crashed.
inline constexpr const char* lint_gave_up =
    "host and device rules: SKIPPED, clang crashed on this file; nvcc would find a missing __device__";

/// What is said where clang is not.
inline constexpr const char* no_lint =
    "host and device rules: SKIPPED, clang is not here (apt-get install clang); nvcc would find a missing "
    "__device__";

}  // namespace ladder
