// what computes the first 64 rows only
// verdict WRONG
// must WRONG
#include "launch.cuh"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || row >= 64 || col >= n) return;
  double sum = 0;
  for (int p = 0; p < k; ++p) sum += A[row * lda + p] * B[p * ldb + col];
  C[row * ldc + col] = sum;
}

}  // namespace

void naive(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
