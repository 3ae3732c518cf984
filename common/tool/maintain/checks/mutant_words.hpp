#pragma once
/// @file
/// The words that the messages of mutants must have, and why some mutants state none.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// What a mutant or variant states of its message.
struct MutantWords {
  std::string name, verdict;
  int words = 0;  ///< how many lines "words …"
  /// Of the comment "# words none: …" between its name and its first edit; empty: there is none.
  std::string why_none;
};

/// Those of a .mutants or .variants file; a variant that is right (PASS) is left out. @param name  the
/// file's, for messages
/// @throws cut::Error where the file cannot be read
std::vector<MutantWords> mutant_words(const std::string& text, const std::string& name);

/// Those of a lesson, for pages: [{"rung": "g1", "name", "verdict", "words": 2, "why"}]. Files that cannot
/// be read are left out.
nlohmann::json mutants_json(const std::filesystem::path& root, const LessonEntry& lesson);

}  // namespace ladder
