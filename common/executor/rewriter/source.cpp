#include "common/executor/rewriter/source.hpp"

#include <algorithm>

namespace ladder::rewriter {
namespace {

bool blank(const Token& token) {
  return token.kind == TokenKind::space || token.kind == TokenKind::comment;
}

/// Whether a token of blanks ends its line: a continued line goes on.
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

Source::Source(std::string_view text, std::string name)
    : name_(std::move(name)), tokens_(tokenize(text)), edits_(tokens_.size()) {
  for (int i = 0; i < static_cast<int>(tokens_.size()); ++i)
    if (!blank(tokens_[i])) significant_.push_back(i);
  mark_directives();
  leave_out_unused();
}

void Source::mark_directives() {
  directive_.assign(tokens_.size(), 0);
  bool line_start = true;
  int directive = 0, directives = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (ends_line(tokens_[i])) {
      line_start = true;
      directive = 0;
    } else if (!blank(tokens_[i])) {
      if (line_start && tokens_[i].text == "#") directive = ++directives;
      line_start = false;
    }
    directive_[i] = directive;
  }
}

/// Text after `#if 0` may not be C++ at all.
void Source::leave_out_unused() {
  std::vector<int> used;
  int depth = 0;  // of conditionals in the branch that is left out; 0 outside of one
  for (int i = 0; i < size(); ++i) {
    const std::string_view word = conditional(i);
    if (depth == 0 && word == "if" && (*this)[i + 2] == "0" && !same_directive(i + 3, i)) {
      for (const int end = i + 3; i < end; ++i) used.push_back(significant_[i]);
      --i;
      depth = 1;
      continue;
    }
    if (depth == 1 && (word.starts_with("el") || word == "endif")) depth = 0;
    if (depth > 0 && word.starts_with("if")) ++depth;
    if (depth > 1 && word == "endif") --depth;
    if (depth == 0) used.push_back(significant_[i]);
  }
  significant_ = std::move(used);
}

std::string_view Source::operator[](int position) const {
  if (!inside(position) || edits_[significant_[position]].dropped) return {};
  return token(position).text;
}

TokenKind Source::kind(int position) const {
  return inside(position) ? token(position).kind : TokenKind::space;
}

int Source::line(int position) const {
  if (significant_.empty()) return 1;
  return token(std::clamp(position, 0, size() - 1)).line;
}

int Source::definition_begin(int position) const {
  int first = position;
  while (first > 0 && same_directive(first - 1, position)) --first;
  if ((*this)[first + 1] != "define") return size();
  const int name = first + 2;
  // Only a parenthesis without a blank in front opens parameters.
  return (*this)[name + 1] == "(" && adjacent(name) ? closing(name + 1) + 1 : name + 1;
}

std::string_view Source::conditional(int position) const {
  if (!in_directive(position) || (*this)[position] != "#" || same_directive(position - 1, position))
    return {};
  const std::string_view word = (*this)[position + 1];
  return word.starts_with("if") || word.starts_with("el") || word == "endif" ? word : std::string_view();
}

int Source::indentation(int position) const {
  int first = significant_[position];
  while (first > 0 && tokens_[first - 1].text.find('\n') == std::string::npos) --first;
  if (first == 0) return 0;
  const std::string& before = tokens_[first - 1].text;
  const std::size_t blanks = before.size() - before.rfind('\n') - 1;
  return tokens_[first - 1].kind == TokenKind::space ? static_cast<int>(blanks) : 0;
}

bool Source::opens_bracket(int position) const {
  const std::string_view token = (*this)[position];
  return token == "(" || token == "[" || token == "{";
}

bool Source::adjacent(int position) const {
  return inside(position) && inside(position + 1) && significant_[position + 1] == significant_[position] + 1;
}

int Source::end_of_branches(int position) const {
  int depth = 0;
  for (int i = position; i < size(); ++i) {
    const std::string_view word = conditional(i);
    if (word.starts_with("if")) ++depth;
    if (word == "endif" && depth-- == 0) return i;
  }
  return size();
}

int Source::closing(int position) const {
  std::string expected;
  std::vector<std::string> conditionals;  // what was open at each #if: every branch begins with it
  for (int i = position; i < size(); ++i) {
    if (!same_directive(i, position)) {
      if (in_directive(position)) break;
      const std::string_view word = conditional(i);
      if (word.starts_with("if"))
        conditionals.push_back(expected);
      else if (word.starts_with("el") && conditionals.empty())
        i = end_of_branches(i);
      else if (word.starts_with("el"))
        expected = conditionals.back();
      else if (word == "endif" && !conditionals.empty())
        conditionals.pop_back();
      continue;
    }
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
    if (!same_directive(i, position)) {
      if (in_directive(position)) break;
      continue;
    }
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
  edit(position).text = std::move(text);
}

void Source::insert(int position, std::string text) {
  edit(position).before += text;
}

void Source::replace(int first, int last, const std::string& text) {
  for (int i = significant_[first]; i <= significant_[last]; ++i) {
    const auto newlines = std::ranges::count(tokens_[i].text, '\n');
    std::string kept = i == significant_[first] ? text : "";
    for (int k = 0; k < newlines; ++k) kept += directive_[i] ? "\\\n" : "\n";
    edits_[i] = {edits_[i].before, kept, true};
  }
}

std::string Source::str() const {
  std::string result;
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    result += edits_[i].before + edits_[i].text.value_or(tokens_[i].text);
  return result;
}

void Source::fail(int position, const std::string& what) const {
  throw RewriteError(name_ + ":" + std::to_string(line(position)) + ": error: " + what);
}

}  // namespace ladder::rewriter
