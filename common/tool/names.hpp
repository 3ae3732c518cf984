#pragma once
/// @file
/// Names that a person typed, and the nearest ones that exist.

#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// A wrong use or a missing part of the environment: one clear line, exit status 2.
struct UsageError {
  std::string text;
};

/// Number of single-letter edits (insert, delete, replace, swap of neighbours) between two words.
int edit_distance(std::string_view a, std::string_view b);

/// The candidates nearest to a word, best first, at most three; none that shares almost nothing with it.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "unknown verb 'chek'; nearest: check. There are: …"
std::string unknown(std::string_view what, std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ladder
