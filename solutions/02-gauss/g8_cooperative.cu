/// @file
/// g8: one kernel. All blocks stay on the device from the first pivot to the last and wait for each other at grid.sync(),
/// once a pivot. For that all of them must be resident at the same time: a cooperative launch refuses a larger grid.
/// Before: g7, whose graph had two kernels a pivot. Source: work B tried a wait of the whole grid and dropped it, since
/// blocks that are not resident yet are waited for for ever.

#include <cooperative_groups.h>

#include <algorithm>

#include "common/device/cuda.hpp"
#include "gauss.hpp"

namespace gauss {
namespace {

constexpr int usual_threads = 512;
constexpr int blocks_a_multiprocessor =
    2;  // every block reads what every block found: more blocks, more reads

/// A row that may be the next pivot's.
struct Candidate {
  double value;  // |element|; negative: no row
  int row;
};

__device__ Candidate larger(Candidate a, Candidate b) {
  return b.value > a.value || (b.value == a.value && b.row < a.row) ? b : a;
}

/// The largest of `count` candidates, of equal ones the one with the first row; all threads of the block get it.
__device__ Candidate choose(const Candidate* candidates, int count) {
  __shared__ Candidate chosen;
  if (threadIdx.x < 32) {
    Candidate best{-1, 0};
    for (int k = threadIdx.x; k < count; k += 32) best = larger(best, candidates[k]);
    for (int step = 16; step > 0; step /= 2) {
      const Candidate other{__shfl_down_sync(0xffffffff, best.value, step),
                            __shfl_down_sync(0xffffffff, best.row, step)};
      best = larger(best, other);
    }
    if (threadIdx.x == 0) chosen = best;
  }
  __syncthreads();
  return chosen;
}

/// Takes pivot i from the block's rows: blockIdx.x and every gridDim.x-th after it. Rows keep their places; those that
/// were a pivot's are left alone. @return the block's candidate for pivot i + 1, in thread 0
__device__ Candidate eliminate(int n, int i, int pivot_row, double* A, std::size_t lda,  // n x n, lda
                               double* b, bool* was_pivot) {                             // n
  Candidate best{-1, 0};
  const double* pivots = A + pivot_row * lda;
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    if (row == pivot_row || was_pivot[row]) continue;
    const double ratio = A[row * lda + i] / pivots[i];
    for (int col = i + 1 + threadIdx.x; col < n; col += blockDim.x) {
      const double value = A[row * lda + col] - ratio * pivots[col];
      A[row * lda + col] = value;
      // Column i + 1 is thread 0's, in every row: it has the largest one at no cost.
      if (col == i + 1) best = larger(best, {fabs(value), row});
    }
    if (threadIdx.x == 0) b[row] -= ratio * b[pivot_row];
  }
  return best;
}

/// x from the upper triangle of A and from b, 32 unknowns at a time. For one block of whole warps.
__device__ void back_substitute(int n, const double* A, std::size_t lda,  // n x n, lda
                                double* b, const int* row_of,             // n; n, the row of each pivot
                                double* x) {                              // n
  __shared__ double U[32][33];  // +1 column: the rows then start in different banks
  __shared__ double solved[32];
  const int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int first = (n - 1) / 32 * 32; first >= 0; first -= 32) {
    const int own = first + lane;
    for (int k = warp; k < 32; k += warps)
      U[k][lane] = first + k < n && own < n ? A[row_of[first + k] * lda + own] : k == lane;
    __syncthreads();
    if (warp == 0) {  // the triangle on the diagonal: lane k has pivot first + k
      double rest = own < n ? b[row_of[own]] : 0;
      for (int k = 31; k >= 0; --k) {
        const double value = __shfl_sync(0xffffffff, rest / U[lane][lane], k);
        if (lane < k) rest -= U[lane][k] * value;
      }
      solved[lane] = rest / U[lane][lane];
      if (own < n) x[own] = solved[lane];
    }
    __syncthreads();
    for (int k = warp; k < first; k += warps) {  // a warp a row above: 32 neighbours in memory
      double sum = own < n ? A[row_of[k] * lda + own] * solved[lane] : 0;
      for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
      if (lane == 0) b[row_of[k]] -= sum;
    }
    __syncthreads();
  }
}

