#pragma once
/// @file
/// Sources on pages of the site: coloured, numbered, and the difference of two of them.

#include <string>
#include <vector>

#include "common/base/text/line_diff.hpp"

namespace ladder::report {

/// A line of C++, CUDA or OpenCL as HTML: keywords, numbers, strings, comments and directives in elements of
/// their own.
/// @param in_comment  whether a comment of several lines is open; kept up to date
std::string coloured(const std::string& line, bool& in_comment);

/// A whole source with line numbers.
/// @param name  what a screen reader calls it
std::string code_html(const std::string& name, const std::vector<std::string>& lines);

/// What differs between two sources: signs, elements that mean it, and some lines around them that did not
/// change. Colours only help.
/// @param lower, upper  their names
std::string diff_html(const std::string& lower, const std::string& upper, const std::vector<DiffLine>& lines);

/// A page of the site with a source on it. @param top  the way from its folder to the site's: "../../"
std::string source_page(const std::string& path, const std::string& code, const std::string& top);

/// A reference without the marks of the regions that students write, and without the lines that only
/// skeletons have.
std::vector<std::string> shown_source(const std::string& text);

}  // namespace ladder::report
