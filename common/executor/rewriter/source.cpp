#include "common/executor/rewriter/source.hpp"

#include <algorithm>

namespace ladder::rewriter {
namespace {

bool blank(const Token& token) {
  return token.kind == TokenKind::space || token.kind == TokenKind::comment;
}

/// Whether a token of blanks ends the line that it stands in: a continued line goes on.
bool ends_line(const Token& token) {
  if (token.kind != TokenKind::space) return false;
  for (std::size_t i = 0; i < token.text.size(); ++i) {
    if (token.text[i] == '\n' && (i == 0 || (token.text[i - 1] != '\\' && token.text[i - 1] != '\r')))
      return true;
    if (token.text[i] == '\n' && i >= 1 && token.text[i - 1] == '\r' && (i < 2 || token.text[i - 2] != '\\'))
      return true;
  }
  return false;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

Source::Source(std::string_view text, std::string name) : name_(std::move(name)), tokens_(tokenize(text)) {
  for (int i = 0; i < static_cast<int>(tokens_.size()); ++i)
    if (!blank(tokens_[i])) significant_.push_back(i);
  mark_directives();
}

void Source::mark_directives() {
  directive_.assign(tokens_.size(), 0);
  bool line_start = true, directive = false;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (ends_line(tokens_[i])) {
      line_start = true;
      directive = false;
    } else if (!blank(tokens_[i])) {
      if (line_start && tokens_[i].text == "#") directive = true;
      line_start = false;
    }
    directive_[i] = directive;
  }
}

std::string_view Source::operator[](int position) const {
  return inside(position) ? std::string_view(token(position).text) : std::string_view();
}

TokenKind Source::kind(int position) const {
  return inside(position) ? token(position).kind : TokenKind::space;
}

int Source::line(int position) const {
  if (significant_.empty()) return 1;
  return token(std::clamp(position, 0, size() - 1)).line;
}

bool Source::in_directive(int position) const {
  return inside(position) && directive_[significant_[position]];
}

bool Source::opens_bracket(int position) const {
  const std::string_view token = (*this)[position];
  return token == "(" || token == "[" || token == "{";
}

bool Source::adjacent(int position) const {
  return inside(position) && inside(position + 1) && significant_[position + 1] == significant_[position] + 1;
}

int Source::closing(int position) const {
  std::string expected;
  for (int i = position; i < size(); ++i) {
    const std::string_view t = (*this)[i];
    if (t == "(")
      expected += ')';
    else if (t == "[")
      expected += ']';
    else if (t == "{")
      expected += '}';
    else if (t == ")" || t == "]" || t == "}") {
      if (expected.empty() || expected.back() != t[0]) break;
      expected.pop_back();
      if (expected.empty()) return i;
    }
  }
  fail(position, "nothing closes this '" + std::string((*this)[position]) + "'");
}

int Source::opening(int position) const {
  const bool angle = (*this)[position] == ">";
  int depth = 0;
  for (int i = position; i >= 0; --i) {
    const std::string_view t = (*this)[i];
    const bool closes = t == ")" || t == "]" || t == "}";
    if (angle && closes)
      i = opening(i);  // a '>' between brackets is an operator
    else if (angle ? t == ">" : closes)
      ++depth;
    else if (angle ? t == "<" : (t == "(" || t == "[" || t == "{"))
      --depth;
    if (i < 0) break;
    if (depth == 0) return i;
    if (angle && (t == ";" || t == "{")) break;
  }
  return -1;
}

std::string Source::text(int first, int last) const {
  std::string result;
  for (int i = significant_[first]; i <= significant_[last]; ++i) {
    if (blank(tokens_[i])) {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += tokens_[i].text;
    }
  }
  return result;
}

void Source::replace(int position, std::string text) {
  token(position).text = std::move(text);
}

void Source::drop(int first, int last) {
  for (int i = significant_[first]; i <= significant_[last]; ++i) {
    const auto newlines = std::ranges::count(tokens_[i].text, '\n');
    std::string kept;
    for (int k = 0; k < newlines; ++k) kept += directive_[i] ? "\\\n" : "\n";
    tokens_[i].text = kept;
  }
}

std::string Source::str() const {
  std::string result;
  for (const Token& token : tokens_) result += token.text;
  return result;
}

void Source::fail(int position, const std::string& what) const {
  throw RewriteError(name_ + ":" + std::to_string(line(position)) + ": error: " + what);
}

}  // namespace ladder::rewriter
