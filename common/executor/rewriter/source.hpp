#pragma once
/// @file
/// A CUDA source as its significant tokens (no blanks, no comments), with edits that keep every line number.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/executor/rewriter/lexer.hpp"

namespace ladder::rewriter {

/// What the rewriter refuses, as "file:line: error: text".
struct RewriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Text as it stands in a string literal.
std::string escaped(std::string_view text);

/// Positions are indices of significant tokens; a position outside the source reads as an empty token.
class Source {
 public:
  /// @param name path of the file, as messages and line directives print it
  Source(std::string_view text, std::string name);

  int size() const { return static_cast<int>(significant_.size()); }
  const std::string& name() const { return name_; }
  std::string_view operator[](int position) const;  ///< text of a token; empty outside
  TokenKind kind(int position) const;
  bool is_identifier(int position) const { return kind(position) == TokenKind::identifier; }
  int line(int position) const;
  bool in_directive(int position) const;   ///< in a line that begins with #
  bool opens_bracket(int position) const;  ///< ( [ or {
  bool adjacent(int position) const;       ///< no blank between this token and the next

  /// Position of the bracket that closes the one at `position`. @throws RewriteError when there is none.
  int closing(int position) const;
  /// Position of the bracket, also `<`, that the one at `position` closes; -1 when there is none.
  int opening(int position) const;
  /// The source of tokens first ... last without comments and newlines.
  std::string text(int first, int last) const;

  void replace(int position, std::string text);  ///< one token
  /// Removes tokens first ... last and what stands between them; their newlines stay.
  void drop(int first, int last);
  std::string str() const;  ///< the source with all edits

  [[noreturn]] void fail(int position, const std::string& what) const;

 private:
  void mark_directives();
  Token& token(int position) { return tokens_[significant_[position]]; }
  const Token& token(int position) const { return tokens_[significant_[position]]; }
  bool inside(int position) const { return position >= 0 && position < size(); }

  std::string name_;
  std::vector<Token> tokens_;
  std::vector<char> directive_;  // by token
  std::vector<int> significant_;
};

}  // namespace ladder::rewriter
