// verdict CRASHED
// must n = 2: access out of bounds, line
// must reads A + 4 (of 4)
// not backend_cuda
// <= where < is right.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row <= m && col < n) {
    double sum = 0;
    for (int p = 0; p < k; ++p) sum += A[row * lda + p] * B[p * ldb + col];
    C[row * ldc + col] = sum;
  }
}

}  // namespace

void naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  dim3 block(32, 32);
  dim3 grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
