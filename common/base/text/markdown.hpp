#pragma once
/// @file
/// What a line of a Markdown page is.

#include <cstddef>
#include <string_view>

#include "common/base/text/text.hpp"

namespace ladder {

/// Whether a line begins or ends a block of code. It may be indented, as in a list.
inline bool is_code_fence(std::string_view line) {
  const std::string_view text = trim(line);
  return text.starts_with("```") || text.starts_with("~~~");
}

/// The level of a heading, 1 for "# Title"; 0: the line is none.
inline std::size_t heading_level(std::string_view line) {
  const auto level = line.find_first_not_of('#');
  return level != line.npos && level > 0 && line[level] == ' ' ? level : 0;
}

}  // namespace ladder
