#pragma once
/// @file
/// How much memory this machine can still give to programs.

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

namespace ladder {

/// @return bytes, MemAvailable of Linux; nothing where no file says it.
inline std::optional<std::size_t> available_memory() {
  std::ifstream file("/proc/meminfo");
  std::size_t kibibytes = 0;
  for (std::string name; file >> name >> kibibytes; std::getline(file, name))
    if (name == "MemAvailable:") return kibibytes << 10;
  return {};
}

}  // namespace ladder
