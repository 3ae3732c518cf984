#pragma once
/// @file
/// Given, for g10: what one kernel does with a pair of pivots. Every block chooses both pivots for itself, so
/// that nobody waits between the choice and the sweep. Rows keep their places; each block has a list of those
/// that were a pivot's. README.md explains it. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {

constexpr int usual_threads = 512;
constexpr int most_threads = 1024;
constexpr int max_rows = 46'340;
constexpr int elements = 8;           // of a row, in a lane: their loads are in flight together
constexpr int chunk = 32 * elements;  // columns that a warp changes at a time

/// A row that may be the pivot's: its element in the pivot's column. 0: none.
struct Candidate {
  double value;
  int row;
};

/// The larger one; of equal ones the row that comes first.
inline __device__ Candidate larger(const Candidate& a, const Candidate& b) {
  const double x = fabs(a.value), y = fabs(b.value);
  return y > x || (y == x && b.row < a.row) ? b : a;
}

inline __device__ Candidate largest_of_warp(Candidate own) {
  for (int lanes = 16; lanes > 0; lanes /= 2)
    own = larger(own, {__shfl_xor_sync(~0u, own.value, lanes), __shfl_xor_sync(~0u, own.row, lanes)});
  return own;
}

/// All threads of the block get it. @param of_warps  [32], shared; in use until the block's next barrier
inline __device__ Candidate largest_of_block(Candidate own, Candidate* of_warps, int n) {
  const int lane = threadIdx.x % 32;
  own = largest_of_warp(own);
  if (lane == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();  // every warp then compares all: that is done sooner than another barrier
  return largest_of_warp(lane < blockDim.x / 32 ? of_warps[lane] : Candidate{0, n});
}

/// The rows that were a pivot's, one bit for each.
struct Used {
  unsigned bits[max_rows / 32 + 1];
  __device__ bool operator()(int row) const { return bits[row / 32] >> row % 32 & 1; }
  __device__ void add(int row) { bits[row / 32] |= 1u << row % 32; }
};

/// Pivots i and i + 1.
struct Pair {
  int first, second;  // their rows
  double pivot;       // the first; 0: nothing is left of its column
  double above;       // what the first's row has in the second's column
  double next;        // the second pivot
  double ratio;       // how many of the first's rows the second's row loses
};

/// What a value has left when it loses `ratio` times the pivot's. Rounded once, wherever it is used: a second
/// pivot that is not zero when it is chosen is then not zero in the triangle either.
inline __device__ double left_of(double value, double ratio, double of_pivot) {
  return fma(-ratio, of_pivot, value);
}

/// A row of A.
inline __device__ double* row_at(const Problem& p, int row) {
  return p.A + row * std::size_t(p.lda);
}

/// Both pivots, the same in every block. All rows that are left are looked at.
inline __device__ Pair choose(const Problem& p, int i, const Used& used) {
  __shared__ Candidate of_warps[2][32];
  Candidate best{0, p.n};
  for (int row = threadIdx.x; row < p.n; row += blockDim.x)
    if (!used(row)) best = larger(best, {row_at(p, row)[i], row});
  best = largest_of_block(best, of_warps[0], p.n);
  Pair pair{best.row, -1, best.value, 0, 1, 0};
  if (best.value == 0 || i + 1 == p.n) return pair;

  const double* const first = row_at(p, pair.first);
  pair.above = first[i + 1];
  best = {0, p.n};
  for (int row = threadIdx.x; row < p.n; row += blockDim.x)
    if (!used(row) && row != pair.first)
      best = larger(best, {left_of(row_at(p, row)[i + 1], row_at(p, row)[i] / pair.pivot, pair.above), row});
  best = largest_of_block(best, of_warps[1], p.n);
  pair.second = best.row;
  pair.next = best.value;
  if (best.value != 0) pair.ratio = row_at(p, pair.second)[i] / pair.pivot;
  return pair;
}

/// Takes pivots i and i + 1 when all blocks have taken those before. For any grid of whole warps.
/// @param row_of  [n] in device memory: the row of each pivot
/// @param used    in shared memory, the block's own
/// @return false when nothing is left of a column; the same in every block
inline __device__ bool take_pair(const Problem& p, int i, int* row_of, Used& used) {
  const Pair pair = choose(p, i, used);
  const bool singular = pair.pivot == 0 || pair.next == 0, last = i + 1 == p.n;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    if (singular) *p.info = i + (pair.pivot == 0 ? 1 : 2);
    row_of[i] = pair.first;
    if (!last) row_of[i + 1] = pair.second;
  }
  if (singular || last) return !singular;
  __syncthreads();  // all threads have chosen from the rows that were left
  if (threadIdx.x == 0) used.add(pair.first), used.add(pair.second);
  __syncthreads();

  // A warp changes a chunk of a row. The block has rows blockIdx.x, and every gridDim.x-th row after it.
  const double *const first = row_at(p, pair.first), *const second = row_at(p, pair.second);
  const int begin = (i + 2) / 32 * 32, chunks = max(p.n - 1 - begin, 0) / chunk + 1;
  for (int task = threadIdx.x / 32;; task += blockDim.x / 32) {
    const int row = blockIdx.x + task / chunks * gridDim.x;
    if (row >= p.n) return true;
    if (used(row)) continue;
    const int col = begin + task % chunks * chunk + threadIdx.x % 32;
    double* const own = row_at(p, row);
    const auto is_mine = [&](int k) { return col + 32 * k >= i + 2 && col + 32 * k < p.n; };
    double value[elements], of_first[elements], of_second[elements];
    for (int k = 0; k < elements; ++k)  // all loads before the first store
      if (is_mine(k)) {
        value[k] = own[col + 32 * k];
        of_first[k] = first[col + 32 * k], of_second[k] = second[col + 32 * k];
      }
    const double ratio = own[i] / pair.pivot;
    const double next_ratio = left_of(own[i + 1], ratio, pair.above) / pair.next;
    // Row `second` still holds what it held before pivot i: every thread finishes the elements that it needs.
    const auto reduced = [&](double mine, double a, double b) {
      return mine - ratio * a - next_ratio * left_of(b, pair.ratio, a);
    };
    for (int k = 0; k < elements; ++k)
      if (is_mine(k)) own[col + 32 * k] = reduced(value[k], of_first[k], of_second[k]);
    if (task % chunks == 0 && threadIdx.x % 32 == 0)
      p.b[row] = reduced(p.b[row], p.b[pair.first], p.b[pair.second]);
  }
}

