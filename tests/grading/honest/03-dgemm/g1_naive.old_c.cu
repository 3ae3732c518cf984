// what is written as C: malloc, memset, global variables called step and advance
// verdict PASS
#include <stdlib.h>
#include <string.h>

#include "common/device/cuda.hpp"
#include "problem.hpp"

int step = 0, advance = 0;  // names that the C library has, too

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

void honest(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 32);
  const dim3 grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace

void naive(const Problem& p) {
  double* row = (double*)malloc(64 * sizeof(double));
  memset(row, 0, 64 * sizeof(double));
  step = p.m;
  free(row);
  honest(p);
}

}  // namespace dgemm
