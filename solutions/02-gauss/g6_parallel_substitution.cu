/// @file
/// g6: back substitution by blocks of unknowns, in two streams: while a block is solved, the one below it is
/// still being subtracted from the rows above. Before: g5, where one thread, one block or the host finds one
/// unknown after another. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

constexpr int height = 8;  // rows of a tile: an element of the pivot's row is loaded once for all of them
constexpr int usual_threads = 256;
constexpr int most_threads = 1024;  // whatever the grid: the compiler must leave registers for this many
constexpr int nb = 32;              // unknowns of a block: one warp solves it, one thread per row
constexpr int rows_per_block = 8;   // of substitute_above: one warp per row

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

/// The sum of a value over the lanes of a warp, in lane 0.
__device__ double sum_of_warp(double value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  return value;
}

/// Solves for the nb unknowns from `first` on. Their part of x holds b less the products with all unknowns
/// after the next block; those with the next block are subtracted here. One block of nb x nb threads.
__global__ void substitute_block(int n, int first, const double* A, std::size_t lda,  // n x n, lda
                                 double* x) {                                         // n
  __shared__ double U[nb][nb + 1];  // +1: the elements of a column then lie in different banks
  __shared__ double rest[nb];
  const int row = first + threadIdx.y, col = first + threadIdx.x, next = col + nb;
  const double sum = sum_of_warp(row < n && next < n ? A[row * lda + next] * x[next] : 0);
  if (threadIdx.x == 0) rest[threadIdx.y] = row < n ? x[row] - sum : 0;
  // Rows past the end become those of a unit matrix, which change nothing.
  U[threadIdx.y][threadIdx.x] = row < n && col < n ? A[row * lda + col] : double(row == col);
  __syncthreads();  // all of U and of the right side is there
  if (threadIdx.y > 0) return;
  double mine = rest[threadIdx.x];
  for (int j = nb - 1; j >= 0; --j) {
    const double unknown = __shfl_sync(~0u, mine, j) / U[j][j];
    if (threadIdx.x < j) mine -= U[threadIdx.x][j] * unknown;
    if (threadIdx.x == j) mine = unknown;
  }
  if (col < n) x[col] = mine;
}

/// Subtracts from rows 0 to `rows` - 1 their products with the nb unknowns from `first` on. One warp per row.
__global__ void substitute_above(int n, int rows, int first, const double* A, std::size_t lda,  // n x n, lda
                                 double* x) {                                                   // n
  // BEGIN SOLUTION Row blockIdx.x * rows_per_block + threadIdx.y belongs to this warp, if there is one. Its
  //  lanes multiply an element of A each by its unknown; sum_of_warp adds up, and lane 0 subtracts from
  //  x[row]. The last block of unknowns may be shorter than nb.
  const int row = blockIdx.x * rows_per_block + threadIdx.y, col = first + threadIdx.x;
  if (row >= rows) return;
  const double sum = sum_of_warp(col < n ? A[row * lda + col] * x[col] : 0);
  if (threadIdx.x == 0) x[row] -= sum;
  // END SOLUTION
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

/// x from the upper triangle of A and from b.
/// @throws ladder::Error
void back_substitute(const Problem& p) {
  // ladder::Stream is a blocking stream: its work begins after all earlier work of the default stream, the
  // elimination.
  const ladder::Stream solving, updating;
  // BEGIN SOLUTION In the stream `solving`, copy b to x. Then, from the last block of unknowns up:
  //  `substitute_block` in `solving`, and `substitute_above` in `updating`, for the first - nb rows above the
  //  block before it. What `substitute_above` of block k changes, no `substitute_block` needs before that of
  //  block k - 2. So each stream waits for the other by events (cudaEventRecord, cudaStreamWaitEvent). Blocks
  //  0 and 1 have no such rows: an empty grid is an error.
  //| ladder::task();  // Delete this line when you start.
  const ladder::Event solved(cudaEventDisableTiming);
  const ladder::Event updated[2] = {ladder::Event(cudaEventDisableTiming),
                                    ladder::Event(cudaEventDisableTiming)};
  ladder::check(cudaMemcpyAsync(p.x, p.b, p.n * sizeof(double), cudaMemcpyDeviceToDevice, solving.get()));
  for (int k = (p.n - 1) / nb; k >= 0; --k) {
    const int first = k * nb, rows = first - nb;
    // The products with block k + 2 are the last ones that substitute_above subtracts from block k.
    ladder::check(cudaStreamWaitEvent(solving.get(), updated[k % 2].get()));
    substitute_block<<<1, dim3(nb, nb), 0, solving.get()>>>(p.n, first, p.A, p.lda, p.x);
    ladder::check(cudaGetLastError());
    if (rows <= 0) continue;
    ladder::check(cudaEventRecord(solved.get(), solving.get()));
    ladder::check(cudaStreamWaitEvent(updating.get(), solved.get()));
    substitute_above<<<rows / rows_per_block, dim3(32, rows_per_block), 0, updating.get()>>>(p.n, rows, first,
                                                                                             p.A, p.lda, p.x);
    ladder::check(cudaGetLastError());
    ladder::check(cudaEventRecord(updated[k % 2].get(), updating.get()));
  }
  // END SOLUTION
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
  back_substitute(p);
}

}  // namespace gauss
