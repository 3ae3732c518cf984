#pragma once
/// @file
/// Two files, line by line.

#include <filesystem>
#include <string>

namespace ladder {

/// What `diff -u` prints of two files, under these names; empty: they are equal.
std::string difference(const std::filesystem::path& from, const std::filesystem::path& to,
                       const std::string& from_name, const std::string& to_name);

}  // namespace ladder
