#include "common/tool/build/source_excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/skeleton/code_lines.hpp"

namespace ladder {
namespace {

constexpr std::size_t max_columns = 54;  // of a source line: with number and heading it fits in 80

std::size_t indent_of(const std::string& line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// How many braces a text opens more than it closes.
std::ptrdiff_t depth_of(std::string_view text) {
  return std::count(text.begin(), text.end(), '{') - std::count(text.begin(), text.end(), '}');
}

/// Which lines a compiler reads: of an #if the first branch, of #if 0 the other one. Where branches, or the
/// parts of a macro, open different numbers of braces, nobody can say by counting which one was forgotten.
class Preprocessor {
 public:
  /// Whether the line is code that counts.
  bool is_code(const std::string& line) {
    const std::string_view text = trim(line);
    const bool begins = !continued_ && text.starts_with("#"), directive = begins || continued_;
    if (begins) begin(trim(text.substr(1)));
    if (directive && in_macro_) macro_depth_ += depth_of(text);
    continued_ = directive && text.ends_with("\\");
    if (directive && !continued_) end_macro();
    if (!directive && !branches_.empty()) branches_.back().depth += depth_of(line);
    return !directive &&
           std::none_of(branches_.begin(), branches_.end(), [](const If& one) { return one.skips; });
  }
  bool is_ambiguous() const { return ambiguous_; }

 private:
  struct If {
    bool zero = false, skips = false, has_first = false;
    std::ptrdiff_t depth = 0, first = 0;  ///< of this branch, and of the one that counts
  };
  void begin(std::string_view text) {
    in_macro_ = text.starts_with("define");
    if (text.starts_with("if")) {
      const bool zero = trim(text.substr(2)) == "0";
      branches_.push_back({.zero = zero, .skips = zero});
    } else if (!branches_.empty() && (text.starts_with("el") || text.starts_with("endif"))) {
      end_branch(branches_.back());
      if (text.starts_with("endif")) {
        const std::ptrdiff_t depth = branches_.back().first;
        branches_.pop_back();
        if (!branches_.empty()) branches_.back().depth += depth;
      }
    }
  }
  void end_branch(If& one) {
    if (!std::exchange(one.zero, false)) {
      if (one.has_first && one.depth != one.first) ambiguous_ = true;
      if (!std::exchange(one.has_first, true)) one.first = one.depth;
    }
    one.skips = one.has_first;
    one.depth = 0;
  }
  void end_macro() {
    ambiguous_ = ambiguous_ || macro_depth_ != 0;
    macro_depth_ = 0;
  }
  std::vector<If> branches_;
  bool continued_ = false, in_macro_ = false, ambiguous_ = false;
  std::ptrdiff_t macro_depth_ = 0;
};

/// The source with raw strings of one line as blanks; what others have within, as kernels in OpenCL do, is
/// code of its own.
std::string without_raw_strings(std::string source) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const auto blank = [&](std::size_t begin, std::size_t end) {
    std::replace_if(
        source.begin() + static_cast<std::ptrdiff_t>(begin),
        source.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
  };
  for (auto at = source.find("R\""); at != source.npos; at = source.find("R\"", at + 2)) {
    const auto open = source.find('(', at);
    if ((at > 0 && is_word(source[at - 1])) || open == source.npos || open - at > 18) continue;
    const std::string delimiter = source.substr(at + 2, open - at - 2);
    if (delimiter.find_first_of(" \")\\\n") != delimiter.npos) continue;
    const std::string closing = ")" + delimiter + "\"";
    const auto end = source.find(closing, open);
    if (end == source.npos) continue;
    const bool one_line = source.find('\n', at) > end;
    blank(at, one_line ? end : open + 1);
    blank(end, end + closing.size());
  }
  return source;
}

/// A line of code in which strings and characters are blanks.
std::string without_literals(std::string line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool in_number =
        c == '\'' && !quote && i > 0 && std::isalnum(static_cast<unsigned char>(line[i - 1]));
    if (quote && c == '\\' && i + 1 < line.size())
      line[i] = line[i + 1] = ' ', ++i;
    else if (quote && c == quote)
      quote = 0;
    else if (quote)
      line[i] = ' ';
    else if ((c == '"' || c == '\'') && !in_number)
      quote = c;
  }
  return line;
}

/// Pairs the braces of a file, line by line.
class Braces {
 public:
  /// @param code  of the line; @param line  with its comments
  void take(std::size_t number, const std::string& code, const std::string& line) {
    const std::size_t indent = indent_of(code);
    if (indent == code.size()) return;
    if (begins_statement_) statement_ = number, statement_indent_ = indent, text_.clear();
    text_ += code;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (code[i] == '{') open(number);
      if (code[i] == '}') {
        if (const auto comment = line.find("// namespace"); comment != line.npos)
          leave_to(std::string(trim(line.substr(comment + 12))));
        close(number, indent, i == indent);
      }
    }
    begins_statement_ =
        std::string_view(";{}:").find(code[code.find_last_not_of(" \t\r")]) != std::string_view::npos;
  }
  std::optional<LoneBrace> lone() const {
    if (too_many_) return LoneBrace{*too_many_, false};
    if (open_.empty() && !left_) return {};
    return LoneBrace{suspect_.value_or(open_.empty() ? 0 : open_.back().line), true};
  }

