#include "common/skeleton/code_lines.hpp"

#include <algorithm>
#include <cctype>

#include "common/base/text/line_diff.hpp"
#include "common/base/text/text.hpp"

namespace ladder::cut {
namespace {

/// The source without comments. Strings stay as they are, and what is in a raw string is taken for a
/// source of its own.
class Uncommented {
 public:
  explicit Uncommented(const std::string& source) : in_(source) {}

  std::string text() {
    while (at_ < in_.size()) {
      if (starts("//"))
        skip_to("\n");
      else if (starts("/*"))
        skip_behind("*/");
      else if (starts("R\"") && begins_word())
        begin_raw();
      else if (!raw_end_.empty() && starts(raw_end_))
        take(raw_end_.size()), raw_end_.clear();
      else if (in_[at_] == '"' || (in_[at_] == '\'' && begins_word()))
        take_literal(in_[at_]);
      else
        take(1);
    }
    return out_;
  }

 private:
  bool starts(const std::string& with) const { return in_.compare(at_, with.size(), with) == 0; }
  /// Not the ' in 1'000, not the R in FOR"x".
  bool begins_word() const {
    return at_ == 0 || (!std::isalnum(static_cast<unsigned char>(in_[at_ - 1])) && in_[at_ - 1] != '_');
  }
  void take(std::size_t count) {
    out_ += in_.substr(at_, count);
    at_ += count;
  }
  void skip_to(const std::string& what) { at_ = std::min(in_.find(what, at_), in_.size()); }
  void skip_behind(const std::string& what) {
    const std::size_t begin = at_;
    skip_to(what);
    at_ = std::min(at_ + what.size(), in_.size());
    // The lines stay lines.
    out_.append(static_cast<std::size_t>(
                    std::count(in_.begin() + std::ptrdiff_t(begin), in_.begin() + std::ptrdiff_t(at_), '\n')),
                '\n');
  }
  void begin_raw() {
    const std::size_t open = std::min(in_.find('(', at_), in_.size() - 1);
    raw_end_ = ")" + in_.substr(at_ + 2, open - at_ - 2) + "\"";
    take(open + 1 - at_);
  }
  void take_literal(char quote) {
    take(1);
    while (at_ < in_.size() && in_[at_] != quote && in_[at_] != '\n') take(in_[at_] == '\\' ? 2 : 1);
    take(1);
  }

  const std::string& in_;
  std::string out_, raw_end_;
  std::size_t at_ = 0;
};

}  // namespace

std::string without_comments(const std::string& source) {
  return Uncommented(source).text();
}

std::vector<std::string> code_lines(const std::string& source) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(without_comments(source)))
    if (const auto code = trim(line); !code.empty()) lines.emplace_back(code);
  return lines;
}

std::size_t added_lines(const std::vector<std::string>& lower, const std::vector<std::string>& upper) {
  const auto lines = line_diff(lower, upper);
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [](const DiffLine& line) { return line.sign == '+'; }));
}

}  // namespace ladder::cut
