#pragma once
/// @file
/// Whether processes have ended.

#include <string>

#include "common/base/files/files.hpp"

namespace ladder::test {

/// Whether a process has ended; one that nobody has waited for yet has.
inline bool gone(int process) {
  const std::string stat = read_text("/proc/" + std::to_string(process) + "/stat");
  const auto name_end = stat.rfind(") ");  // pid (name) state
  return name_end == std::string::npos || stat[name_end + 2] == 'Z';
}

}  // namespace ladder::test
