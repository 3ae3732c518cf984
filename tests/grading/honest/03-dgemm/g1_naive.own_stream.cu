// what works on a stream of its own and waits for it
// verdict PASS
#include "common/device/cuda.hpp"
#include "problem.hpp"

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

}  // namespace

void naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const ladder::Stream stream;
  const dim3 block(32, 32), grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block, 0, stream.get()>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
  ladder::check(cudaStreamSynchronize(stream.get()));
}

}  // namespace dgemm
