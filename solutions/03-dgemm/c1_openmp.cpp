/// @file
/// c1: OpenMP. The baseline computes one block of C after another. No block needs another one's result, so
/// threads can share them.
/// Source: work D, OpenMP version (parallel over the outer block loops).

#include <algorithm>

#include "problem.hpp"

namespace dgemm {
namespace {

constexpr int block = 64;

/// C(i, j0 … j1) += A(i, p0 … p1) B(p0 … p1, j0 … j1), one row of a block.
void add_products(const Problem& p, int i, int j0, int j1, int p0, int p1) {
  const double* A = p.A + std::size_t(i) * p.lda;
  double* __restrict__ C = p.C + std::size_t(i) * p.ldc;
  const std::size_t ldb = p.ldb;
  int q = p0;
  // Four rows of B at a time: C is loaded and stored once for four multiply-adds, in the baseline for each.
  for (; q + 4 <= p1; q += 4) {
    const double* B = p.B + q * ldb;
    for (int j = j0; j < j1; ++j)
      C[j] += A[q] * B[j] + A[q + 1] * B[j + ldb] + A[q + 2] * B[j + 2 * ldb] + A[q + 3] * B[j + 3 * ldb];
  }
  for (; q < p1; ++q)
    for (int j = j0; j < j1; ++j) C[j] += A[q] * p.B[q * ldb + j];
}

/// Computes one block of C, whose first element is (i0, j0).
void multiply_block(const Problem& p, int i0, int j0) {
  const int i1 = std::min(i0 + block, p.m), j1 = std::min(j0 + block, p.n);
  for (int i = i0; i < i1; ++i)
    std::fill(p.C + std::size_t(i) * p.ldc + j0, p.C + std::size_t(i) * p.ldc + j1, 0.0);
  for (int p0 = 0; p0 < p.k; p0 += block)
    for (int i = i0; i < i1; ++i) add_products(p, i, j0, j1, p0, std::min(p0 + block, p.k));
}

}  // namespace

/// C = A B with all threads of the team.
void openmp(const Problem& p) {
  // BEGIN SOLUTION Share the blocks of C among the threads of a team.
  //  Each thread should get about as many blocks as the others, also when there are fewer block rows than
  //  threads. No two threads may write the same element.
  //| ladder::task();  // Delete this line when you start.
  //| for (int i0 = 0; i0 < p.m; i0 += block)
  //|   for (int j0 = 0; j0 < p.n; j0 += block) multiply_block(p, i0, j0);
  // Both loops as one: at n = 768 that is 144 pieces of work instead of 12.
#pragma omp parallel for collapse(2) schedule(static)
  for (int i0 = 0; i0 < p.m; i0 += block)
    for (int j0 = 0; j0 < p.n; j0 += block) multiply_block(p, i0, j0);
  // END SOLUTION
}

}  // namespace dgemm
