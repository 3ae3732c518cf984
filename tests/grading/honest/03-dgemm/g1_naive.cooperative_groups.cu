// what asks cooperative groups who its threads are
// verdict PASS
#include <cooperative_groups.h>

#include "launch.cuh"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  const int col = block.group_index().x * 32 + block.thread_rank() % 32;
  const int row = block.group_index().y * 32 + block.thread_rank() / 32;
  double sum = 0;
  for (int p = 0; p < k; ++p)
    if (row < m && col < n) sum += A[row * lda + p] * B[p * ldb + col];
  block.sync();
  if (row < m && col < n) C[row * ldc + col] = sum;
}

}  // namespace

void naive(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
