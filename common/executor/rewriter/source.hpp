#pragma once
/// @file
/// A CUDA source as its significant tokens (no blanks, no comments), with edits that keep every line number.

#include <optional>
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

/// Text as in a string literal.
std::string escaped(std::string_view text);

/// Positions are indices of significant tokens; a position outside the source reads as an empty token.
class Source {
 public:
  /// @param name path of the file, as messages and line directives print it
  Source(std::string_view text, std::string name);

  int size() const { return static_cast<int>(significant_.size()); }
  const std::string& name() const { return name_; }
  /// Text of a token as it was read, whatever edits there are; empty outside and for what was dropped.
  std::string_view operator[](int position) const;
  TokenKind kind(int position) const;
  bool is_identifier(int position) const { return kind(position) == TokenKind::identifier; }
  int line(int position) const;
  int indentation(int position) const;  ///< blanks that the line of a token begins with
  /// In a line that begins with #.
  bool in_directive(int position) const { return directive(position) != 0; }
  /// Whether both are in one directive, or both in none.
  bool same_directive(int a, int b) const { return directive(a) == directive(b); }
  /// Where the body of the macro begins that the directive at `position` defines; the size when it defines
  /// none.
  int definition_begin(int position) const;
  /// The word of a conditional directive (if, ifdef, else, elif, endif, …) whose # is at `position`; else
  /// empty.
  std::string_view conditional(int position) const;
  bool opens_bracket(int position) const;  ///< ( [ or {
  bool adjacent(int position) const;       ///< no blank between this token and the next

  /// Position of the bracket that closes the one at `position`; of an \#if with several branches one is
  /// followed.
  /// @throws RewriteError when there is none
  int closing(int position) const;
  /// Position of the bracket, also `<`, that the one at `position` closes; -1 when there is none.
  int opening(int position) const;
  /// The source of tokens first ... last without comments and newlines.
  std::string text(int first, int last) const;

  void replace(int position, std::string text);  ///< one token
  void insert(int position, std::string text);   ///< in front of a token
  /// Replaces tokens first ... last and the text between them by `text`; their newlines stay.
  void replace(int first, int last, const std::string& text);
  std::string str() const;  ///< the source with all edits

  [[noreturn]] void fail(int position, const std::string& what) const;

 private:
  /// The output for a token that was edited.
  struct Edit {
    std::string before;
    std::optional<std::string> text;
    bool dropped = false;
  };

  void mark_directives();
  void leave_out_unused();
  const Token& token(int position) const { return tokens_[significant_[position]]; }
  Edit& edit(int position) { return edits_[significant_[position]]; }
  bool inside(int position) const { return position >= 0 && position < size(); }
  /// Number of the directive, from 1; 0 outside of them.
  int directive(int position) const { return inside(position) ? directive_[significant_[position]] : 0; }
  /// Position of the #endif after the branch that contains `position`; the size when there is none.
  int end_of_branches(int position) const;

  std::string name_;
  std::vector<Token> tokens_;
  std::vector<Edit> edits_;     // by token
  std::vector<int> directive_;  // by token
  std::vector<int> significant_;
};

}  // namespace ladder::rewriter
