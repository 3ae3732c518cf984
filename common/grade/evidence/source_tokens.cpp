#include "common/grade/evidence/source_tokens.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace ladder::grade {
namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 128;
}

/// Reads text from its front to its end.
class Reader {
 public:
  Reader(std::string_view text, bool with_markers) : text_(text), with_markers_(with_markers) {}

  std::vector<SourceToken> read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_, ++at_, line_begins_ = true;
      } else if (c == '\\' && is_line_end(at_ + 1)) {
        at_ = text_.find('\n', at_) + 1, ++line_;
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        ++at_;
      } else if (starts("//")) {
        skip_line();
      } else if (starts("/*")) {
        skip_to("*/");
      } else if (with_markers_ && line_begins_ && c == '#' && take_marker()) {
      } else {
        take_token();
      }
    }
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  bool is_line_end(std::size_t at) const {
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\r' || text_[at] == '\t')) ++at;
    return at < text_.size() && text_[at] == '\n';
  }
  /// A comment to the end of the line; a backslash there takes the next one, too.
  void skip_line() {
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\' && is_line_end(at_ + 1)) at_ = text_.find('\n', at_), ++line_;
  }
  void skip_to(std::string_view end) {
    const auto found = text_.find(end, at_ + 2);
    const std::size_t next = found == text_.npos ? text_.size() : found + end.size();
    for (; at_ < next; ++at_) line_ += text_[at_] == '\n';
  }
  /// `# 12 "folder/file" 1 2`: the next line is that one.
  bool take_marker() {
    std::size_t i = at_ + 1;
    while (i < text_.size() && text_[i] == ' ') ++i;
    const std::size_t end = std::min(text_.find('\n', i), text_.size());
    const std::string rest(text_.substr(i, end - i));
    if (rest.empty() || !std::isdigit(static_cast<unsigned char>(rest[0]))) return false;
    line_ = std::atoi(rest.c_str()) - 1;
    if (const auto quote = rest.find('"'); quote != rest.npos) {
      const std::string path = rest.substr(quote + 1, rest.rfind('"') - quote - 1);
      file_ = path.substr(path.rfind('/') + 1);
    }
    at_ = end;
    return true;
  }
  void take_token() {
    const std::size_t begin = at_;
    const int line = line_;
    const char c = text_[at_];
    std::string text;
    if (is_letter(c)) {
      while (at_ < text_.size()) {
        if (text_[at_] == '\\' && is_line_end(at_ + 1))
          at_ = text_.find('\n', at_) + 1, ++line_;
        else if (is_letter(text_[at_]) || (text_[at_] == '\'' && std::isdigit(static_cast<unsigned char>(c))))
          text += text_[at_++];
        else
          break;
      }
      const bool raw =
          !text.empty() && text.back() == 'R' && text.size() <= 3 && at_ < text_.size() && text_[at_] == '"';
      if (raw) return take_raw_string(line);
    } else if (c == '"' || c == '\'') {
      text = c;
      take_string(c);
    } else {
      text = text_[at_++];
    }
    if (at_ == begin) ++at_;
    tokens_.push_back({std::move(text), file_, line, line_begins_});
    line_begins_ = false;
  }
  void take_string(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) line_ += text_[++at_] == '\n';
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }
  /// R"end( … )end"
  void take_raw_string(int line) {
    const auto open = text_.find('(', at_);
    const std::string end =
        ")" + std::string(text_.substr(at_ + 1, open == text_.npos ? 0 : open - at_ - 1)) + "\"";
    skip_to(end);
    tokens_.push_back({"\"", file_, line, line_begins_});
    line_begins_ = false;
  }

  std::string_view text_;
  bool with_markers_;
  std::vector<SourceToken> tokens_{};
  std::string file_{};
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_begins_ = true;
};

}  // namespace

bool SourceToken::is_identifier() const {
  return !text.empty() && is_letter(text[0]) && !std::isdigit(static_cast<unsigned char>(text[0]));
}

std::vector<SourceToken> tokens_of(std::string_view text, bool with_markers) {
  return Reader(text, with_markers).read();
}

}  // namespace ladder::grade
