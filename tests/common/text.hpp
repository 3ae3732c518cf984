#pragma once
/// @file
/// Looks for parts of what was written or printed.

#include <cstddef>
#include <string>

#include "common/base/process/process.hpp"

namespace ladder::test {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
inline bool has(const ProcessResult& ended, const std::string& part) {
  return has(ended.output, part);
}

/// How often the part is there.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace ladder::test
