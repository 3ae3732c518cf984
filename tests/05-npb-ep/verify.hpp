#pragma once
/// @file
/// Are counts and sums right?

#include <string>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace npb_ep::test {

/// What a comparison found.
struct Comparison {
  std::string wrong;  ///< empty: right. Else what is wrong, expected and got.
  double error = 0;   ///< the larger difference of the two sums, over what rounding explains
  std::vector<std::pair<std::string, std::string>> details{};  ///< what the numbers say about the cause
};

/// Compares: counts exactly, sums within rounding, and official classes by NPB's own rule as well.
Comparison compare(const Problem& given, const Problem& got);

/// NPB's rule: both sums within 1e-8 of the official ones, relative to these. Counts are not looked at.
bool verified(const OfficialClass& official, double sx, double sy);

}  // namespace npb_ep::test
