/// @file
/// g8: one kernel. All blocks stay on the device from the first pivot to the last and wait for each other at grid.sync(),
/// once a pivot. For that all of them must be resident at the same time: a cooperative launch refuses a larger grid.
/// Before: g7, whose graph had a kernel for each pivot. Source: work B tried a wait of the whole grid and dropped it,
/// since blocks that are not resident yet are waited for for ever.

#include <cooperative_groups.h>

#include <algorithm>

#include "common/device/cuda.hpp"
#include "gauss.hpp"

namespace gauss {
namespace {

constexpr int usual_threads = 512;
constexpr int blocks_a_multiprocessor = 1;  // every block reads what every block found: few are better
constexpr int most_threads = 1024;    // whatever the grid: the compiler must leave registers for so many
constexpr int elements = 4;           // of a row, in a lane: so many loads are under way at once
constexpr int piece = 32 * elements;  // columns that a warp takes at a time

constexpr int together = 5;  // candidates that a lane reads at a time

/// A row that may be the next pivot's.
struct Candidate {
  double value;  // its element in the pivot's column; 0: no row
  int row;
};

/// Of equal ones the first row.
__device__ Candidate larger(Candidate a, Candidate b) {
  const double left = fabs(a.value), right = fabs(b.value);
  return right > left || (right == left && b.row < a.row) ? b : a;
}

__device__ Candidate largest_of_warp(Candidate best) {  // all lanes get it
  for (int step = 16; step > 0; step /= 2)
    best = larger(
        best, {__shfl_xor_sync(0xffffffff, best.value, step), __shfl_xor_sync(0xffffffff, best.row, step)});
  return best;
}

/// Leaves the largest candidate of a block. The candidates of its warps are in the lanes `lane`.
__device__ void publish(Candidate own, int lane, Candidate* candidate) {  // 1
  __shared__ Candidate of_warp[32];
  if (int(threadIdx.x) % 32 == lane) of_warp[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const Candidate best =
      largest_of_warp(threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : Candidate{0, 0});
  if (threadIdx.x == 0) *candidate = best;
}

/// The largest of `count` candidates; all threads of the block get it.
__device__ Candidate choose(const Candidate* candidates, int count) {
  __shared__ Candidate chosen;
  if (threadIdx.x < 32) {
    Candidate best{0, 0};
    for (int first = threadIdx.x; first < count; first += 32 * together) {
      Candidate read[together];  // all loads before the first comparison: one waiting time for all of them
      for (int k = 0; k < together; ++k)
        read[k] = first + 32 * k < count ? candidates[first + 32 * k] : Candidate{0, 0};
      for (int k = 0; k < together; ++k) best = larger(best, read[k]);
    }
    best = largest_of_warp(best);
    if (threadIdx.x == 0) chosen = best;
  }
  __syncthreads();
  return chosen;
}

/// A row of A.
__device__ double* row_at(const Problem& p, int row) {
  return p.A + row * std::size_t(p.lda);
}

/// What a lane has of a piece of a row.
struct Piece {
  int row, col;  // its first column; the others are 32, 64, … further
  bool left;     // the row was no pivot's yet
  double below;  // the row's element in the pivot's column
  double values[elements];
};

/// Reads piece number `task` of the block's rows: blockIdx.x and every gridDim.x-th after it.
__device__ Piece fetch(const Problem& p, int i, int task, int pivot_row, const bool* was_pivot) {
  const int begin = (i + 1) / 32 * 32;  // so that a warp's loads begin where sectors do
  const int pieces = (p.n - 1 - begin) / piece + 1;
  Piece own;
  own.row = blockIdx.x + task / pieces * gridDim.x;
  own.col = begin + task % pieces * piece + threadIdx.x % 32;
  own.left = own.row < p.n && own.row != pivot_row && !was_pivot[own.row];
  if (!own.left) return own;
  const double* const row = row_at(p, own.row);
  own.below = row[i];
  for (int k = 0; k < elements; ++k) {
    const int col = own.col + 32 * k;
    own.values[k] = i < col && col < p.n ? row[col] : 0;
  }
  return own;
}

/// Subtracts the pivot's row from a piece.
/// @return in the lane that has column i + 1: the row as a candidate
__device__ Candidate eliminate(const Problem& p, int i, Candidate pivot, const Piece& own) {
  const double* const pivots = row_at(p, pivot.row);
  double* const row = row_at(p, own.row);
  double pivot_values[elements];
  for (int k = 0; k < elements; ++k) {
    const int col = own.col + 32 * k;
    pivot_values[k] = i < col && col < p.n ? pivots[col] : 0;
  }
  const bool first = own.col == i + 1;  // one lane of each row: it has b too
  const double right = first ? p.b[own.row] : 0, pivot_right = first ? p.b[pivot.row] : 0;
  const double ratio = own.below / pivot.value;
  for (int k = 0; k < elements; ++k) {
    const int col = own.col + 32 * k;
    if (i < col && col < p.n) row[col] = own.values[k] - ratio * pivot_values[k];
  }
  if (!first) return {0, 0};
  p.b[own.row] = right - ratio * pivot_right;
  return {own.values[0] - ratio * pivot_values[0], own.row};
}

/// Leaves the block's candidate for pivot 0.
__device__ void begin(const Problem& p, Candidate* candidates) {  // gridDim.x
  const int warps = blockDim.x / 32;
  Candidate best{0, 0};
  for (int row = blockIdx.x + threadIdx.x / 32 * gridDim.x; row < p.n; row += warps * gridDim.x)
    best = larger(best, {row_at(p, row)[0], row});
  publish(best, 0, candidates + blockIdx.x);
}

/// Takes pivot i, when all blocks have taken the one before. Rows keep their places; those that were a pivot's are left
/// alone. @return false when all that is left of the column is zero
__device__ bool take_pivot(const Problem& p, int i, int* row_of,  // n, the row of each pivot
                           bool* was_pivot,                       // n
                           Candidate* candidates) {               // 2 x gridDim.x
  const int warps = blockDim.x / 32;
  int task = threadIdx.x / 32;
  Piece own = fetch(p, i, task, -1, was_pivot);  // needs no pivot: it comes while the pivot is chosen
  const Candidate pivot = choose(candidates + i % 2 * gridDim.x, gridDim.x);  // in every block the same
  const bool singular = !(fabs(pivot.value) > 0);
  const bool ours = pivot.row % gridDim.x == blockIdx.x;
  if (ours && threadIdx.x == 0) {  // no other block reads was_pivot of this row
    row_of[i] = pivot.row;
    was_pivot[pivot.row] = true;
    if (singular && *p.info == 0) *p.info = i + 1;
  }
  Candidate best{0, 0};
  for (; own.row < p.n && !singular; own = fetch(p, i, task += warps, pivot.row, was_pivot))
    if (own.left && own.row != pivot.row) best = larger(best, eliminate(p, i, pivot, own));
  // The lane that has column i + 1 has seen what pivot i + 1 can be. A slow block may still be choosing: that is why
  // there are two places for each block.
  publish(best, (i + 1) % 32, candidates + (i + 1) % 2 * gridDim.x + blockIdx.x);
  return !singular;
}

/// x from the upper triangle, 32 unknowns at a time. For one block of whole warps.
__device__ void substitute(const Problem& p, const int* row_of) {  // n
  __shared__ double U[32][33];  // +1 column: the rows then start in different banks
  __shared__ double rest[32];
  const int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int first = (p.n - 1) / 32 * 32; first >= 0; first -= 32) {
    for (int k = warp; k < 32; k += warps) {  // a warp a row: 32 neighbours in memory
      const int row = first + k < p.n ? row_of[first + k] : -1;
      U[k][lane] = row >= 0 && first + lane < p.n ? row_at(p, row)[first + lane] : k == lane;
      double sum = 0;
#pragma unroll 8
      for (int col = first + 32 + lane; col < p.n; col += 32) sum += row_at(p, row)[col] * p.x[col];
      for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
      if (lane == 0) rest[k] = row >= 0 ? p.b[row] - sum : 0;
    }
    __syncthreads();
    if (warp == 0) {  // the triangle on the diagonal: lane k has pivot first + k
      double own = rest[lane];
      const double inverse = 1 / U[lane][lane];  // once: 32 divisions in turn would take long
      for (int k = 31; k >= 0; --k) {
        const double value = __shfl_sync(0xffffffff, own * inverse, k);
        if (lane < k) own -= U[lane][k] * value;
      }
      if (first + lane < p.n) p.x[first + lane] = own * inverse;
    }
    __syncthreads();
  }
}

/// Solves A x = b. Any grid of whole warps, all of it resident.
__global__ void __launch_bounds__(most_threads) solve(Problem p, int* row_of, bool* was_pivot,  // n; n, false
                                                      Candidate* candidates) {  // 2 x gridDim.x
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  begin(p, candidates);
  // TASK Take all pivots, and let the first block substitute. Where does the whole grid have to wait?
  //  take_pivot reads what every block left in candidates for pivot i, and changes what every block read for pivot
  //  i - 1. One wait a pivot is enough. When it returns false A is singular and *info is set: all blocks return, at the
  //  same pivot.
}

/// Blocks of `solve` that the device holds at once, at most one on each multiprocessor.
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
  // TASK Launch `solve` so that all its blocks are resident at once, or are refused.
  ladder::task();  // Delete this line when you start.
}

}  // namespace gauss
