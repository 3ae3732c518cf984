#include "common/report/html/code_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "common/base/text/text.hpp"
#include "common/report/figures/svg.hpp"

namespace ladder::report {
namespace {

const std::set<std::string_view> code_keywords = {
    "alignas",  "auto",          "bool",      "break",    "case",      "catch",  "char",     "class",
    "const",    "consteval",     "constexpr", "continue", "default",   "delete", "do",       "double",
    "else",     "enum",          "explicit",  "extern",   "false",     "float",  "for",      "if",
    "inline",   "int",           "long",      "mutable",  "namespace", "new",    "noexcept", "nullptr",
    "operator", "private",       "public",    "requires", "return",    "short",  "signed",   "sizeof",
    "static",   "static_assert", "struct",    "switch",   "template",  "this",   "throw",    "true",
    "try",      "typename",      "union",     "unsigned", "using",     "void",   "volatile", "while",
    "kernel",   "global",        "local",     "barrier",  "uint",      "ulong"};

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Colours one line, from its beginning to its end.
class Colouring {
 public:
  Colouring(const std::string& line, bool& in_comment) : line_(line), in_comment_(in_comment) {}

  std::string html() {
    const auto first = line_.find_first_not_of(' ');
    if (!in_comment_ && first != line_.npos && line_[first] == '#') put("p", first_of_comment());
    while (at_ < line_.size()) step();
    return out_;
  }

 private:
  std::size_t first_of_comment() const { return std::min(line_.find("//"), line_.size()); }

  /// What stands from here to `end`, as an element of a class; without a class for an empty one.
  void put(const char* kind, std::size_t end) {
    const std::string text = svg::escaped(line_.substr(at_, end - at_));
    out_ += *kind ? fmt::format("<span class=\"{}\">{}</span>", kind, text) : text;
    at_ = end;
  }

  std::size_t end_of_word() const {
    std::size_t end = at_;
    while (end < line_.size() && in_word(line_[end])) ++end;
    return end;
  }

  void block_comment() {
    const auto end = line_.find("*/", in_comment_ ? at_ : at_ + 2);
    in_comment_ = end == line_.npos;
    put("c", in_comment_ ? line_.size() : end + 2);
  }

  void literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < line_.size() && line_[end] != quote) end += line_[end] == '\\' ? 2 : 1;
    put("s", std::min(end + 1, line_.size()));
  }

  void word() {
    const std::size_t end = end_of_word();
    const std::string_view text(line_.data() + at_, end - at_);
    // The contents of a raw string are a kernel: only its quotes are a string.
    if (text == "R" && end < line_.size() && line_[end] == '"')
      put("s", std::min(line_.find('(', end), line_.size() - 1) + 1);
    else
      put(code_keywords.count(text) || text.starts_with("__") ? "k" : "", end);
  }

  void number() {
    std::size_t end = at_;
    while (end < line_.size() && (in_word(line_[end]) || line_[end] == '.' || line_[end] == '\'')) ++end;
    put("n", end);
  }

  void step() {
    const std::string_view rest(line_.data() + at_, line_.size() - at_);
    if (in_comment_ || rest.starts_with("/*")) return block_comment();
    if (rest.starts_with("//")) return put("c", line_.size());
    const char c = line_[at_];
    if (c == '"' || c == '\'') return literal(c);
    if (std::isdigit(static_cast<unsigned char>(c))) return number();
    if (in_word(c)) return word();
    put("", at_ + 1);
  }

  const std::string& line_;
  bool& in_comment_;
  std::string out_;
  std::size_t at_ = 0;
};

std::string numbered(std::size_t number) {
  return fmt::format("<span class=\"no\">{}</span>", number ? std::to_string(number) : "");
}

/// What scrolls inside itself can be reached with the keyboard.
std::string code_frame(const std::string& name, const std::string& body) {
  return fmt::format(
      "<div class=\"ladder-code\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><pre>{}</pre></div>\n",
      svg::escaped(name), body);
}

/// Whether a line is changed, or stands close to one that is.
std::vector<bool> near_changes(const std::vector<DiffLine>& lines) {
  constexpr std::size_t around = 3;
  std::vector<bool> shown(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].sign != ' ')
      for (std::size_t j = i - std::min(i, around); j < std::min(lines.size(), i + around + 1); ++j)
        shown[j] = true;
  return shown;
}

std::string diff_row(const DiffLine& line, const std::string& text) {
  const char* const element = line.sign == '+' ? "ins" : line.sign == '-' ? "del" : "span";
  return fmt::format("<{0} class=\"row\">{1}{2}<span class=\"sign\">{3}</span>{4}</{0}>", element,
                     numbered(line.lower), numbered(line.upper), line.sign, text);
}

}  // namespace

std::string coloured(const std::string& line, bool& in_comment) {
  return Colouring(line, in_comment).html();
}

std::string code_html(const std::string& name, const std::vector<std::string>& lines) {
  std::string body;
  bool in_comment = false;
  for (std::size_t i = 0; i < lines.size(); ++i)
    body += fmt::format("<span class=\"row\">{}{}</span>", numbered(i + 1), coloured(lines[i], in_comment));
  return code_frame(name, body);
}

std::string diff_html(const std::string& lower, const std::string& upper,
                      const std::vector<DiffLine>& lines) {
  const std::vector<bool> shown = near_changes(lines);
  std::string body;
  bool below = false, above = false;  // a comment that is open in the lower and in the upper source
  std::size_t added = 0, removed = 0, hidden = 0;
  const auto end_gap = [&] {
    if (hidden) body += fmt::format("<span class=\"row gap\">… {} lines as before</span>", hidden);
    hidden = 0;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string text = coloured(lines[i].text, lines[i].sign == '-' ? below : above);
    if (lines[i].sign == ' ') below = above;
    added += lines[i].sign == '+';
    removed += lines[i].sign == '-';
    if (shown[i])
      end_gap(), body += diff_row(lines[i], text);
    else
      ++hidden;
  }
  end_gap();
  const std::string name =
      fmt::format("From {} to {}: {} lines added, {} removed", lower, upper, added, removed);
  return fmt::format("<p class=\"ladder-count\">{}: <b>+</b> {} lines, <b>−</b> {} lines.</p>\n",
                     svg::escaped(fmt::format("{} → {}", lower, upper)), added, removed) +
         code_frame(name, body);
}

std::string source_page(const std::string& path, const std::string& code, const std::string& top) {
  const std::string name = svg::escaped(path), file = svg::escaped(path.substr(path.rfind('/') + 1));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"stylesheet\" href=\"{2}doxygen-awesome.css\"><link rel=\"stylesheet\" "
      "href=\"{2}site.css\"></head>\n"
      "<body class=\"ladder-source\"><p><a href=\"{2}index.html\">GPU Ladder</a> · <a href=\"{1}\">the "
      "file</a></p>\n<h1>{0}</h1>\n{3}</body></html>\n",
      name, file, top, code);
}

std::vector<std::string> shown_source(const std::string& text) {
  std::vector<std::string> lines;
  bool in_task = false;  // what students are asked for goes on in lines that begin with two blanks
  for (std::string& line : lines_of(text)) {
    const std::string_view code = trim(line);
    in_task = code.starts_with("// BEGIN SOLUTION") || (in_task && code.starts_with("//  "));
    if (!in_task && !code.starts_with("// END SOLUTION") && !code.starts_with("//|"))
      lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace ladder::report
