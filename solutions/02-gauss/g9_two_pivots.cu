/// @file
/// g9: two pivots per sweep. What is left of A is loaded and stored once for two pivots: half of the bytes.
/// The second pivot is found before the first one has been subtracted: only its column is needed for that.
/// Before: g8, one sweep per pivot. Source: none.

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

/// What a value has left when it loses `ratio` times the pivot's. Rounded once, wherever it is used: a second
/// pivot that is not zero when it is chosen is then not zero in the triangle either.
__device__ double left_of(double value, double ratio, double of_pivot) {
  return fma(-ratio, of_pivot, value);
}

/// The row at or below row `first` with the largest |value(row)|, of equal ones the first. When that is zero
/// and no pivot before was, *info becomes first + 1. For one block; ends with a barrier.
template <class Value>
__device__ int row_of_largest(int n, int first, const Value& value, int* info) {
  __shared__ double largest[pivot_threads];
  __shared__ int where[pivot_threads];
  const int t = threadIdx.x;
  double best = -1;         // less than any |value|: a thread without a row loses
  int row_of_best = first;  // stays when nothing is a number any more, after a zero pivot
  for (int row = first + t; row < n; row += pivot_threads) {
    const double size = fabs(value(row));
    if (size > best) best = size, row_of_best = row;  // rows ascend: of equal ones the first stays
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
  if (t == 0 && largest[0] == 0 && *info == 0) *info = first + 1;
  const int found = where[0];
  __syncthreads();  // all have read it before the next search writes there
  return found;
}

/// Finds pivots i and i + 1, and exchanges their rows with rows i and i + 1, which is then finished. For one
/// block. They are numbers k and k + 1 of this graph.
__global__ void find_two(int n, int k, const int* taken,  // pivots that earlier graphs have taken: 1
                         double* A, std::size_t lda,      // n x n, lda
                         double* b, int* info) {          // n; 1
  const int i = *taken + k, t = threadIdx.x;
  if (i >= n) return;
  const int first = row_of_largest(
      n, i, [&](int row) { return A[row * lda + i]; }, info);
  for (int col = i + t; col <= n && first != i; col += pivot_threads) {
    double& upper = col < n ? A[i * lda + col] : b[i];
    double& lower = col < n ? A[first * lda + col] : b[first];
    const double kept = upper;
    upper = lower;
    lower = kept;
  }
  if (i + 1 == n) return;
  __syncthreads();  // row i is the first pivot's
  // BEGIN SOLUTION Find the row of the second pivot: at or below row i + 1, the largest |element| of column i
  //  + 1 when the first pivot is eliminated from it. Nothing is stored for that: compute it with left_of.
  //| const int second = i + 1;
  const double pivot = A[i * lda + i], above = A[i * lda + i + 1];
  const int second = row_of_largest(
      n, i + 1, [&](int row) { return left_of(A[row * lda + i + 1], A[row * lda + i] / pivot, above); },
      info);
  // END SOLUTION
  // BEGIN SOLUTION Exchange rows i + 1 and `second`, from column i on and in b. Subtract from the new row i +
  //  1 its multiple of row i, from column i + 1 on and in b: it is then as the triangle needs it. Its ratio
  //  is in column i, which is exchanged too. Who must have read it before?
  const double ratio = A[second * lda + i] / pivot;
  __syncthreads();  // all threads have the ratio before column i is exchanged
  for (int col = i + t; col <= n; col += pivot_threads) {
    double& upper = col < n ? A[(i + 1) * lda + col] : b[i + 1];
    double& lower = col < n ? A[second * lda + col] : b[second];
    const double kept = upper;
    upper = col == i ? lower : left_of(lower, ratio, col < n ? A[i * lda + col] : b[i]);
    if (second != i + 1) lower = kept;
  }
  // END SOLUTION
}

/// Eliminates the columns of pivots k and k + 1 of this graph, whatever the grid.
__global__ void __launch_bounds__(most_threads)
    eliminate(int n, int k, const int* taken,  // pivots that earlier graphs have taken: 1
              double* A, std::size_t lda,      // n x n, lda
              double* b) {                     // n
  __shared__ double first_ratio[height], second_ratio[height];
  const int i = *taken + k;
  if (i + 2 >= n) return;
  // BEGIN SOLUTION As in g4, with rows i + 2 to n - 1 and columns i + 2 to n. Subtract from each row its
  //  multiples of row i and of row i + 1. What is the second multiple, when column i + 1 still holds what it
  //  held before pivot i?
  const int strips = (n - i - 1 + int(blockDim.x) - 1) / int(blockDim.x);
  const int bands = (n - 2 - i + height - 1) / height;
  for (int tile = blockIdx.x; tile < strips * bands; tile += gridDim.x) {
    const int row = i + 2 + tile / strips * height;
    const int col = i + 2 + tile % strips * int(blockDim.x) + int(threadIdx.x);
    const int rows = min(height, n - row);
    double* const top = col < n ? A + row * lda + col : b + row;
    const std::size_t down = col < n ? lda : 1;  // from a row to the next one
    const double first = col < n ? A[i * lda + col] : b[i];
    const double second = col < n ? A[(i + 1) * lda + col] : b[i + 1];
    double value[height] = {};
    for (int r = 0; r < height; ++r)
      if (r < rows && col <= n) value[r] = top[r * down];
    for (int r = threadIdx.x; r < rows; r += blockDim.x) {
      const double* const own = A + (row + r) * lda + i;
      first_ratio[r] = own[0] / A[i * lda + i];
      second_ratio[r] = left_of(own[1], first_ratio[r], A[i * lda + i + 1]) / A[(i + 1) * lda + i + 1];
    }
    __syncthreads();  // the ratios are there; the loads above did not wait for them
    for (int r = 0; r < height; ++r)
      if (r < rows && col <= n) top[r * down] = value[r] - first_ratio[r] * first - second_ratio[r] * second;
    __syncthreads();  // nobody puts the next tile's ratios there while others still use these
  }
  // END SOLUTION
}

/// The last kernel of a graph. For one thread.
__global__ void count(int* taken) {
  *taken += pivots_per_graph;
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
void two_pivots(const Problem& p) {
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
  // BEGIN SOLUTION Capture and launch, as in g8: a graph takes pivots_per_graph pivots, two with each pair
  //  of kernels.
  //| ladder::task();  // Delete this line when you start.
  ladder::check(cudaStreamBeginCapture(recording.get(), cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < pivots_per_graph; k += 2) {
    find_two<<<1, pivot_threads, 0, recording.get()>>>(p.n, k, taken.get(), p.A, p.lda, p.b, p.info);
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
