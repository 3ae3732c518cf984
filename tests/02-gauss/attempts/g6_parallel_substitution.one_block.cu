// verdict MISSED
// must chain
// must right in all
// not Nothing orders
// Without the idea: one block finds one unknown after another, as in g5, whatever n is.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

constexpr int height = 8;  // rows of a tile: an element of the pivot's row is loaded once for all of them
constexpr int usual_threads = 256;
constexpr int most_threads = 1024;  // whatever the grid: the compiler must leave registers for this many
constexpr int substituting = 512;   // threads of the one block

/// Eliminates column i, whatever the grid. A tile has `height` rows and a column for each thread of a block.
__global__ void __launch_bounds__(most_threads)
    eliminate(int n, int i, double* A, std::size_t lda,  // n x n, lda
              double* b) {                               // n
  __shared__ double ratio[height];
  const int strips = (n - i + int(blockDim.x) - 1) / int(blockDim.x);
  const int bands = (n - 1 - i + height - 1) / height;
  for (int tile = blockIdx.x; tile < strips * bands; tile += gridDim.x) {
    const int row = i + 1 + tile / strips * height;
    const int col = i + 1 + tile % strips * int(blockDim.x) + int(threadIdx.x);
    const int rows = min(height, n - row);
    double* const top = col < n ? A + row * lda + col : b + row;
    const std::size_t down = col < n ? lda : 1;  // from a row to the next one
    const double pivot = col < n ? A[i * lda + col] : b[i];
    double value[height] = {};
    for (int r = 0; r < height; ++r)
      if (r < rows && col <= n) value[r] = top[r * down];
    for (int r = threadIdx.x; r < rows; r += blockDim.x) ratio[r] = A[(row + r) * lda + i] / A[i * lda + i];
    __syncthreads();  // the ratios are there; the loads above did not wait for them
    for (int r = 0; r < height; ++r)
      if (r < rows && col <= n) top[r * down] = value[r] - ratio[r] * pivot;
    __syncthreads();  // nobody puts the next tile's ratios there while others still use these
  }
}

/// x by one block, whose threads share the products of a row. Each row still waits for the one below it.
__global__ void substitute_by_block(int n, const double* A, std::size_t lda,  // n x n, lda
                                    const double* b,                          // n
                                    double* x) {                              // n
  __shared__ double sums[substituting / 32];
  for (int i = n - 1; i >= 0; --i) {
    double sum = 0;
    for (int k = i + 1 + threadIdx.x; k < n; k += blockDim.x) sum += A[i * lda + k] * x[k];
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();  // all warps have their sums there
    if (threadIdx.x == 0) {
      double rest = b[i];
      for (const double part : sums) rest -= part;
      x[i] = rest / A[i * lda + i];
    }
    __syncthreads();  // x[i] is there for the row above, and the sums have been read
  }
}

/// Blocks of `eliminate`, each with this number of threads, that the whole device holds at once.
/// @throws ladder::Error
int resident_blocks(int threads) {
  int device = 0, multiprocessors = 0, blocks = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  // Registers, shared memory, threads and the most blocks: the least of these limits counts, and CUDA knows
  // them all.
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, eliminate, threads, 0));
  return blocks * multiprocessors;
}

}  // namespace

/// Solves A x = b without pivoting.
/// @throws ladder::Error when the device refuses a launch.
void parallel_substitution(const Problem& p) {
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int blocks = p.blocks > 0 ? p.blocks : resident_blocks(threads);
  for (int i = 0; i + 1 < p.n; ++i) {
    eliminate<<<blocks, threads>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  substitute_by_block<<<1, substituting>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
