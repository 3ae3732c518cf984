// what works on a stream that nothing waits for, and returns; the clock runs until the device is idle
// verdict PASS
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  static cudaStream_t aside = nullptr;
  if (!aside) ladder::check(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking));
  const dim3 grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, dim3(32, 32), 0, aside>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}
