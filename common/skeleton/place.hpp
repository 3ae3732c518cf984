#pragma once
/// @file
/// Which lines of a source are code, and which are in a comment or a raw string.

#include <algorithm>
#include <string>
#include <string_view>

namespace ladder::cut {

/// Where a line of a source ends up: in code, or within a comment or a raw string that goes on in the next
/// line.
class Place {
 public:
  /// Whether the next line begins in code.
  bool in_code() const { return closing_.empty(); }

  /// Whether the next line begins in a raw string.
  bool in_raw_string() const { return closing_.ends_with('"'); }

  void pass(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
      if (!closing_.empty()) {
        const std::size_t end = line.find(closing_, at);
        if (end == line.npos) return;
        at = end + closing_.size();
        closing_.clear();
      } else if (line.substr(at, 2) == "//") {
        return;
      } else if (line.substr(at, 2) == "/*") {
        closing_ = "*/", at += 2;
      } else if (line.substr(at, 2) == "R\"") {
        const std::size_t open = std::min(line.find('(', at), line.size());
        closing_ = ")" + std::string(line.substr(at + 2, open - at - 2)) + "\"", at = open + 1;
      } else if (line[at] == '"' || line[at] == '\'') {
        at = behind_literal(line, at);
      } else {
        ++at;
      }
    }
  }

 private:
  /// A ' between digits begins no literal, and does no harm: the next one ends it.
  static std::size_t behind_literal(std::string_view line, std::size_t at) {
    const char quote = line[at++];
    while (at < line.size() && line[at] != quote) at += line[at] == '\\' ? 2 : 1;
    return std::min(at + 1, line.size());
  }

  std::string closing_;  ///< what ends the comment or the raw string; empty: in code
};

}  // namespace ladder::cut
