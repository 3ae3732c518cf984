#pragma once
/// @file
/// Are checksums and grid right?

#include <string>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace npb_ft::test {

/// What a comparison found.
struct Comparison {
  std::string wrong;  ///< empty: right. Else what is wrong, expected and got.
  double error = 0;   ///< largest difference of the grid, in units of eps log2(points) rms(u)
  std::vector<std::pair<std::string, std::string>> details{};  ///< what the numbers say about the cause
};

/// A transform of N points loses about eps log2(N) of its root mean square; two of them, and the factors, a
/// few times that.
inline constexpr double error_bound = 8;

/// Compares the grid with the judge's own, checksums with those of the judge's grids, and official classes by
/// NPB's own rule.
Comparison compare(const Problem& given, const Problem& got);

/// NPB's rule: within 1e-12 of the expected one, relative to it, in both parts.
bool verified(Complex expected, Complex got);

}  // namespace npb_ft::test
