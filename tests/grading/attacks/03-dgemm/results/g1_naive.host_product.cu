// what computes on the host, without a kernel
// verdict CRASHED
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {

void naive(const Problem& p) {
  for (int i = 0; i < p.m; ++i)
    for (int j = 0; j < p.n; ++j) {
      double sum = 0;
      for (int q = 0; q < p.k; ++q) sum += p.A[size_t(i) * p.lda + q] * p.B[size_t(q) * p.ldb + j];
      p.C[size_t(i) * p.ldc + j] = sum;
    }
}

}  // namespace dgemm