/// Solves A x = b. Any grid of whole warps, all of it resident.
__global__ void solve(int n, double* A, std::size_t lda,  // n x n, lda
                      double* b, double* x, int* info,    // n; n; 1
                      int* row_of, bool* was_pivot,       // n; n, false
                      Candidate* candidates) {            // 2 x gridDim.x
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  // BEGIN SOLUTION Find the first column's candidates, then for each pivot: choose, and eliminate.
  //  A block leaves its candidate in candidates[blockIdx.x]. When all blocks have done so, each block chooses among all
  //  of them by itself: the same row in every block. If no candidate is above 0, A is singular: all blocks return, and
  //  *info becomes i + 1. Else row_of[i] and was_pivot[row] keep what is known now.
  //  A fast block may leave its next candidate while a slow one still chooses: that is why there is room for two of each
  //  block. Where does the whole grid have to wait? One wait a pivot is enough. At the end one block substitutes.
  Candidate best{-1, 0};
  if (threadIdx.x == 0)
    for (int row = blockIdx.x; row < n; row += gridDim.x) best = larger(best, {fabs(A[row * lda]), row});
  for (int i = 0; i < n; ++i) {
    Candidate* const all = candidates + i % 2 * gridDim.x;
    if (threadIdx.x == 0) all[blockIdx.x] = best;
    grid.sync();  // every candidate is there, and every row has lost its multiple of the pivot before
    const Candidate pivot = choose(all, gridDim.x);
    if (!(pivot.value > 0)) {  // the same in every block: none is left behind at the next wait
      if (blockIdx.x == 0 && threadIdx.x == 0) *info = i + 1;
      return;
    }
    best = eliminate(n, i, pivot.row, A, lda, b, was_pivot);
    if (blockIdx.x == 0 && threadIdx.x == 0) row_of[i] = pivot.row, was_pivot[pivot.row] = true;
  }
  grid.sync();
  if (blockIdx.x == 0) back_substitute(n, A, lda, b, row_of, x);
  // END SOLUTION
}

/// Blocks of `solve` that the device holds at once, at most a few on each multiprocessor.
int usual_blocks(int threads) {
  int device = 0, multiprocessors = 0, blocks = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, solve, threads, 0));
  return multiprocessors * std::min(blocks, blocks_a_multiprocessor);
}

}  // namespace

/// Solves A x = b with partial pivoting, with the grid that the problem imposes, or its own.
/// @throws ladder::Error when the grid is larger than what the device holds at once.
void cooperative(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int blocks = p.blocks > 0 ? p.blocks : std::min(p.n, usual_blocks(threads));
  const ladder::DeviceBuffer<int> row_of(p.n);
  const ladder::DeviceBuffer<bool> was_pivot(p.n);
  const ladder::DeviceBuffer<Candidate> candidates(2 * std::size_t(blocks));
  ladder::check(cudaMemsetAsync(was_pivot.get(), 0, was_pivot.bytes()));
  // BEGIN SOLUTION Launch `solve` so that all its blocks are resident at once, or are refused.
  //| ladder::task();  // Delete this line when you start.
  Problem q = p;
  std::size_t lda = p.lda;
  int* rows = row_of.get();
  bool* done = was_pivot.get();
  Candidate* found = candidates.get();
  void* arguments[] = {&q.n, &q.A, &lda, &q.b, &q.x, &q.info, &rows, &done, &found};
  // An ordinary launch would let blocks begin that wait for others which find no place: for ever.
  ladder::check(
      cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(solve), blocks, threads, arguments));
  // END SOLUTION
}

}  // namespace gauss
