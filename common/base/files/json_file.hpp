#pragma once
/// @file
/// JSON files: those that may be missing or broken, and those that must be right.

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "common/base/error.hpp"

namespace ladder {

/// What a file of ours remembers; a discarded value where there is none, or where it is broken: then it is
/// written again.
inline nlohmann::json read_json(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return nlohmann::json::parse(in, nullptr, false);
}

/// A file that somebody has named. @throws Error saying what is wrong with it
inline nlohmann::json need_json(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(file.string() + ": there is no such file, or it cannot be read");
  try {
    return nlohmann::json::parse(in);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(file.string() + " is no JSON: it goes wrong at byte " + std::to_string(error.byte));
  }
}

}  // namespace ladder
