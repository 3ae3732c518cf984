#pragma once
/// @file
/// Given, for t1: A and b as one matrix of whole tiles, the places of its rows, and the back substitution.
/// Source: none.

#include <cooperative_groups.h>

#include <algorithm>

#include "choice.cuh"
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {

constexpr int tile_rows = 64;      // of a tile of the update
constexpr int tile_columns = 128;  // of a tile of the update

/// A and b side by side, n x (n + 1), with n rounded up to whole panels: the added part of A is the unit
/// matrix, which changes nothing. Columns n + 1 to ld - 1 hold zeros: a tile may reach over the end.
struct Augmented {
  double* data;
  int n;           ///< a multiple of nb
  std::size_t ld;  ///< n + tile_columns

  __device__ double& operator()(int row, int column) const { return data[row * ld + column]; }
  std::size_t elements() const { return n * ld; }
};

/// The system's matrix without its memory.
inline Augmented augmented(const Problem& p) {
  const int n = (p.n + nb - 1) / nb * nb;
  return {nullptr, n, std::size_t(n) + tile_columns};
}

constexpr int copy_threads = 256;

/// Copies A and b, and fills what is added to them. One block per row.
static __global__ void copy_system(Problem p, Augmented M) {
  const int row = blockIdx.x;
  for (int column = threadIdx.x; column < M.ld; column += copy_threads) {
    double value = row == column;
    if (row < p.n && column < p.n) value = p.A[row * std::size_t(p.lda) + column];
    if (row < p.n && column == M.n) value = p.b[row];
    M(row, column) = value;
  }
}

/// What a panel does to the rows of the matrix. The rows of its pivots come to its top; the rows that were
/// there, and are no pivot's, come to where those were.
struct Moves {
  int pivot[nb];  ///< the row of each pivot
  int other[nb];  ///< where row i of the top goes; -1: it is a pivot's
};

/// Where a row goes that is no pivot's.
inline __device__ int place_of(int row, int first, const int (&pivot)[nb]) {
  if (row >= first + nb) return row;
  unsigned long long of_pivots = 0;  // rows of the top: one bit each
  for (int k = 0; k < nb; ++k)
    if (pivot[k] < first + nb) of_pivots |= 1ull << (pivot[k] - first);
  int before =
      __popcll(~of_pivots & ((1ull << (row - first)) - 1));  // rows of the top that go away before this one
  for (int k = 0; k < nb; ++k)
    if (pivot[k] >= first + nb && before-- == 0) return pivot[k];
  return row;
}

constexpr int substitution_threads = 256;
constexpr int rows_at_once = 4;  // of a warp: their loads are in flight together

/// Subtracts from the rows above nb unknowns, from `first` on, their products with them.
/// @param part  [nb], the unknowns
inline __device__ void subtract_above(const Augmented& M, int first, const double* part) {
  const int lane = threadIdx.x % 32, warps = gridDim.x * (substitution_threads / 32);
  const int warp = blockIdx.x * (substitution_threads / 32) + threadIdx.x / 32;
  for (int row = warp * rows_at_once; row < first; row += warps * rows_at_once) {
    double sum[rows_at_once], own = 0;
#pragma unroll
    for (int r = 0; r < rows_at_once; ++r)
      sum[r] = M(row + r, first + lane) * part[lane] + M(row + r, first + 32 + lane) * part[32 + lane];
#pragma unroll
    for (int r = 0; r < rows_at_once; ++r) {
      for (int lanes = 16; lanes > 0; lanes /= 2) sum[r] += __shfl_xor_sync(~0u, sum[r], lanes);
      if (lane == r) own = sum[r];
    }
    if (lane < rows_at_once) M(row + lane, M.n) -= own;
  }
}

/// Solves for nb unknowns. For one warp.
/// @param U     upper triangle
/// @param part  [nb], the right side; becomes the unknowns
inline __device__ void solve_triangle(const double (&U)[nb][nb + 1], double* part) {
  const int lane = threadIdx.x % 32;  // has unknowns lane and lane + 32
  double low = part[lane], high = part[lane + 32];
  const double of_low = 1 / U[lane][lane], of_high = 1 / U[lane + 32][lane + 32];
  for (int k = nb - 1; k >= 32; --k) {
    const double unknown = __shfl_sync(~0u, high * of_high, k - 32);
    if (lane + 32 < k) high -= U[lane + 32][k] * unknown;
    low -= U[lane][k] * unknown;
  }
  for (int k = 31; k >= 0; --k) {
    const double unknown = __shfl_sync(~0u, low * of_low, k);
    if (lane < k) low -= U[lane][k] * unknown;
  }
  part[lane] = low * of_low, part[lane + 32] = high * of_high;
}

/// x from the upper triangle of M and its last column, nb unknowns at a time. Every block solves for them
/// itself; then all blocks share the rows above. All blocks of the grid are resident.
static __global__ void __launch_bounds__(substitution_threads) substitute(Augmented M, int n, double* x) {
  constexpr int share = nb * nb / substitution_threads;  // elements of a triangle that a thread copies
  __shared__ double U[nb][nb + 1];  // +1: the elements of a column then lie in different banks
  __shared__ double part[nb];       // of x
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int t = threadIdx.x;
  double next[share];  // the next triangle: in flight while blocks wait for each other
  const auto load = [&](int first) {
#pragma unroll
    for (int e = 0; e < share; ++e)
      next[e] = M(first + (e * substitution_threads + t) / nb, first + (e * substitution_threads + t) % nb);
  };
  load(M.n - nb);
  for (int first = M.n - nb; first >= 0; first -= nb) {
#pragma unroll
    for (int e = 0; e < share; ++e)
      U[(e * substitution_threads + t) / nb][(e * substitution_threads + t) % nb] = next[e];
    if (t < nb) part[t] = M(first + t, M.n);
    __syncthreads();
    if (t < 32) solve_triangle(U, part);
    __syncthreads();  // these unknowns are there
    if (blockIdx.x == 0 && t < nb && first + t < n) x[first + t] = part[t];
    if (first > 0) load(first - nb);
    subtract_above(M, first, part);
    grid.sync();  // the right side of the next unknowns is there
  }
}

/// One block on each multiprocessor, but no more than there is work for.
/// @throws ladder::Error
inline int substitution_blocks(const Augmented& M) {
  int device = 0, multiprocessors = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return std::min(multiprocessors, M.n / nb);
}

}  // namespace gauss
