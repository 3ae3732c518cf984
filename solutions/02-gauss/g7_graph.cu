/// @file
/// g7: a graph. The launches of 32 pivots are recorded once; one call then launches them all, and the device goes from
/// kernel to kernel without the host. The arguments are recorded too, so the kernels count the pivots themselves.
/// Before: g6, whose host made three launches a pivot. Source: none.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "common/device/cuda_graph.hpp"
#include "gauss.hpp"

namespace gauss {
namespace {

constexpr int pivots_a_graph = 32;
constexpr int search_threads = 512;
constexpr int usual_threads = 256;

/// The row at or below row i with the largest |element| in column i, of equal ones the first; all threads get it.
__device__ int find_pivot(int n, int i, const double* A, std::size_t lda,  // n x n, lda
                          int* info) {                                     // 1
  __shared__ double largest[search_threads];
  __shared__ int where[search_threads];
  const int t = threadIdx.x;
  double best = -1;     // less than any |element|: a thread without a row loses
  int row_of_best = i;  // stays when nothing is a number any more, behind a zero pivot
  for (int row = i + t; row < n; row += search_threads) {
    const double value = fabs(A[row * lda + i]);
    if (value > best) best = value, row_of_best = row;
  }
  largest[t] = best, where[t] = row_of_best;
  __syncthreads();
  for (int half = search_threads / 2; half > 0; half /= 2) {
    if (t < half) {
      const double other = largest[t + half];
      if (other > largest[t] || (other == largest[t] && where[t + half] < where[t]))
        largest[t] = other, where[t] = where[t + half];
    }
    __syncthreads();
  }
  if (t == 0 && largest[0] == 0 && *info == 0) *info = i + 1;
  return where[0];
}

/// Goes on to the next pivot: counts, finds its row, and exchanges it with row i. For one block.
__global__ void next_pivot(int n, double* A, std::size_t lda,  // n x n, lda
                           double* b,                          // n
                           int* current, int* info) {  // 1; current: the pivot before this one, -1 at first
  // BEGIN SOLUTION Let i be the pivot after *current, for all threads, and return when there is none.
  //| const int i = 0;
  const int i = *current + 1;
  if (i >= n) return;  // the last graph may have more pivots than the matrix
  // END SOLUTION
  const int row = find_pivot(n, i, A, lda, info);
  for (int col = i + threadIdx.x; col <= n && row != i; col += search_threads) {
    double& upper = col < n ? A[i * lda + col] : b[i];
    double& lower = col < n ? A[row * lda + col] : b[row];
    const double kept = upper;
    upper = lower;
    lower = kept;
  }
  // BEGIN SOLUTION Leave i in *current, for the kernels behind this one. Has every thread read it by now?
  if (threadIdx.x == 0) *current = i;  // the barriers of the search stand between this and the reads
  // END SOLUTION
}

/// Eliminates the current column, whatever the grid.
__global__ void eliminate(int n, double* A, std::size_t lda,  // n x n, lda
                          double* b,                          // n
                          const int* current) {               // 1
  const int i = *current;
  for (int row = i + 1 + blockIdx.x; row < n; row += gridDim.x) {
    const double ratio = A[row * lda + i] / A[i * lda + i];
    for (int col = i + 1 + threadIdx.x; col <= n; col += blockDim.x) {
      if (col < n)
        A[row * lda + col] -= ratio * A[i * lda + col];
      else
        b[row] -= ratio * b[i];
    }
  }
}

/// x from the upper triangle of A and from b, 32 unknowns at a time. For one block of 32 warps.
__global__ void back_substitute(int n, const double* A, std::size_t lda,  // n x n, lda
                                double* b,                                // n; becomes what is left of it
                                double* x) {                              // n
  __shared__ double U[32][33];  // +1 column: the rows then start in different banks
  __shared__ double solved[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int first = (n - 1) / 32 * 32; first >= 0; first -= 32) {
    const int own = first + lane;
    U[warp][lane] = first + warp < n && own < n ? A[(first + warp) * lda + own] : warp == lane;
    __syncthreads();
    if (warp == 0) {  // the triangle on the diagonal: lane k has row first + k
      double rest = own < n ? b[own] : 0;
      for (int k = 31; k >= 0; --k) {
        const double value = __shfl_sync(0xffffffff, rest / U[lane][lane], k);
        if (lane < k) rest -= U[lane][k] * value;
      }
      solved[lane] = rest / U[lane][lane];
      if (own < n) x[own] = solved[lane];
    }
    __syncthreads();
    for (int row = warp; row < first; row += 32) {  // a warp a row above: 32 neighbours in memory
      double sum = own < n ? A[row * lda + own] * solved[lane] : 0;
      for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
      if (lane == 0) b[row] -= sum;
    }
    __syncthreads();
  }
}

/// Blocks of `eliminate` that the device holds at once.
int resident_blocks(int threads) {
  int device = 0, multiprocessors = 0, blocks = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, eliminate, threads, 0));
  return multiprocessors * blocks;
}

}  // namespace

/// Solves A x = b with partial pivoting, with the grid that the problem imposes on `eliminate`, or its own.
/// @throws ladder::Error when the device refuses a call.
void graph(const Problem& p) {
  const ladder::Stream stream;  // the default stream cannot be captured
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info, stream.get()));
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int blocks = p.blocks > 0 ? p.blocks : std::min(p.n, resident_blocks(threads));
  const ladder::DeviceBuffer<int> current(1);
  ladder::check(cudaMemsetAsync(current.get(), 0xFF, sizeof(int), stream.get()));  // -1
  // BEGIN SOLUTION Capture pivots_a_graph pivots, make a graph of them, and launch it as often as all pivots need.
  //  Between cudaStreamBeginCapture and cudaStreamEndCapture launches into the stream are recorded and do not run.
  //  cudaGraphInstantiate makes from what was captured what cudaGraphLaunch wants. ladder::Graph and ladder::GraphExec
  //  own the two.
  //| ladder::task();  // Delete this line when you start.
  ladder::check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < pivots_a_graph; ++k) {
    next_pivot<<<1, search_threads, 0, stream.get()>>>(p.n, p.A, p.lda, p.b, current.get(), p.info);
    ladder::check(cudaGetLastError());
    eliminate<<<blocks, threads, 0, stream.get()>>>(p.n, p.A, p.lda, p.b, current.get());
    ladder::check(cudaGetLastError());
  }
  cudaGraph_t captured = nullptr;
  ladder::check(cudaStreamEndCapture(stream.get(), &captured));
  const ladder::Graph recorded(captured);

  cudaGraphExec_t instantiated = nullptr;
  ladder::check(cudaGraphInstantiate(&instantiated, recorded.get(), 0));
  const ladder::GraphExec executable(instantiated);
  for (int i = 0; i < p.n; i += pivots_a_graph)
    ladder::check(cudaGraphLaunch(executable.get(), stream.get()));
  // END SOLUTION
  back_substitute<<<1, 1024, 0, stream.get()>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
