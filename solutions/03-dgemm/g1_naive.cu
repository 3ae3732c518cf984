/// @file
/// g1: one thread computes one element of C. The loops over i and j of the baseline are gone: they have
/// become the grid. A, B and C are in device memory before and after the call. Source: work D,
/// dgemm_kernel_basic.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

constexpr int width = 32;  // threads of a block in x: one warp, so that a warp is 32 neighbours in a row of C
constexpr int height = 32;

// Leading dimensions are 64-bit: row * lda passes 2^31 from n = 46,341 on.
__global__ void multiply(int m, int n, int k,               // the sum has k terms
                         const double* A, std::size_t lda,  // m x k, lda
                         const double* B, std::size_t ldb,  // k x n, ldb
                         double* C, std::size_t ldc) {      // m x n, ldc
  // BEGIN SOLUTION Compute the element of C that belongs to this thread, if there is one.
  //  Which of row and column follows threadIdx.x decides what the 32 threads of a warp read together.
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;  // the last blocks reach over the edge of C

  double sum = 0;
  for (int p = 0; p < k; ++p) sum += A[row * lda + p] * B[p * ldb + col];
  C[row * ldc + col] = sum;
  // END SOLUTION
}

}  // namespace

/// C = A B, each element by its own thread.
/// @throws ladder::Error when the device refuses the launch.
void naive(const Problem& p) {
  // BEGIN SOLUTION Launch enough blocks of width x height threads to cover C, and check the launch.
  //  Sizes need not be multiples of the block, and C may have no element at all: an empty grid is an error.
  //| ladder::task();  // Delete this line when you start.
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(width, height);
  const dim3 grid((p.n + width - 1) / width, (p.m + height - 1) / height);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());  // a launch returns nothing; what it could not start is reported here
  // END SOLUTION
}

}  // namespace dgemm