/// Subtracts from the second row of each pair its multiple of the first: while pivots were taken all
/// blocks read it. For any grid of whole warps, when all pivots are taken.
inline __device__ void finish_second_rows(const Problem& p, const int* row_of) {  // row_of: [n]
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  for (int i = 2 * (blockIdx.x * warps + threadIdx.x / 32); i + 1 < p.n; i += 2 * gridDim.x * warps) {
    const double* const first = row_at(p, row_of[i]);
    double* const second = row_at(p, row_of[i + 1]);
    const double ratio = second[i] / first[i];  // as choose has it
    for (int col = i + 1 + lane; col < p.n; col += 32) second[col] = left_of(second[col], ratio, first[col]);
    if (lane == 0) p.b[row_of[i + 1]] = left_of(p.b[row_of[i + 1]], ratio, p.b[row_of[i]]);
  }
}

/// x from the upper triangle, 32 unknowns at a time. For one block of whole warps.
inline __device__ void back_substitute(const Problem& p, const int* row_of) {  // row_of: [n]
  __shared__ double U[32][33];  // +1 column: the rows then start in different banks
  __shared__ double rest[32];
  const int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int first = (p.n - 1) / 32 * 32; first >= 0; first -= 32) {
    for (int k = warp; k < 32; k += warps) {  // one warp per row
      const int row = first + k < p.n ? row_of[first + k] : -1;
      U[k][lane] = row >= 0 && first + lane < p.n ? row_at(p, row)[first + lane] : k == lane;
      double sum = 0;
#pragma unroll 8
      for (int col = first + 32 + lane; col < p.n; col += 32) sum += row_at(p, row)[col] * p.x[col];
      for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
      if (lane == 0) rest[k] = row >= 0 ? p.b[row] - sum : 0;
    }
    __syncthreads();  // the triangle on the diagonal and its right side are there
    if (warp == 0) {  // lane k has pivot first + k
      double own = rest[lane];
      const double inverse = 1 / U[lane][lane];  // once: 32 divisions in turn would take long
      for (int k = 31; k >= 0; --k) {
        const double value = __shfl_sync(~0u, own * inverse, k);
        if (lane < k) own -= U[lane][k] * value;
      }
      if (first + lane < p.n) p.x[first + lane] = own * inverse;
    }
    __syncthreads();  // these unknowns are there for the rows above
  }
}

}  // namespace gauss
