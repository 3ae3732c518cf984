#pragma once
/// @file
/// Is the result what is wanted? Each kind by a bound that every correct program keeps.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/judge/displaced.hpp"
#include "problems.hpp"

namespace first_steps::test {

/// What a comparison found.
struct Comparison {
  std::size_t wrong = 0;  ///< elements that are not right
  std::size_t of = 0;     ///< elements of the result
  std::size_t first = 0;  ///< index of the first wrong one
  double expected = 0, got = 0;
  bool untouched = false;            ///< the first wrong element holds what was in it before the call
  std::size_t untouched_in_all = 0;  ///< wrong elements of which that is true
  double error = 0;                  ///< largest, as `measure` says
  double bound = 0;                  ///< what `error` may be
  std::string measure;               ///< "" where results are exact
  double ulps = 0;      ///< row sums: largest distance from the exact sum, in units of the last place
  bool copied = false;  ///< the result is A as it was
  bool first_block_only = false;  ///< row sums: each wrong one is the sum of the first 256 elements
  /// Histogram: counts began with all bits set, which is -1, from this one on; -1: not so.
  int one_too_low_from = -1;
  double counted = 0;            ///< histogram: the sum of all counts
  int first_wrong_column = -1;   ///< places: the least column of a wrong one
  bool inclusive = false;        ///< places: each counts its own element, too
  std::size_t not_softened = 0;  ///< softened: bright elements that are as they were in A
  std::size_t dark_changed = 0;  ///< softened: elements that are not bright and are not as they were in A
  ladder::Compared* elements = nullptr;  ///< gets every element, if it is there
  bool right() const { return wrong == 0; }
};

/// How precisely row sums are computed: the bound goes by it.
enum class Precision { single_bits, double_bits };

/// The exact sum of `count` numbers, as parts of falling size that do not overlap; the first is the rounded
/// sum. J. R. Shewchuk, Adaptive precision floating-point arithmetic, 1997.
std::vector<double> exact_sum(const float* numbers, std::size_t count);

/// |value - exact| in units of the last place of the exact sum, rounded to double.
double ulps_between(double value, const std::vector<double>& exact);

/// Compares a result with what it must be.
/// @param given  inputs
/// @param got    outputs
/// @param precision  of row sums. Any order of summation has an error of at most (columns - 1) u sum
/// |A[i][j]|, u = 2^-53 in double and 2^-24 in float (Higham, Accuracy and Stability of Numerical Algorithms,
/// 2nd edition, section 4.2).
/// @param all        gets every element with what it must be and how far it may be off; null: nobody asks
Comparison compare(const Problem& given, const Problem& got, Precision precision,
                   ladder::Compared* all = nullptr);

/// The elements of the result next to what they must be; nothing where explain() says more of a wrong one.
std::optional<ladder::Compared> compared(const Problem& given, const Problem& got, Precision precision);

/// Heading of an element: "B[3][17]", "sum[4]", "count[255]".
std::string element_name(const Problem& p, std::size_t index);

}  // namespace first_steps::test
