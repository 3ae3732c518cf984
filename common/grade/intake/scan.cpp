#include "common/grade/intake/scan.hpp"

#include <algorithm>
#include <cctype>

namespace ladder::grade {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Goes through a source from token to token and notes what each byte is part of.
class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source), parts_(source.size(), Part::code) {}

  std::vector<Part> all() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (starts("//"))
        line_comment();
      else if (starts("/*"))
        take(Part::comment, after("*/", at_ + 2));
      else if (c == '"')
        take(Part::string, raw() ? end_of_raw() : end_of_quoted('"'));
      else if (c == '\'' && !in_number())
        take(Part::code, end_of_quoted('\''));
      else
        word_or_sign();
    }
    return std::move(parts_);
  }

 private:
  bool starts(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  void take(Part part, std::size_t end) {
    std::fill(parts_.begin() + static_cast<std::ptrdiff_t>(at_),
              parts_.begin() + static_cast<std::ptrdiff_t>(end), part);
    at_ = end;
    word_ = at_;
  }

  /// A word begins where the byte before is of none; a separator in a number does not end it: 1'000.
  void word_or_sign() {
    const char c = source_[at_];
    if (!is_word(c) && !(c == '\'' && in_number())) word_ = at_ + 1;
    ++at_;
  }

  std::string_view word() const { return source_.substr(word_, at_ - word_); }
  bool in_number() const { return !word().empty() && std::isdigit(static_cast<unsigned char>(word()[0])); }
  bool raw() const {
    const std::string_view prefix = word();
    return prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R";
  }

  std::size_t after(std::string_view end, std::size_t from) const {
    const auto found = source_.find(end, from);
    return found == source_.npos ? source_.size() : found + end.size();
  }

  void line_comment() {
    std::size_t end = at_;
    do end = std::min(source_.find('\n', end + 1), source_.size());
    while (end < source_.size() && source_[end - 1] == '\\');
    take(Part::comment, end);
  }

  /// Where a literal in quotes ends: one that is not closed ends with its line.
  std::size_t end_of_quoted(char quote) const {
    for (std::size_t i = at_ + 1; i < source_.size(); ++i) {
      if (source_[i] == '\\')
        ++i;
      else if (source_[i] == quote)
        return i + 1;
      else if (source_[i] == '\n')
        return i;
    }
    return source_.size();
  }

  std::size_t end_of_raw() const {
    const auto open = source_.find('(', at_);
    if (open == source_.npos || open - at_ > 17)
      return end_of_quoted('"');  // a delimiter has 16 characters at most
    return after(")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"", open);
  }

  std::string_view source_;
  std::vector<Part> parts_;
  std::size_t at_ = 0, word_ = 0;
};

/// The name in a line's `#include "NAME"`; empty when it has none.
std::string_view name_in(std::string_view line) {
  const auto skip = [&] {
    while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
  };
  const auto take = [&](std::string_view text) {
    const bool there = line.starts_with(text);
    if (there) line.remove_prefix(text.size());
    skip();
    return there;
  };
  skip();
  if (!take("#") && !take("%:")) return {};
  if (!take("include_next") && !take("include") && !take("import")) return {};
  if (!line.starts_with('"')) return {};
  const auto end = line.find('"', 1);
  return end == line.npos ? std::string_view() : line.substr(1, end - 1);
}

}  // namespace

std::vector<Part> parts_of(std::string_view source) {
  return Scanner(source).all();
}

std::string code_of(std::string_view source) {
  const auto parts = parts_of(source);
  std::string code;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool blank = source[i] == ' ' || (source[i] >= '\t' && source[i] <= '\r');
    if (parts[i] == Part::string || (parts[i] == Part::code && !blank)) code += source[i];
  }
  return code;
}

std::vector<std::string> included_by(std::string_view source) {
  std::string code(source);
  const auto parts = parts_of(source);
  for (std::size_t i = 0; i < code.size(); ++i)
    if (parts[i] == Part::comment && code[i] != '\n') code[i] = ' ';
  std::vector<std::string> names;
  for (std::size_t at = 0; at < code.size();) {
    const auto end = std::min(code.find('\n', at), code.size());
    const std::string name(name_in(std::string_view(code).substr(at, end - at)));
    const bool of_string = parts[at] == Part::string;  // a line of a raw string
    if (!name.empty() && !of_string && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
    at = end + 1;
  }
  return names;
}

}  // namespace ladder::grade
