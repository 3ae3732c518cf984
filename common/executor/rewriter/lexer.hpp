#pragma once
/// @file
/// Splits CUDA source into tokens, so that the rewriter never touches the text of a comment or a string.

#include <string>
#include <string_view>
#include <vector>

namespace ladder::rewriter {

/// What a token is, as far as the rewriter cares.
enum class TokenKind {
  space,       ///< blanks, newlines, line continuations
  comment,     ///< both kinds
  text,        ///< string and character literals
  number,      ///< with digit separators and exponents
  identifier,  ///< also keywords
  punctuator,  ///< one character, or one of :: <<< << -> && ||
};

/// A piece of the source. All tokens together, in order, are the source again.
struct Token {
  TokenKind kind;
  std::string text;
  int line;  ///< of the first character, from 1
};

/// Splits `source`. Never fails: an unfinished string or comment becomes whatever is left of its line or
/// file.
std::vector<Token> tokenize(std::string_view source);

}  // namespace ladder::rewriter
