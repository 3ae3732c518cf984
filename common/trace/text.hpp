#pragma once
/// @file
/// Small pieces of reading text.

#include <string_view>

namespace ladder {

/// The text without blanks at its ends.
inline std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace ladder