 private:
  struct Open {
    std::size_t line;
    std::size_t statement, indent;  ///< the line that begins what is opened: a signature may have several
    std::string text;
    bool is_namespace() const { return text.find("namespace") != text.npos; }
    /// What is within is often indented no more than it is.
    bool holds_functions() const { return is_namespace() || text.find("extern") != text.npos; }
  };
  void suspect(std::size_t line) {
    if (!suspect_) suspect_ = line;
  }
  void open(std::size_t number) {
    if (!open_.empty() && !open_.back().holds_functions() && open_.back().statement < statement_ &&
        statement_indent_ <= open_.back().indent)
      suspect(open_.back().line);
    open_.push_back({number, statement_, statement_indent_, text_});
  }
  /// "}  // namespace sums" closes that one: what is open within it was forgotten.
  void leave_to(const std::string& name) {
    const auto is_it = [&](const Open& one) {
      return one.is_namespace() && one.text.find("namespace " + (name.empty() ? "{" : name)) != one.text.npos;
    };
    if (std::none_of(open_.begin(), open_.end(), is_it)) return;
    for (; !is_it(open_.back()); open_.pop_back()) suspect(open_.back().line), left_ = true;
  }
  void close(std::size_t number, std::size_t indent, bool begins_line) {
    if (open_.empty()) {
      if (!too_many_) too_many_ = number;
      return;
    }
    if (begins_line && indent < open_.back().indent) suspect(open_.back().line);
    open_.pop_back();
  }
  std::vector<Open> open_;
  bool begins_statement_ = true;
  std::size_t statement_ = 0, statement_indent_ = 0;
  std::string text_;  ///< of the statement so far
  std::optional<std::size_t> suspect_, too_many_;
  bool left_ = false;  ///< one was left open, as a comment says
};

std::string without_tabs(const std::string& line) {
  std::string text;
  for (const char c : line)
    if (c == '\t')
      text.append(8 - text.size() % 8, ' ');
    else
      text += c;
  return text;
}

/// The name that a message quotes first, as g++, clang and nvcc do it; empty: none.
std::string quoted_name(const std::string& text) {
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"\xe2\x80\x98", "\xe2\x80\x99"},
        {"'", "'"},
        {"\"", "\""}}) {
    const auto begin = text.find(open);
    const auto end = begin == text.npos ? begin : text.find(close, begin + open.size());
    if (end != text.npos) return text.substr(begin + open.size(), end - begin - open.size());
  }
  return "";
}

/// The column where the name stands: cu2cpp has changed the lines of launches before g++ counted.
std::size_t column_of(const std::string& line, const std::string& name, std::size_t stated) {
  std::size_t best = line.npos;
  for (auto at = name.empty() ? line.npos : line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const auto far = [&](std::size_t column) { return column > stated ? column - stated : stated - column; };
    if (best == line.npos || far(at + 1) < far(best + 1)) best = at;
  }
  if (best != line.npos) return best + 1;
  return line.find("<<<") == line.npos && stated <= line.size() + 1 ? stated : 0;
}

bool wants_semicolon(const std::string& text) {
  if (text.find("expected") == text.npos) return false;
  for (const char* mark : {"\xe2\x80\x98;\xe2\x80\x99", "';'", "\";\""})
    if (text.find(mark) != text.npos)
      return text.find("before") != text.npos || text.find("after") != text.npos ||
             text.find("at end") != text.npos || text.find("a \";\"") != text.npos;
  return false;
}

/// The last character of code before a place, or at the end of the lines above: line and column, from 1.
std::pair<std::size_t, std::size_t> code_before(const std::vector<std::string>& code, std::size_t line,
                                                std::size_t column) {
  for (std::size_t number = std::min(line, code.size()); number > 0; --number) {
    const std::string& text = code[number - 1];
    const std::string before = number == line ? text.substr(0, column > 0 ? column - 1 : 0) : text;
    const auto last = before.find_last_not_of(" \t\r");
    if (last != before.npos && trim(text)[0] != '#') return {number, last + 1};
  }
  return {0, 0};
}

