// what has its loop in a structure with a destructor
// verdict PASS
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

struct Sum {
  double value = 0;
  __device__ void add(double a, double b) { value += a * b; }
  __device__ ~Sum() {}
};

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  Sum sum;
  for (int p = 0; p < k; ++p) sum.add(A[row * lda + p], B[p * ldb + col]);
  C[row * ldc + col] = sum.value;
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
