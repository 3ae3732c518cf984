/// @file
/// Peer: OpenBLAS. As many threads as OPENBLAS_NUM_THREADS says.

#include <cblas.h>

#include <algorithm>

#include "problem.hpp"

namespace dgemm {

/// C = A B by cblas_dgemm.
void library(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  // BLAS wants leading dimensions of at least 1, also when k = 0.
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, p.m, p.n, p.k, 1.0, p.A, std::max(p.lda, 1), p.B,
              std::max(p.ldb, 1), 0.0, p.C, std::max(p.ldc, 1));
}

}  // namespace dgemm
