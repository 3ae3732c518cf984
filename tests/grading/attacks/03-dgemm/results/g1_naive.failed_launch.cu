// what asks for more shared memory than there is, does not look whether the kernel started, and hopes
// verdict CRASHED
// must cannot be launched
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 32), grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block, 100000000>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
}
