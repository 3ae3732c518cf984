#pragma once
/// @file
/// Values inside a lesson's text, computed by the lesson's own functions (tests/NN-name/answers.cpp):
///
///     <!-- = g2.sectors -->5,120<!-- . -->
///
/// Each lesson has three more, from its rungs.toml: hours.required, hours.more (of stretch rungs), and needs,
/// what must be known or climbed before.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/sitegen/pages.hpp"

namespace ladder::report {

/// A value as a page prints it: 5,120 without decimals, 0.57 with two. Nothing for what is no number.
std::string value_text(const nlohmann::json& answer);

/// The values of all lessons, and which of them pages use.
class PageValues {
 public:
  PageValues(std::filesystem::path root, const Tables& tables);

  /// Whether a line has a mark of a value.
  static bool has_value(const std::string& line);

  /// The line with its values filled. What is wrong is added to `problems`, and left as it is.
  std::string filled(const std::string& page, std::size_t number, const std::string& line,
                     std::vector<PageProblem>& problems);

  /// Names that stand twice, and values that are no numbers: problems of the lesson's answers.cpp.
  std::vector<PageProblem> wrong(const std::string& below) const;
  /// Values that no page has used so far: problems of the lesson's answers.cpp.
  std::vector<PageProblem> unused(const std::string& below) const;

 private:
  struct Value {
    std::string text;
    bool used = false;
  };
  /// The line of answers.cpp that has the name, the n-th such line; 0 when there is none.
  std::size_t line_of(const std::string& lesson, const std::string& name, int nth = 1) const;

  std::filesystem::path root_;
  std::map<std::string, std::map<std::string, Value>> values_;          // by lesson, then by name
  std::map<std::string, std::map<std::string, std::string>> of_table_;  // by lesson, then by name
  std::vector<PageProblem> wrong_;
};

}  // namespace ladder::report
