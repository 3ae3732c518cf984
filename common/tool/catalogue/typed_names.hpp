#pragma once
/// @file
/// Names of rungs as people type them.

#include <filesystem>
#include <string>
#include <vector>

#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// What words of a command line can only mean, as the catalogue names it: 00-g1, 00g1, 00/G1, "00 g1",
/// 00/g1-3, the path of a step's file or of a lesson's folder from anywhere, a rung's own name, and g1 of the
/// lesson that somebody is in. Other words, and files that are no steps, stay as they are.
class TypedNames {
 public:
  /// @param folder       that relative paths start in
  /// @param last_lesson  of the last verdict; empty: there is none
  TypedNames(const Catalogue& catalogue, std::filesystem::path root, std::filesystem::path folder,
             std::string last_lesson);

  /// @throws UsageError for the name of a rung that several lessons have, where nobody is in one of them
  std::vector<std::string> meant(const std::vector<std::string>& words) const;

 private:
  std::string meant_word(const std::string& word) const;
  std::string of_path(const std::string& word) const;
  std::string of_lesson(const std::string& lesson, const std::string& rung) const;
  std::string of_any_lesson(const std::string& rung) const;
  const LessonEntry* lesson_of(const std::string& word) const;

  const Catalogue& catalogue_;
  std::filesystem::path root_, folder_;
  std::string last_lesson_;
};

}  // namespace ladder
