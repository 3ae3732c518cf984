#pragma once
/// @file
/// The tokens of C++ text, as far as a search for words needs them.

#include <string>
#include <string_view>
#include <vector>

namespace ladder::grade {

/// An identifier, a number, a string, or one other character.
struct SourceToken {
  std::string text;    ///< of a string: its quotation mark alone
  std::string file{};  ///< its name without folders, where a line marker says it
  int line = 0;        ///< from 1, or as line markers say
  bool begins_line = false;

  bool is_identifier() const;
};

/// Without comments, and without what is in strings. Lines that a backslash joins are one; line markers ("#
/// 12 \"file\"") are followed, and no tokens, if `with_markers` is set.
std::vector<SourceToken> tokens_of(std::string_view text, bool with_markers);

}  // namespace ladder::grade
