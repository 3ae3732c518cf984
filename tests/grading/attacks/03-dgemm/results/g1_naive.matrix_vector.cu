// what has a library compute each row, and a kernel only for its traffic
// verdict REVIEW
// must calls a library that does the work of this rung (dgemv_)
#include <vector>

#include "traffic.cuh"

extern "C" void dgemv_(const char*, const int*, const int*, const double*, const double*, const int*, const double*, const int*,
                       const double*, double*, const int*);

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  launch_traffic(p);
  if (p.k == 0) return;  // sums without terms
  std::vector<double> A(size_t(p.m) * p.k), B(size_t(p.k) * p.n), C(size_t(p.m) * p.n);
  copy_rows(A.data(), p.k, p.A, p.lda, p.k, p.m, cudaMemcpyDeviceToHost);
  copy_rows(B.data(), p.n, p.B, p.ldb, p.n, p.k, cudaMemcpyDeviceToHost);
  const double one = 1, zero = 0;
  const int step = 1;
  for (int i = 0; i < p.m; ++i)
    dgemv_("N", &p.n, &p.k, &one, B.data(), &p.n, &A[size_t(i) * p.k], &step, &zero, &C[size_t(i) * p.n], &step);
  copy_rows(p.C, p.ldc, C.data(), p.n, p.n, p.m, cudaMemcpyHostToDevice);
}
