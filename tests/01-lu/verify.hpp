#pragma once
/// @file
/// Whether a result is a factorisation with partial pivoting, and if not, where it first goes wrong.

#include <limits>
#include <string>

#include "common/base/random.hpp"
#include "problem.hpp"

namespace lu::test {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

/// What a comparison found.
struct Comparison {
  std::string wrong;     ///< empty: right. Else what is wrong, with index, expected and got.
  std::string happened;  ///< what the wrong values themselves say; may be empty
  std::string think;     ///< a question that leads on; may be empty
  double residual = 0;   ///< max row sum |PA - LU| / (n max row sum |A| eps)
  double backward = 0;   ///< max |PA - LU| / (n eps |L||U|), element by element
};

/// HPL accepts 16 of its residual, LAPACK's tests 30 of theirs; correct steps stay below 1.
constexpr double residual_bound = 16;

/// Bound of `backward`. Gaussian elimination has |PA - LU| <= g |L||U| with g = n u / (1 - n u), u = eps / 2,
/// in any order of the updates, with or without fused multiply-add (Higham, Accuracy and Stability of
/// Numerical Algorithms, 2nd edition, theorem 9.3). LU and |L||U| are computed here with errors of the same
/// size: together n eps, and something for the first few n. Unlike a norm it sees an error in a row of small
/// numbers.
constexpr double backward_bound = 4;

/// Compares a result with its problem. In this order: info and pivot in range and written, all numbers
/// finite, each pivot the first of the largest in its column, PA = LU, zero pivots as the contract says.
/// @param given  A as it was before the call
Comparison compare(const Problem& given, const Problem& got);

/// @return max |PA - LU| / (n eps |L||U|) of a factorisation, element by element.
double backward_error(const Problem& given, const Problem& got);

/// A check of order n^2 for timed calls: PAx against L(Ux) for one vector x of random signs.
/// @return "" or what is wrong.
std::string compare_quickly(const Problem& given, const Problem& got, ladder::Random& random);

}  // namespace lu::test
