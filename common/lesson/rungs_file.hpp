#pragma once
/// @file
/// Reads lessons/NN-name/rungs.toml: a lesson's table as people write it.

#include <filesystem>
#include <string>
#include <vector>

#include "common/lesson/rung.hpp"

namespace ladder {

/// A table, and what is wrong with its file.
struct RungsFile {
  Lesson lesson{};
  std::vector<std::string> problems{};  ///< "lessons/03-dgemm/rungs.toml:12:3: …", a line each
};

/// @param file  its folder is the lesson's name
RungsFile read_rungs_file(const std::filesystem::path& file);

/// The table of a file that has no problem. @throws Error with all of them, a line each
Lesson read_rungs(const std::filesystem::path& file);

}  // namespace ladder