/// Behind the last code before the place: on the line above, where a compiler notices only at the next word,
/// or on this one.
void show_missing_semicolon(BuildFailure& failure, const std::string& source, std::size_t line) {
  const auto code = lines_of(cut::without_comments(source));
  auto column = static_cast<std::size_t>(failure.column);
  const auto [before, end] = code_before(code, line, column);
  if (before > 0 && before < line) {
    failure.hint = fmt::format("the statement before ends on line {}: is its semicolon there?", before);
    failure.excerpt = excerpt(source, before, std::min(line, before + 3), before,
                              without_tabs(code[before - 1].substr(0, end)).size() + 1);
    return;
  }
  const std::string shown = without_tabs(lines_of(source)[line - 1]);
  const bool at_word =
      failure.text.find("at end") != failure.text.npos;  // g++, of a member: where its name begins
  while (at_word && column > 0 && column <= shown.size() &&
         (std::isalnum(static_cast<unsigned char>(shown[column - 1])) || shown[column - 1] == '_'))
    ++column;
  failure.excerpt = excerpt(source, line, line, line, column_of(shown, "", column));
}

void name_lone_brace(BuildFailure& failure, const LoneBrace& brace, const std::string& source) {
  const auto colon = failure.where.rfind(':');
  const std::string noticed = failure.where.substr(colon + 1);
  failure.where = fmt::format("{}:{}", failure.where.substr(0, colon), brace.line);
  failure.text = fmt::format("{}; the compiler notices it on line {}: {}",
                             brace.open ? "the { of this line is never closed" : "this } closes nothing",
                             noticed, failure.text);
  failure.hint = brace.open ? "where does what begins on this line end?"
                            : "which { was it meant to close? Is there one } too many above, or a { too few?";
  const auto lines = lines_of(source);
  const auto at = without_tabs(lines[brace.line - 1]).find_last_of(brace.open ? '{' : '}');
  failure.excerpt = excerpt(source, brace.line, brace.line, brace.line, at + 1);
}

}  // namespace

std::optional<LoneBrace> lone_brace(const std::string& source) {
  Preprocessor preprocessor;
  Braces braces;
  const auto lines = lines_of(cut::without_comments(without_raw_strings(source))), whole = lines_of(source);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (const std::string code = without_literals(lines[i]); preprocessor.is_code(code))
      braces.take(i + 1, code, whole[i]);
  return preprocessor.is_ambiguous() ? std::nullopt : braces.lone();
}

std::string excerpt(const std::string& source, std::size_t first, std::size_t last, std::size_t caret_line,
                    std::size_t column) {
  const auto lines = lines_of(source);
  std::string out;
  if (first == 0 || last < first || last > lines.size()) return out;
  std::size_t shared = lines[first - 1].size();  // blanks that all have, and that nobody needs
  std::vector<std::string> shown;
  for (std::size_t i = first; i <= last; ++i) {
    shown.push_back(without_tabs(lines[i - 1]));
    if (!trim(shown.back()).empty()) shared = std::min(shared, indent_of(shown.back()));
  }
  const std::size_t caret = column > shared ? column - shared : 0;
  const std::size_t left =
      caret > max_columns ? caret - max_columns + 8 : 0;  // a long line: what is at the caret
  for (std::size_t i = 0; i < shown.size(); ++i) {
    std::string text = shown[i].size() > shared ? shown[i].substr(shared) : "";
    if (left > 0 && text.size() > left) text = "..." + text.substr(left + 3);
    text = text.substr(0, max_columns);
    out += fmt::format("{}{:4} | {}", out.empty() ? "" : "\n", first + i, text);
    if (first + i == caret_line && caret > 0) out += fmt::format("\n     | {:>{}}", "^", caret - left);
  }
  return out;
}

BuildFailure with_source(BuildFailure failure, const std::filesystem::path& file) {
  const auto colon = failure.where.rfind(':');
  const std::string number = colon == failure.where.npos ? "" : failure.where.substr(colon + 1);
  if (number.empty() || number.size() > 7 || number.find_first_not_of("0123456789") != number.npos)
    return failure;
  const std::string source = read_text(file);
  const std::size_t line = std::stoul(number);
  if (const auto brace = lone_brace(source)) return name_lone_brace(failure, *brace, source), failure;
  const auto lines = lines_of(source);
  if (line == 0 || line > lines.size()) return failure;
  if (wants_semicolon(failure.text)) return show_missing_semicolon(failure, source, line), failure;
  const std::string shown = without_tabs(lines[line - 1]);
  failure.excerpt =
      excerpt(source, line, line, line,
              column_of(shown, quoted_name(failure.text), static_cast<std::size_t>(failure.column)));
  return failure;
}

}  // namespace ladder
