#pragma once
/// @file
/// Partial pivoting on the host. Given: the baseline and all rungs use it.

#include <algorithm>
#include <cmath>

#include "problem.hpp"

namespace lu {

/// @param column  count numbers, `stride` apart
/// @return the index of the one of largest absolute value, of equal ones the first.
inline int largest(const double* column, int count, std::size_t stride = 1) {
  int best = 0;
  for (int k = 1; k < count; ++k)
    if (std::abs(column[k * stride]) > std::abs(column[best * stride])) best = k;
  return best;
}

/// Writes down the pivot of step i: its row, and in info if it is the first that is zero.
/// @param value  the pivot
/// @return what to divide the column by: the pivot, or 1 if it is zero. Then the whole rest of the column is
/// zero,
///   and zeros divided by 1 are the factors that the contract wants.
inline double note_pivot(const Problem& p, int i, int row, double value) {
  p.pivot[i] = row;
  if (value == 0 && *p.info == 0) *p.info = i + 1;
  return value == 0 ? 1.0 : value;
}

/// Swaps rows r and s of a matrix, n x n, row-major.
inline void swap_rows(double* A, int n, int r, int s) {
  if (r != s) std::swap_ranges(A + std::size_t(r) * n, A + std::size_t(r + 1) * n, A + std::size_t(s) * n);
}

/// Chooses the pivot of step i in p.A, swaps its row up, and writes it down.
/// @return what to divide the column by.
inline double pivot(const Problem& p, int i) {
  const std::size_t n = p.n;
  const int row = i + largest(p.A + i * n + i, p.n - i, n);
  swap_rows(p.A, p.n, i, row);
  return note_pivot(p, i, row, p.A[i * n + i]);
}

}  // namespace lu
