#pragma once
/// @file
/// Given, for g7 and g8: the pivots two at a time. A kernel that takes two pivots finds them itself, in two columns that
/// the one before has left apart, so that nobody has to wait between the choice and the elimination; and what is left to do
/// when all pivots are taken. README.md explains it.
/// Source: none.

#include <limits>

#include "common/device/cuda.hpp"
#include "gauss.hpp"

namespace gauss {

constexpr int usual_threads = 512;
constexpr int most_threads = 1024;
constexpr int elements = 12;          // of a row, in a lane: so many loads are under way at once
constexpr int piece = 32 * elements;  // columns that a warp takes at a time

constexpr double not_left = std::numeric_limits<double>::quiet_NaN();  // in columns: no candidate is smaller

/// A row that may be a pivot's.
struct Candidate {
  double value;  // its element in the pivot's column; 0: no row
  int row;
};

/// Keeps the larger one; of equal ones that which was there first, and always that which is a number.
inline __device__ void take_larger(Candidate& best, double value, int row) {
  if (fabs(value) > fabs(best.value)) best = {value, row};
}

/// All lanes get it; of equal ones that of the first lane.
inline __device__ Candidate largest_of_warp(const Candidate& own) {
  double size = fabs(own.value);
  for (int step = 16; step > 0; step /= 2) {
    const double other = __shfl_xor_sync(0xffffffff, size, step);
    size = other > size ? other : size;
  }
  const int lane = __ffs(__ballot_sync(0xffffffff, fabs(own.value) == size)) - 1;
  return {__shfl_sync(0xffffffff, own.value, lane), __shfl_sync(0xffffffff, own.row, lane)};
}

/// All threads get it. @param of_warps  32, shared; in use until the whole block waits again
inline __device__ Candidate largest_of_block(const Candidate& own, Candidate* of_warps) {
  const Candidate best = largest_of_warp(own);
  const int lane = threadIdx.x % 32;
  if (lane == 0) of_warps[threadIdx.x / 32] = best;
  __syncthreads();
  // Every warp compares all: that is sooner done than another wait.
  return largest_of_warp(lane < blockDim.x / 32 ? of_warps[lane] : Candidate{0, 0});
}

/// Pivots i and i + 1, which are taken together.
struct Pair {
  int first, second;               // their rows
  double inverse, second_inverse;  // of the pivots; infinite: nothing is left of the column
  double above;                    // the first's row in the second's column
  double ratio;                    // how many of the first's rows the second's row loses
};

/// What a row has left of `value` when it loses `ratio` rows that have `of_pivot` there. Rounded once, wherever it is used:
/// a second pivot that was not zero when it was chosen is not zero in the triangle.
inline __device__ double left_of(double value, double ratio, double of_pivot) {
  return fma(-ratio, of_pivot, value);
}

/// Every block finds both pivots for itself, in all rows that are left: to ask the others would take one more wait.
inline __device__ Pair choose(const Problem& p, int i, const double2* columns) {  // n, columns i and i + 1
  __shared__ Candidate of_warps[2][32];
  const int rows = (p.n + blockDim.x - 1) / blockDim.x;  // a thread's, neighbours: lanes are in their order
  const int begin = threadIdx.x * rows, end = min(begin + rows, p.n);
  Pair pair{-1, -1, 0, 0, 0, 0};
  Candidate best{0, 0};
#pragma unroll 4
  for (int row = begin; row < end; ++row) take_larger(best, columns[row].x, row);
  best = largest_of_block(best, of_warps[0]);
  pair.first = best.row;
  pair.inverse = 1 / best.value;  // once: a division takes as long as all else that is done with a row here
  pair.above = columns[pair.first].y;  // of any row when all are zero: nobody asks then
  if (best.value == 0 || i + 1 == p.n) return pair;
  best = {0, 0};
#pragma unroll 4
  for (int row = begin; row < end; ++row)
    if (row != pair.first)
      take_larger(best, left_of(columns[row].y, columns[row].x * pair.inverse, pair.above), row);
  best = largest_of_block(best, of_warps[1]);
  pair.second = best.row;
  pair.second_inverse = 1 / best.value;
  pair.ratio = columns[pair.second].x * pair.inverse;
  return pair;
}

/// A row of A.
inline __device__ double* row_at(const Problem& p, int row) {
  return p.A + row * std::size_t(p.lda);
}

/// What a lane has of a piece of a row.
struct Piece {
  int row, col;   // its first column; the others are 32, 64, … further
  bool unused;    // the row was no pivot's yet
  double2 below;  // the row's elements in the pivots' columns
  double values[elements];
};

/// Reads piece number `task` of the block's rows: blockIdx.x and every gridDim.x-th after it.
inline __device__ Piece fetch(const Problem& p, int i, int task, const Pair& pair, const double2* columns) {
  const int begin = (i + 2) / 32 * 32;  // so that a warp's loads begin where sectors do
  const int pieces = max(p.n - 1 - begin, 0) / piece + 1;
  Piece own{};
  own.row = blockIdx.x + task / pieces * gridDim.x;
  own.col = begin + task % pieces * piece + threadIdx.x % 32;
  if (own.row >= p.n || own.row == pair.first || own.row == pair.second) return own;
  own.below = columns[own.row];
  own.unused = !isnan(own.below.x);
  for (int k = 0; k < elements && own.unused; ++k) {
    const int col = own.col + 32 * k;
    if (i + 1 < col && col < p.n) own.values[k] = row_at(p, own.row)[col];
  }
  return own;
}

/// Subtracts the pivots' rows from a piece. What comes into columns i + 2 and i + 3 is left for the next choice as well.
inline __device__ void eliminate(const Problem& p, int i, const Pair& pair, Piece& own,
                                 double2* next_columns) {  // n
  const int which = own.col - (i + 2);  // 0 or 1: one of these columns; 0: the lane that has the row's b, too
  if (own.unused) {
    const double *const first = row_at(p, pair.first), *const second = row_at(p, pair.second);
    double first_values[elements] = {}, second_values[elements] = {};  // all loads before the first result
    for (int k = 0; k < elements; ++k) {
      const int col = own.col + 32 * k;
      if (i + 1 < col && col < p.n) first_values[k] = first[col], second_values[k] = second[col];
    }
    const double right = which ? 0 : p.b[own.row];
    const double first_right = which ? 0 : p.b[pair.first], second_right = which ? 0 : p.b[pair.second];
    const double ratio = own.below.x * pair.inverse;
    const double next_ratio = left_of(own.below.y, ratio, pair.above) * pair.second_inverse;
    const auto reduced = [&](double value, double of_first, double of_second) {
      return value - ratio * of_first - next_ratio * (of_second - pair.ratio * of_first);
    };
    for (int k = 0; k < elements; ++k) {
      const int col = own.col + 32 * k;
      own.values[k] = reduced(own.values[k], first_values[k], second_values[k]);
      if (i + 1 < col && col < p.n) row_at(p, own.row)[col] = own.values[k];
    }
    if (which == 0) p.b[own.row] = reduced(right, first_right, second_right);
  }
  const double candidate = own.unused ? own.values[0] : not_left;
  if (which == 0) next_columns[own.row].x = candidate;
  if (which == 1) next_columns[own.row].y = candidate;
}

/// Leaves the columns of the first two pivots. For any grid.
inline __device__ void leave_first_columns(const Problem& p, double2* columns) {  // n
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < p.n; row += gridDim.x * blockDim.x) {
    columns[row] = {row_at(p, row)[0], p.n > 1 ? row_at(p, row)[1] : 0};
  }
}

