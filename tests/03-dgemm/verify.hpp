#pragma once
/// @file
/// Is C = A B? By a bound that every correct order of summation keeps.

#include <cstddef>
#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "problems.hpp"

namespace dgemm::test {

/// The right result of a problem, and how far a correct computation may be from it.
struct Reference {
  std::vector<double> C;          ///< m x n, no padding
  std::vector<double> magnitude;  ///< |A| |B|, m x n
};

/// What a comparison found.
struct Comparison {
  std::size_t wrong = 0;  ///< elements that are not right
  std::size_t of = 0;     ///< elements of C
  int i = 0, j = 0;       ///< the first wrong one, row by row
  double expected = 0, got = 0;
  double error = 0;                 ///< max |C - Cref| / (eps |A| |B|) over finite elements
  double bound = 0;                 ///< what `error` may be
  double source_measure = 0;        ///< max |Cref - C| / (|Cref| + 1e-12): the source accepts below 1e-8
  std::size_t padding_written = 0;  ///< elements between n and ldc that the step changed
  bool transposed = false;          ///< square, wrong, and right when rows and columns are exchanged
  bool right() const { return wrong == 0 && padding_written == 0; }
};

/// Computes C and |A| |B|: sums in 80 bits where that is there and m n k is small enough for it, else in
/// double.
Reference reference(const Problem& p);

/// Bound of |C - Cref| / (eps |A| |B|) for a sum of k products.
///
/// Any order of summation, with or without fused multiply-add, has |C - AB| <= g |A| |B| with
/// g = k u / (1 - k u), u = eps / 2 (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition,
/// section 3.5). The reference may have the same error, so twice that; 4 more for the rounding of |A| |B| and
/// of 1 - k u.
constexpr double error_bound(int k) {
  return k + 4.0;
}

/// How far an element may be from the reference: the bound, and a step of the smallest numbers for each
/// product.
double tolerance(double magnitude, int k);

/// Compares the step's C (m x ldc) with the reference.
/// @param poison  the bytes that C was filled with before the call: padding must still hold them
Comparison compare(const Problem& p, const Reference& r, const double* C, unsigned char poison = 0xFF);

/// The median over C of |C - Cref| / (u |A| |B|): of the step's C, and of sums of doubles in the order of the
/// terms.
struct Medians {
  double step = 0, doubles = 0;
};
Medians median_errors(const Problem& p, const Reference& r, const double* C);

/// A check of order n^2 for timed calls: C x against A (B x) for one vector x of random signs.
/// @return "" or which row is wrong. Inputs must be finite.
std::string compare_quickly(const Problem& p, const double* C, ladder::Random& random);

}  // namespace dgemm::test
