#pragma once
/// @file
/// Sources without their comments.

#include <string>
#include <vector>

namespace ladder::cut {

/// A source without comments, line for line. Strings stay as they are, and what is in a raw string is a
/// source of its own: a kernel's comments are comments.
std::string without_comments(const std::string& source);

/// The lines of code of a source: without comments, blanks at both ends, and lines that are empty then. The
/// marks of regions are comments.
std::vector<std::string> code_lines(const std::string& source);

/// How many lines of the upper source are not in the lower one, in the same order: what a diff shows as
/// added.
std::size_t added_lines(const std::vector<std::string>& lower, const std::vector<std::string>& upper);

}  // namespace ladder::cut
