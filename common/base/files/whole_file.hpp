#pragma once
/// @file
/// The one way to read a whole file; without a library, so that every program can.

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace ladder {

/// All bytes of a file. @return nothing where it cannot be opened: errno says why; a folder is empty
inline std::optional<std::string> whole_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

/// The whole of a text file; empty when it cannot be read.
inline std::string read_text(const std::filesystem::path& file) {
  return whole_file(file).value_or("");
}

}  // namespace ladder
