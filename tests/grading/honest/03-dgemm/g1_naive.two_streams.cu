// what computes the upper and the lower half on two streams
// verdict PASS
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const ladder::Stream streams[2];
  const int half = (p.m + 1) / 2;
  for (int h = 0; h < 2; ++h) {
    const int first = h * half, rows = h == 0 ? half : p.m - half;
    if (rows == 0) continue;
    const dim3 block(32, 32), grid((p.n + 31) / 32, (rows + 31) / 32);
    multiply<<<grid, block, 0, streams[h].get()>>>(rows, p.n, p.k, p.A + size_t(first) * p.lda, p.lda, p.B, p.ldb,
                                                   p.C + size_t(first) * p.ldc, p.ldc);
    ladder::check(cudaGetLastError());
  }
  ladder::check(cudaDeviceSynchronize());
}
