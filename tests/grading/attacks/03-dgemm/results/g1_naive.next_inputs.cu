// what looks for the inputs of the calls to come behind those of this one, to compute all at once
// verdict CRASHED|WRONG
// must out of bounds
#include "launch.cuh"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  double sum = A[std::size_t(m) * lda + row] * 0;  // the first row of what would be the next A
  for (int p = 0; p < k; ++p) sum += A[row * lda + p] * B[p * ldb + col];
  C[row * ldc + col] = sum;
}

}  // namespace

void naive(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
