// verdict PASS
// must right in all 8 classes
// must 1x, limit 1.1x
// not Warning
// A small grid walks over C in both directions.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < m; i += gridDim.y * blockDim.y) {
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += gridDim.x * blockDim.x) {
      double s = 0.0;
      for (int p = 0; p < k; p++) s += A[i * lda + p] * B[p * ldb + j];
      C[i * ldc + j] = s;
    }
  }
}

}  // namespace

void naive(const Problem& p) {
  multiply<<<dim3(4, 4), dim3(32, 8)>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
