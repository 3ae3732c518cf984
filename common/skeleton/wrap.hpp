#pragma once
/// @file
/// How long a line of a source may be, and longer declarations of a skeleton on several lines.

#include <string>
#include <string_view>
#include <vector>

namespace ladder::cut {

/// ColumnLimit of .clang-format.
inline constexpr std::size_t max_columns = 110;

/// The code points of a line.
std::size_t columns_of(std::string_view line);

/// A line with one declaration or parameters, on as many lines as it needs: broken behind the comma that is
/// in the fewest brackets. The comment of a whole declaration goes above it where both are too long. A line
/// that has no such comma stays.
std::vector<std::string> wrapped(const std::string& line);

}  // namespace ladder::cut
