#pragma once
/// @file
/// The marks of regions in solutions and skeletons, and the lines that have them.

#include <algorithm>
#include <string>
#include <string_view>

namespace ladder::cut {

inline constexpr std::string_view begin_mark = "// BEGIN SOLUTION", end_mark = "// END SOLUTION",
                                  keep_mark = "//|", task_mark = "// TASK";

/// A line taken apart: blanks in front, and the rest.
struct Parts {
  std::string indent, rest;
  explicit Parts(const std::string& line) {
    const auto first = std::min(line.find_first_not_of(" \t"), line.size());
    indent = line.substr(0, first);
    rest = line.substr(first);
  }
  /// What the skeleton has of a line that begins with keep_mark.
  std::string kept() const {
    return rest.substr(keep_mark.size() + (rest.compare(keep_mark.size(), 1, " ") == 0));
  }
};

}  // namespace ladder::cut
