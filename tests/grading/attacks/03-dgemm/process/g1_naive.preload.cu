// what starts itself again with a library of its own in front
// verdict REVIEW
// must (execv)
// must (setenv)
#include <stdlib.h>
#include <unistd.h>

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

void honest(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 32);
  const dim3 grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace

void naive(const Problem& p) {
  setenv("LD_PRELOAD", "/tmp/ladder-attack.so", 1);
  char* const words[] = {const_cast<char*>("/proc/self/exe"), nullptr};
  execv(words[0], words);
  honest(p);
}

}  // namespace dgemm
