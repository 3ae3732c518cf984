// verdict WRONG
// must n = 64, lda = 72
// must Matrices without padding were right
// not no result came back
// The leading dimensions are forgotten.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, const double* B, double* C) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    double sum = 0;
    for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
  }
}

}  // namespace

void naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  dim3 block(32, 32);
  dim3 grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.B, p.C);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
