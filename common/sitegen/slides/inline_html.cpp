#include "common/sitegen/slides/inline_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>

#include "common/report/figures/svg.hpp"

namespace ladder::report {
namespace {

bool is_letter_of_tag(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// The length of the tag or comment that begins here; 0: a bare <.
std::size_t tag_length(const std::string& text, std::size_t at) {
  const bool comment = text.compare(at, 4, "<!--") == 0;
  const std::size_t name = at + 1 + (at + 1 < text.size() && text[at + 1] == '/');
  if (!comment && (name >= text.size() || !is_letter_of_tag(text[name]))) return 0;
  const auto end = text.find(comment ? "-->" : ">", at);
  return end == text.npos ? 0 : end + (comment ? 3 : 1) - at;
}

bool is_entity(const std::string& text, std::size_t at) {
  static const std::regex entity("&(#[0-9]+|#x[0-9a-fA-F]+|[a-zA-Z]+);");
  return std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), entity,
                           std::regex_constants::match_continuous);
}

/// Turns one paragraph into HTML, from left to right.
class Paragraph {
 public:
  Paragraph(const std::string& text, const LinkTarget& target) : text_(text), target_(target) {}

  std::string html() {
    while (at_ < text_.size())
      if (!(code() || escape() || link() || emphasis("**", "strong") || emphasis("*", "em") || tag()))
        plain();
    return std::move(out_);
  }

 private:
  bool code() {
    if (text_[at_] != '`') return false;
    const auto end = text_.find('`', at_ + 1);
    if (end == text_.npos) return false;
    out_ += "<code>" + svg::escaped(text_.substr(at_ + 1, end - at_ - 1)) + "</code>";
    at_ = end + 1;
    return true;
  }

  bool escape() {
    if (text_[at_] != '\\' || at_ + 1 >= text_.size()) return false;
    if (!std::ispunct(static_cast<unsigned char>(text_[at_ + 1]))) return false;
    out_ += svg::escaped(text_.substr(at_ + 1, 1));
    at_ += 2;
    return true;
  }

  bool link() {
    if (text_[at_] != '[') return false;
    const auto middle = text_.find("](", at_), end = text_.find(')', middle);
    if (middle == text_.npos || end == text_.npos) return false;
    out_ += fmt::format("<a href=\"{}\">{}</a>",
                        svg::escaped(target_(text_.substr(middle + 2, end - middle - 2))),
                        inline_html(text_.substr(at_ + 1, middle - at_ - 1), target_));
    at_ = end + 1;
    return true;
  }

  bool emphasis(const std::string& mark, const std::string& element) {
    if (text_.compare(at_, mark.size(), mark) != 0) return false;
    const auto from = at_ + mark.size(), end = text_.find(mark, from);
    if (end == text_.npos || end == from || text_[from] == ' ') return false;  // a product
    out_ += fmt::format("<{0}>{1}</{0}>", element, inline_html(text_.substr(from, end - from), target_));
    at_ = end + mark.size();
    return true;
  }

  bool tag() {
    if (text_[at_] != '<') return false;
    const std::size_t length = tag_length(text_, at_);
    out_ += length > 0 ? text_.substr(at_, length) : "&lt;";
    at_ += std::max<std::size_t>(length, 1);
    return true;
  }

  void plain() {
    out_ += text_[at_] == '&' && !is_entity(text_, at_) ? "&amp;" : text_.substr(at_, 1);
    ++at_;
  }

  const std::string& text_;
  const LinkTarget& target_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string inline_html(const std::string& markdown, const LinkTarget& target) {
  return Paragraph(markdown, target).html();
}

std::string strict_html(const std::string& html) {
  std::string out;
  for (std::size_t at = 0; at < html.size();) {
    const std::size_t length = html[at] == '<' ? tag_length(html, at) : 0;
    if (length > 0)
      out += html.substr(at, length);
    else if (html[at] == '<')
      out += "&lt;";
    else
      out += html[at] == '&' && !is_entity(html, at) ? "&amp;" : html.substr(at, 1);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string text_of_html(const std::string& html) {
  std::string out;
  for (std::size_t at = 0; at < html.size();) {
    if (html.compare(at, 6, "<style") == 0) at = std::min(html.find("</style", at), html.size());
    const std::size_t length = at < html.size() && html[at] == '<' ? tag_length(html, at) : 0;
    if (length > 0 && html.compare(at, 4, "<!--") != 0)
      out += ' ';
    else
      out += html.substr(at, std::max<std::size_t>(length, 1));
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace ladder::report
