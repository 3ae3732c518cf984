#pragma once
/// @file
/// Zips that we write and read whole: handouts, and what students submit. Submissions are read by
/// contents.hpp, which trusts nobody.

#include <filesystem>
#include <map>
#include <string>

namespace ladder::grade {

/// A file of a tree.
struct TreeFile {
  std::string bytes;
  bool executable = false;
  bool operator==(const TreeFile&) const = default;
};

/// Files by their paths, with '/'.
using Tree = std::map<std::string, TreeFile>;

/// Writes a zip, whole or not at all; equal trees give equal bytes, on any machine of one libarchive. @param
/// top a folder in which all of it lies
/// @throws Error naming the file and the reason
void write_zip(const std::filesystem::path& file, const Tree& tree, const std::string& top);

/// Reads a zip or a tar. @throws Error saying why it cannot be read, also of a path that leads out of it
Tree read_zip(const std::filesystem::path& file);

}  // namespace ladder::grade
