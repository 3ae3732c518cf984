#pragma once
/// @file
/// What the factorisation is for: Ax = b in two sweeps over L and U. Given; on the host, O(n^2).

#include <utility>

#include "problem.hpp"

namespace lu {

/// Solves Ax = b with the factors of A: first Ly = Pb, then Ux = y.
/// @param p  a problem after a rung has factorised it, with *p.info == 0
/// @param b  length n; becomes x
/// Source: work A.
inline void solve(const Problem& p, double* b) {
  const std::size_t n = p.n;
  for (std::size_t i = 0; i < n; ++i) std::swap(b[i], b[p.pivot[i]]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) b[i] -= p.A[i * n + j] * b[j];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= p.A[i * n + j] * b[j];
    b[i] /= p.A[i * n + i];
  }
}

}  // namespace lu
