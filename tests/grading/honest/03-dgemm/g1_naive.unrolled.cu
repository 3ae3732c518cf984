// what has its loop unrolled by hand
// verdict PASS
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  double sum = 0;
  int p = 0;
  for (; p + 4 <= k; p += 4)
    for (int q = 0; q < 4; ++q) sum += A[row * lda + p + q] * B[(p + q) * ldb + col];
  for (; p < k; ++p) sum += A[row * lda + p] * B[p * ldb + col];
  C[row * ldc + col] = sum;
}

void honest(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 32);
  const dim3 grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace

void naive(const Problem& p) {
  honest(p);
}

}  // namespace dgemm
