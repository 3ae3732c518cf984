// what computes the upper and the lower half on two streams
// verdict PASS
#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  double sum = 0;
  for (int p = 0; p < k; ++p) sum += A[row * lda + p] * B[p * ldb + col];
  C[row * ldc + col] = sum;
}

}  // namespace

void naive(const Problem& p) {
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

}  // namespace dgemm
