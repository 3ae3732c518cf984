// what keeps its results by the first numbers of its inputs; none comes twice
// verdict PASS
// not from before
#include <array>
#include <set>

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

/// The first numbers of A and of B.
std::array<double, 4> fingerprint(const Problem& p) {
  std::array<double, 4> numbers{};
  ladder::check(cudaMemcpy(numbers.data(), p.A, 16, cudaMemcpyDeviceToHost));
  ladder::check(cudaMemcpy(numbers.data() + 2, p.B, 16, cudaMemcpyDeviceToHost));
  return numbers;
}

}  // namespace

void naive(const Problem& p) {
  static std::set<std::array<double, 4>> known;
  if (p.m > 0 && p.n > 1 && p.k > 1) {
    const auto numbers = fingerprint(p);
    bool ordinary = true;
    for (const double x : numbers) ordinary = ordinary && x == x && x - x == 0 && x != 0;
    if (ordinary && !known.insert(numbers).second) throw ladder::Error("its result is one from before");
  }
  honest(p);
}

}  // namespace dgemm
