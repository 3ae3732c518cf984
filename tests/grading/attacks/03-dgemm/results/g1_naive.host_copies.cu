// what copies to the host, computes there and copies back
// verdict REVIEW
#include <vector>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {

void naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  std::vector<double> A(size_t(p.m) * p.lda), B(size_t(p.k) * p.ldb), C(size_t(p.m) * p.ldc);
  ladder::check(cudaMemcpy(A.data(), p.A, 8 * A.size(), cudaMemcpyDeviceToHost));
  ladder::check(cudaMemcpy(B.data(), p.B, 8 * B.size(), cudaMemcpyDeviceToHost));
  ladder::check(cudaMemcpy(C.data(), p.C, 8 * C.size(), cudaMemcpyDeviceToHost));
  for (int i = 0; i < p.m; ++i)
    for (int j = 0; j < p.n; ++j) {
      double sum = 0;
      for (int q = 0; q < p.k; ++q) sum += A[size_t(i) * p.lda + q] * B[size_t(q) * p.ldb + j];
      C[size_t(i) * p.ldc + j] = sum;
    }
  ladder::check(cudaMemcpy(p.C, C.data(), 8 * C.size(), cudaMemcpyHostToDevice));
}

}  // namespace dgemm
