// what uses fma(), __ldg() and restrict
// verdict PASS
#include "launch.cuh"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* __restrict__ A, size_t lda, const double* __restrict__ B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  double sum = 0;
  for (int p = 0; p < k; ++p) sum = fma(__ldg(&A[row * lda + p]), __ldg(&B[p * ldb + col]), sum);
  C[row * ldc + col] = sum;
}

}  // namespace

void naive(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
