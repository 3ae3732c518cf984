#pragma once
/// @file
/// What differs between two texts, line for line.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace ladder {

/// A line of the lower text only ('-'), of the upper one only ('+'), or of both (' ').
struct DiffLine {
  char sign = ' ';
  std::size_t lower = 0, upper = 0;  ///< line numbers from 1; 0: it is not in that text
  std::string text;
};

/// The shortest way from one text to the other: what is removed is before what takes its place.
inline std::vector<DiffLine> line_diff(const std::vector<std::string>& lower,
                                       const std::vector<std::string>& upper) {
  const std::size_t rows = lower.size() + 1, columns = upper.size() + 1;
  // common[i * columns + j]: how many lines the texts from i and from j on have in common, in order.
  std::vector<std::size_t> common(rows * columns, 0);
  for (std::size_t i = lower.size(); i-- > 0;)
    for (std::size_t j = upper.size(); j-- > 0;)
      common[i * columns + j] = lower[i] == upper[j]
                                    ? common[(i + 1) * columns + j + 1] + 1
                                    : std::max(common[(i + 1) * columns + j], common[i * columns + j + 1]);
  std::vector<DiffLine> lines;
  std::size_t i = 0, j = 0;
  while (i < lower.size() || j < upper.size()) {
    if (i < lower.size() && j < upper.size() && lower[i] == upper[j])
      lines.push_back({' ', i + 1, j + 1, upper[j]}), ++i, ++j;
    else if (j == upper.size() ||
             (i < lower.size() && common[(i + 1) * columns + j] >= common[i * columns + j + 1]))
      lines.push_back({'-', i + 1, 0, lower[i]}), ++i;
    else
      lines.push_back({'+', 0, j + 1, upper[j]}), ++j;
  }
  return lines;
}

}  // namespace ladder
