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
  // TASK, 18 lines: Cut rows i + 1 to n - 1 and columns i + 1 to n, b being column n, into tiles. Number the
  //  tiles along the rows, so that blocks which run together change neighbours in memory. Block blockIdx.x
  //  changes tile blockIdx.x and every gridDim.x-th tile after it. The ratios of a tile's rows go into
  //  `ratio`. A thread loads its elements of all rows of the tile before it stores the first one: these loads
  //  are then in flight together.
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
  // TASK, 4 lines: Launch the kernel for each pivot that has rows below it, as in g3, and check each launch.
  ladder::task();  // Delete this line when you start.
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
