/// @file
/// g2: grid-stride. Blocks walk over the rows, the threads of a block over the columns, so that any grid is
/// right. Before: g1, whose grid had to cover what is left, and where every thread divided. Source: work B,
/// the kernel: the ratio is read, then a barrier, then the row is written.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

// The source's best grid on its 22 multiprocessors has 704 blocks. For another device it is a guess: see g3.
constexpr int max_blocks = 704;
constexpr int usual_threads = 256;

/// Eliminates column i, whatever the grid.
__global__ void eliminate(int n, int i, double* A, std::size_t lda,  // n x n, lda
                          double* b) {                               // n
  __shared__ double ratio;
  // BEGIN SOLUTION Let block blockIdx.x change rows i + 1 + blockIdx.x, and every gridDim.x-th row after it.
  //  One thread divides and leaves the row's ratio in shared memory. Then all threads of the block change the
  //  row: columns i + 1 + threadIdx.x, every blockDim.x-th after it, and b as column n. Say for each barrier
  //  which read it keeps apart from which write.
  for (int row = i + 1 + blockIdx.x; row < n; row += gridDim.x) {
    if (threadIdx.x == 0) ratio = A[row * lda + i] / A[i * lda + i];
    __syncthreads();  // nobody reads the ratio before it is there
    for (int col = i + 1 + threadIdx.x; col <= n; col += blockDim.x) {
      if (col < n)
        A[row * lda + col] -= ratio * A[i * lda + col];
      else
        b[row] -= ratio * b[i];
    }
    __syncthreads();  // thread 0 does not put the next row's ratio there while others still use this one
  }
  // END SOLUTION
}

/// x from the upper triangle of A and from b, by one thread.
__global__ void back_substitute(int n, const double* A, std::size_t lda,  // n x n, lda
                                const double* b,                          // n
                                double* x) {                              // n
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = i + 1; k < n; ++k) sum -= A[i * lda + k] * x[k];
    x[i] = sum / A[i * lda + i];
  }
}

}  // namespace

/// Solves A x = b without pivoting, with the grid that the problem imposes, or its own.
/// @throws ladder::Error when the device refuses a launch.
void grid_stride(const Problem& p) {
  if (p.n == 0) return;
  // BEGIN SOLUTION Launch `eliminate` once for each pivot that has rows below it, and check the launch.
  //  Problem::blocks and Problem::threads say the grid; where they are 0, take min(rows below the pivot,
  //  max_blocks) blocks of usual_threads threads.
  //| ladder::task();  // Delete this line when you start.
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  for (int i = 0; i + 1 < p.n; ++i) {
    const int blocks = p.blocks > 0 ? p.blocks : std::min(p.n - 1 - i, max_blocks);
    eliminate<<<blocks, threads>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  // END SOLUTION
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
