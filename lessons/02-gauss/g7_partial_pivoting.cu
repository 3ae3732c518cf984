/// @file
/// g6: partial pivoting. The pivot is the largest element of what is left of its column, and its row changes places with
/// row i. Which row that is stays in device memory: the next kernel reads it there, and the host never waits for it.
/// Before: g5, which took A[i][i] as it was. Source: none; work B does not pivot.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "gauss.hpp"

namespace gauss {
namespace {

constexpr int search_threads = 512;
constexpr int swap_threads = 256;
constexpr int usual_threads = 256;

/// The row at or below row i with the largest |element| in column i, of equal ones the first. For one block.
__global__ void find_pivot(int n, int i, const double* A, std::size_t lda,  // n x n, lda
                           int* pivot_row, int* info) {                     // 1
  __shared__ double largest[search_threads];
  __shared__ int where[search_threads];
  const int t = threadIdx.x;
  // TASK, 20 lines: Leave that row in *pivot_row. If its element is zero and no pivot before was, *info becomes i + 1.
  //  First each thread takes rows i + t, i + t + search_threads, … and leaves its largest |element| in largest[t] and
  //  the row in where[t]; a thread without a row must not win. Then halve the number of candidates until one is left.
  //  Behind a pivot of zero all may be NaN, and none is the largest: *pivot_row must be a row all the same.
}

/// Exchanges row i and the pivot's row, where they are still needed: right of column i - 1, and in b.
__global__ void swap_rows(int n, int i, double* A, std::size_t lda,  // n x n, lda
                          double* b, const int* pivot_row) {         // n; 1
  // TASK, 8 lines: Exchange the two elements of one column that belong to this thread; b is column n.
}

/// Eliminates column i, whatever the grid.
__global__ void eliminate(int n, int i, double* A, std::size_t lda,  // n x n, lda
                          double* b) {                               // n
  for (int row = i + 1 + blockIdx.x; row < n; row += gridDim.x) {
    const double ratio =
        A[row * lda + i] / A[i * lda + i];  // each thread divides: no barrier delays the loads
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
/// @throws ladder::Error when the device refuses a launch.
void partial_pivoting(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int resident = resident_blocks(threads);
  const ladder::DeviceBuffer<int> pivot_row(1);
  // TASK, 12 lines: For each pivot launch the kernels that it needs, and check each launch.
  //  The last row is a pivot too: it can be zero, and `info` must say so. But there is nothing to eliminate below it.
  //  Nothing of this needs the host to know *pivot_row: do not copy it.
  ladder::task();  // Delete this line when you start.
  back_substitute<<<1, 1024>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
