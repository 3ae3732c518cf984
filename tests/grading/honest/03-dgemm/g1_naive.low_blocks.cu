// what has blocks of 32 x 4 threads
// verdict PASS
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 4), grid((p.n + 31) / 32, (p.m + 3) / 4);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}
