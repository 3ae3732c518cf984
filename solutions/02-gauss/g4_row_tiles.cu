/// @file
/// g4: rows per block. A tile is 8 rows by one column for each thread: an element of the pivot's row is
/// loaded once for 8 rows, and the loads of 8 rows are in flight together. Before: g3, whose blocks walk over
/// whole rows, one at a time, and wait at two barriers for each. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

constexpr int height = 8;  // rows of a tile: an element of the pivot's row is loaded once for all of them
constexpr int usual_threads = 256;
constexpr int most_threads = 1024;  // whatever the grid: the compiler must leave registers for this many

/// Eliminates column i, whatever the grid. A tile has `height` rows and a column for each thread of a block.
__global__ void __launch_bounds__(most_threads)
    eliminate(int n, int i, double* A, std::size_t lda,  // n x n, lda
              double* b) {                               // n
  __shared__ double ratio[height];
  // BEGIN SOLUTION Cut rows i + 1 to n - 1 and columns i + 1 to n, b being column n, into tiles. Number the
  //  tiles along the rows, so that blocks which run together change neighbours in memory. Block blockIdx.x
  //  changes tile blockIdx.x and every gridDim.x-th tile after it. The ratios of a tile's rows go into
  //  `ratio`. A thread loads its elements of all rows of the tile before it stores the first one: these loads
  //  are then in flight together.
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

/// Solves A x = b without pivoting, with the grid that the problem imposes, or the one that fills the device.
/// @throws ladder::Error when the device refuses a launch.
void row_tiles(const Problem& p) {
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int blocks = p.blocks > 0 ? p.blocks : resident_blocks(threads);
  // BEGIN SOLUTION Launch the kernel for each pivot that has rows below it, as in g3, and check each launch.
  //| ladder::task();  // Delete this line when you start.
  // The same grid for every pivot: where fewer tiles are left than blocks, the others have nothing to do and
  // end.
  for (int i = 0; i + 1 < p.n; ++i) {
    eliminate<<<blocks, threads>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  // END SOLUTION
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
