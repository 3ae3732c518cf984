/// @file
/// Baseline: sequential, cache-blocked. Given complete; read it first.
/// Source: work D, sequential version.

#include <algorithm>

#include "problem.hpp"

namespace dgemm {
namespace {

// Three blocks of 64 x 64 doubles are 96 KiB: more than most first-level caches, less than any second-level
// one. The inner loops walk along rows, so the 32 KiB block of B is what has to stay near.
constexpr int block = 64;

/// C(i0..i1, j0..j1) += A(i0..i1, p0..p1) B(p0..p1, j0..j1).
void multiply_block(const Problem& p, int i0, int i1, int j0, int j1, int p0, int p1) {
  for (int i = i0; i < i1; ++i) {
    double* C = p.C + std::size_t(i) * p.ldc;
    for (int q = p0; q < p1; ++q) {
      const double a = p.A[std::size_t(i) * p.lda + q];
      const double* B = p.B + std::size_t(q) * p.ldb;
      for (int j = j0; j < j1; ++j) C[j] += a * B[j];  // j last: rows of B and C are read in order
    }
  }
}

}  // namespace

/// C = A B, one block of C after another.
void baseline(const Problem& p) {
  for (int i0 = 0; i0 < p.m; i0 += block) {
    const int i1 = std::min(i0 + block, p.m);
    for (int j0 = 0; j0 < p.n; j0 += block) {
      const int j1 = std::min(j0 + block, p.n);
      for (int i = i0; i < i1; ++i)
        std::fill(p.C + std::size_t(i) * p.ldc + j0, p.C + std::size_t(i) * p.ldc + j1, 0.0);
      for (int p0 = 0; p0 < p.k; p0 += block)
        multiply_block(p, i0, i1, j0, j1, p0, std::min(p0 + block, p.k));
    }
  }
}

}  // namespace dgemm
