/// @file
/// g8: a graph. The launches of 32 pivots are recorded once; one call then launches them all, and the device
/// goes from kernel to kernel without the host. Before: g7, whose host made two launches per pivot. Source:
/// none.

#include "common/device/cuda.hpp"
#include "common/device/cuda_graph.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

constexpr int pivots_per_graph = 32;
constexpr int pivot_threads = 512;
constexpr int height = 8;  // rows of a tile: an element of the pivot's row is loaded once for all of them
constexpr int usual_threads = 256;
constexpr int most_threads = 1024;  // whatever the grid: the compiler must leave registers for this many
constexpr int nb = 32;              // unknowns of a block: one warp solves it, one thread per row
constexpr int rows_per_block = 8;   // of substitute_above: one warp per row

/// Finds the pivot of column i, and exchanges its row with row i. For one block. The pivot is number k of
/// this graph.
__global__ void find_and_swap(int n, int k, const int* taken,  // pivots that earlier graphs have taken: 1
                              double* A, std::size_t lda,      // n x n, lda
                              double* b, int* info) {          // n; 1
  __shared__ double largest[pivot_threads];
  __shared__ int where[pivot_threads];
  const int t = threadIdx.x;
  // BEGIN SOLUTION Let i be the number of this kernel's pivot, for all threads, and return when the matrix
  //  has none of that number.
  //| const int i = 0;
  const int i = *taken + k;
  if (i >= n) return;  // the last graph may have more pivots than the matrix
  // END SOLUTION
  double best = -1;     // less than any |element|: a thread without a row loses
  int row_of_best = i;  // stays when nothing is a number any more, after a zero pivot
  for (int row = i + t; row < n; row += pivot_threads) {
    const double value = fabs(A[row * lda + i]);
    if (value > best) best = value, row_of_best = row;  // rows ascend: of equal ones the first stays
  }
  largest[t] = best, where[t] = row_of_best;
  __syncthreads();
  for (int half = pivot_threads / 2; half > 0; half /= 2) {
    if (t < half) {
      const double other = largest[t + half];
      if (other > largest[t] || (other == largest[t] && where[t + half] < where[t]))
        largest[t] = other, where[t] = where[t + half];
    }
    __syncthreads();  // the next round reads what other threads leave here
  }
  if (t == 0 && largest[0] == 0 && *info == 0) *info = i + 1;
  const int row = where[0];
  if (row == i) return;
  for (int col = i + t; col <= n; col += pivot_threads) {
    double& upper = col < n ? A[i * lda + col] : b[i];
    double& lower = col < n ? A[row * lda + col] : b[row];
    const double kept = upper;
    upper = lower;
    lower = kept;
  }
}

/// Eliminates the column of pivot number k of this graph, whatever the grid. A tile has `height` rows and a
/// column for each thread of a block.
__global__ void __launch_bounds__(most_threads)
    eliminate(int n, int k, const int* taken,  // pivots that earlier graphs have taken: 1
              double* A, std::size_t lda,      // n x n, lda
              double* b) {                     // n
  __shared__ double ratio[height];
  const int i = *taken + k;
  if (i >= n) return;
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

/// The last kernel of a graph. For one thread.
__global__ void count(int* taken) {
  // BEGIN SOLUTION Let the next graph begin where this one ends. Why not in one of the kernels above?
  *taken += pivots_per_graph;  // there, a block that is late would read what is meant for the next graph
  // END SOLUTION
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
  const int row = blockIdx.x * rows_per_block + threadIdx.y, col = first + threadIdx.x;
  if (row >= rows) return;
  const double sum = sum_of_warp(col < n ? A[row * lda + col] * x[col] : 0);
  if (threadIdx.x == 0) x[row] -= sum;
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
}

}  // namespace

/// Solves A x = b with partial pivoting, with the grid that the problem imposes on the elimination, or its
/// own.
/// @throws ladder::Error when the device refuses a call.
void graph(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int blocks = p.blocks > 0 ? p.blocks : resident_blocks(threads);
  const ladder::PooledBuffer<int> taken(1);
  ladder::check(cudaMemsetAsync(taken.get(), 0, sizeof(int)));
  // The default stream cannot be captured, so the launches are recorded in a stream of their own. The graph
  // is launched into the default stream: it then runs after the two memsets, and before the back
  // substitution.
  const ladder::Stream recording;
  // BEGIN SOLUTION Capture the kernels of pivots_per_graph pivots and `count`, make a graph of them, and
  //  launch it as often as n pivots need.
  //  cudaStreamBeginCapture(stream, mode): from now on launches into the stream are recorded and do not run.
  //  The mode cudaStreamCaptureModeThreadLocal forbids unsafe calls, such as cudaMalloc, to this thread only.
  //  cudaStreamEndCapture(stream, &captured) gives a cudaGraph_t, cudaGraphInstantiate(&ready, captured, 0)
  //  makes a cudaGraphExec_t of it, and cudaGraphLaunch(ready, stream) runs that. ladder::Graph(captured)
  //  and ladder::GraphExec(ready) own the two.
  //| ladder::task();  // Delete this line when you start.
  ladder::check(cudaStreamBeginCapture(recording.get(), cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < pivots_per_graph; ++k) {
    find_and_swap<<<1, pivot_threads, 0, recording.get()>>>(p.n, k, taken.get(), p.A, p.lda, p.b, p.info);
    ladder::check(cudaGetLastError());
    eliminate<<<blocks, threads, 0, recording.get()>>>(p.n, k, taken.get(), p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  count<<<1, 1, 0, recording.get()>>>(taken.get());
  ladder::check(cudaGetLastError());
  cudaGraph_t captured = nullptr;
  ladder::check(cudaStreamEndCapture(recording.get(), &captured));
  const ladder::Graph graph_of_pivots(captured);

  cudaGraphExec_t ready = nullptr;
  ladder::check(cudaGraphInstantiate(&ready, graph_of_pivots.get(), 0));
  const ladder::GraphExec executable(ready);
  for (int i = 0; i < p.n; i += pivots_per_graph) ladder::check(cudaGraphLaunch(executable.get(), nullptr));
  // END SOLUTION
  back_substitute(p);
}

}  // namespace gauss
