// verdict PASS
// must right in all 8 classes
// must 1x, limit 1.1x
// not Warning
// One row of threads: the thread's number is divided into row and column.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

__global__ void multiply(Problem p) {
  const long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= (long long)p.m * p.n) return;
  const size_t i = e / p.n, j = e % p.n;
  double sum = 0;
#pragma unroll 4
  for (int q = 0; q < p.k; ++q) sum = fma(p.A[i * p.lda + q], p.B[(size_t)q * p.ldb + j], sum);
  p.C[i * p.ldc + j] = sum;
}

}  // namespace

void naive(const Problem& p) {
  const long long elements = (long long)p.m * p.n;
  if (elements == 0) return;
  multiply<<<(unsigned)((elements + 127) / 128), 128>>>(p);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
