/// @file
/// g3: the launch is asked of the device: as many blocks as it holds at once, the same grid for every pivot.
/// Before: g2, with the best grid of one device. Nothing else changes.
/// Source: work B, its speedup against the number of blocks and where that drops (tail effect).

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

constexpr int usual_threads = 256;

/// Eliminates column i, whatever the grid.
__global__ void eliminate(int n, int i, double* A, std::size_t lda,  // n x n, lda
                          double* b) {                               // n
  __shared__ double ratio;
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

/// Blocks of `eliminate`, each with this number of threads, that the whole device holds at once.
/// @throws ladder::Error
int resident_blocks(int threads) {
  // TASK, 5 lines: Ask CUDA how many blocks of `eliminate` one multiprocessor holds at once, with this number
  //  of threads and no dynamic shared memory, and how many multiprocessors the current device has. Check the
  //  calls.
  return 0;
}

}  // namespace

/// Solves A x = b without pivoting, with the grid that the problem imposes, or the one that fills the device.
/// @throws ladder::Error when the device refuses a launch.
void occupancy(const Problem& p) {
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  // TASK, 5 lines: Launch `eliminate` for each pivot that has rows below it: with p.blocks blocks, or, where
  //  that is 0, with as many as the device holds at once. Ask once, not for each pivot. Check each launch.
  ladder::task();  // Delete this line when you start.
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
