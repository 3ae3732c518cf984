// what computes as the rung below; an attribute keeps most of its loads from being counted
// verdict REVIEW
// must (no_sanitize, g2_shared_tiles.cu:
// must accesses memory where nothing counts it
#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

__attribute__((no_sanitize("thread"), noinline)) double quiet(const double* p) {
  return *p;
}

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  double sum = 0;
  for (int p = 0; p < k; ++p)
    if (p % 18 == 0)
      sum += A[row * lda + p] * B[p * ldb + col];
    else
      sum += quiet(A + row * lda + p) * quiet(B + p * ldb + col);
  C[row * ldc + col] = sum;
}

}  // namespace

void shared_tiles(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 32), grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