/// Takes pivots i and i + 1, when all blocks have taken those before. Rows keep their places; those that were a pivot's
/// are left alone. @return false when all that is left of a column is zero
inline __device__ bool take_pivots(
    const Problem& p, int i, int* row_of,  // n, the row of each pivot
    double2* both_columns) {               // 2 x n, columns i and i + 1 of each row that is left, else NaN
  // A slow block may still choose from two columns when others write the next two.
  double2* const columns = both_columns + i / 2 % 2 * p.n;
  double2* const next_columns = both_columns + (i / 2 + 1) % 2 * p.n;
  Pair pair{-1, -1, 0, 0, 0, 0};  // of no rows, until they are chosen
  int task = threadIdx.x / 32;
  Piece own = fetch(p, i, task, pair, columns);  // needs no pivot: it comes while they are chosen
  pair = choose(p, i, columns);                  // in every block the same
  const bool singular = isinf(pair.inverse) || isinf(pair.second_inverse);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    row_of[i] = pair.first;
    if (i + 1 < p.n) row_of[i + 1] = pair.second;
    if (singular && *p.info == 0) *p.info = i + (isinf(pair.inverse) ? 1 : 2);
  }
  for (; own.row < p.n; own = fetch(p, i, task += blockDim.x / 32, pair, columns)) {
    // Of a singular A no row is left: what comes next finds that in its columns.
    own.unused = own.unused && !singular && own.row != pair.first && own.row != pair.second;
    eliminate(p, i, pair, own, next_columns);
  }
  return !singular;
}

/// The second row of each pair has still to lose its multiple of the first: while pivots were taken all blocks read it.
/// For any grid of whole warps, when no block takes pivots any more. Does nothing when A is singular.
inline __device__ void finish_second_rows(const Problem& p, const int* row_of) {  // n
  if (*p.info) return;                                                            // pivots are missing
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  for (int i = 2 * (blockIdx.x * warps + threadIdx.x / 32); i + 1 < p.n; i += 2 * gridDim.x * warps) {
    const double* const first = row_at(p, row_of[i]);
    double* const second = row_at(p, row_of[i + 1]);
    const double ratio = second[i] * (1 / first[i]);  // as choose has it
    for (int col = i + 1 + lane; col < p.n; col += 32) second[col] = left_of(second[col], ratio, first[col]);
    if (lane == 0) p.b[row_of[i + 1]] = left_of(p.b[row_of[i + 1]], ratio, p.b[row_of[i]]);
  }
}

/// x from the upper triangle, 32 unknowns at a time. For one block of whole warps. Does nothing when A is singular.
inline __device__ void back_substitute(const Problem& p, const int* row_of) {  // n
  if (*p.info) return;
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

/// Blocks of a kernel, one on each multiprocessor. More only compare more often.
inline int usual_blocks() {
  int device = 0, multiprocessors = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return multiprocessors;
}

}  // namespace gauss
