#pragma once
/// @file
/// What NVIDIA's compute-sanitizer printed.

#include <set>
#include <string>

namespace ladder {

/// What one of compute-sanitizer's tools has said, by the kinds of the executor's findings. An error of the
/// CUDA API is none: it follows from another one, or is the program's own.
struct SanitizerLog {
  std::set<std::string> errors{}, warnings{};
  std::string first{};    ///< the first line of an error
  std::string unknown{};  ///< a line of an error that means none of the kinds
};

/// @param log  what it printed: lines that begin with "========= "
SanitizerLog read_sanitizer_log(const std::string& log);

}  // namespace ladder
