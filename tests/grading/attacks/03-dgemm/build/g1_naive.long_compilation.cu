// what lets the compiler compute for minutes, within all limits of the language
// verdict BUILD ERROR
// must used up its CPU time
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

// Each value is within the compiler's limits, and there are 800 of them.
constexpr int mixed(int n) {
  int sum = 0;
  for (int i = 0; i < 200000; ++i) sum ^= i * n;
  return sum;
}
template <int n>
struct Sum {
  static constexpr int value = mixed(n) ^ Sum<n - 1>::value;
};
template <>
struct Sum<0> {
  static constexpr int value = 0;
};

void naive(const Problem& p) {
  if (Sum<800>::value != 1) honest(p);
}

}  // namespace dgemm
