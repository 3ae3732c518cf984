/// @file
/// g3: the device says how large the grid is: as many blocks as it holds at once, for every pivot.
/// Before: g2, with the best grid of one device, and blocks that walk over whole rows. Tiles are smaller: with as many
/// blocks as are resident, a few rows a block, one row more or less would again leave most blocks waiting for some.
/// Source: work B, its speedup against the number of blocks and where that drops (tail effect).

#include "common/device/cuda.hpp"
#include "gauss.hpp"

namespace gauss {
namespace {

constexpr int height = 8;  // rows of a tile: an element of the pivot's row is read once for all of them
constexpr int usual_threads = 256;
constexpr int most_threads = 1024;  // whatever the grid: the compiler must leave registers for so many
constexpr int substituting = 512;   // threads of the one block that substitutes

/// Eliminates column i, whatever the grid. A tile has `height` rows and a column for each thread of a block.
__global__ void __launch_bounds__(most_threads)
    eliminate(int n, int i, double* A, std::size_t lda,  // n x n, lda
              double* b) {                               // n
  __shared__ double ratio[height];
  // TASK, 18 lines: Rows i + 1 to n - 1 and columns i + 1 to n, b being column n, are cut into tiles. Number them along
  //  the rows: neighbours in memory are then changed at the same time. Block blockIdx.x changes tile blockIdx.x and every
  //  gridDim.x-th after it. A thread loads its elements of all rows of the tile before it stores one, so that these
  //  loads are under way together.
}

/// x from the upper triangle of A and from b, by one block: its threads share the products of a row. g4 and g5 say more.
__global__ void back_substitute(int n, const double* A, std::size_t lda,  // n x n, lda
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

/// Blocks of `eliminate`, of so many threads, that the whole device holds at once.
/// @throws ladder::Error
int resident_blocks(int threads) {
  // TASK, 5 lines: Ask CUDA how many blocks of `eliminate` one multiprocessor holds at once, with so many threads and no
  //  dynamic shared memory, and how many multiprocessors the current device has. Check the calls.
  ladder::task();  // Delete this line when you start.
}

}  // namespace

/// Solves A x = b without pivoting, with the grid that the problem imposes, or the one that fills the device.
/// @throws ladder::Error when the device refuses a launch.
void launch_configuration(const Problem& p) {
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int blocks = p.blocks > 0 ? p.blocks : resident_blocks(threads);
  // The same grid for every pivot: where fewer tiles are left than blocks, the others have nothing to do and end.
  for (int i = 0; i + 1 < p.n; ++i) {
    eliminate<<<blocks, threads>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  back_substitute<<<1, substituting>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
