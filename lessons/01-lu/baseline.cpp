/// @file
/// Baseline: Gaussian elimination with partial pivoting, sequential. Given complete; read it first.
/// Source: work A, algorithm 1. There U is copied out row by row and L at the end; here both stay in A.

#include "pivot.hpp"
#include "problem.hpp"

namespace lu {

/// PA = LU, one column after another.
void baseline(const Problem& p) {
  const std::size_t n = p.n;
  double* A = p.A;
  *p.info = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double divisor = pivot(p, int(i));
    for (std::size_t k = i + 1; k < n; ++k) {
      const double factor = A[k * n + i] / divisor;
      for (std::size_t j = i + 1; j < n; ++j) A[k * n + j] -= factor * A[i * n + j];
      A[k * n + i] = factor;  // eliminated: its place holds the element of L
    }
  }
}

}  // namespace lu
