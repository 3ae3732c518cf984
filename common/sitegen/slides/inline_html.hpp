#pragma once
/// @file
/// Text of a page as HTML, as far as slides show it: a paragraph's emphasis, code and links.

#include <functional>
#include <string>

namespace ladder::report {

/// Where a link of a page leads to on the site.
using LinkTarget = std::function<std::string(const std::string& link)>;

/// A paragraph of Markdown. Tags and the marks of generated values stay; nothing else becomes HTML.
std::string inline_html(const std::string& markdown, const LinkTarget& target);

/// HTML as pages have it inside folds, where code hosts forgive a bare < or &: here they are escaped.
std::string strict_html(const std::string& html);

/// What a reader sees of HTML: without tags and styles. Comments stay.
std::string text_of_html(const std::string& html);

}  // namespace ladder::report
