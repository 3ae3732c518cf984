#pragma once
/// @file
/// Given, for g4: (5) for many tiles in one launch. cublasDtrsmBatched takes several, each of which waits for the one
/// before it: much for the few tiles of a block's column.
/// Source: none.

#include <cstddef>

#include "common/device/cuda.hpp"

namespace cholesky {

/// A block of threads solves so many rows, with so many threads a row; a panel has so many columns.
constexpr int rows_a_block = 16, threads_a_row = 16, panel_width = 64;

/// Solves X L11^T = A21 in place, from the left a panel of X at a time: what the columns left of it take from it, from
/// tiles in shared memory, then the triangle. A row's threads are in one warp: who has a column of the panel hands its
/// element on. No row waits for another one.
/// @param rows  of X and A21, those of all tiles
__global__ void __launch_bounds__(rows_a_block* threads_a_row)
    solve_rows(int rows, int s, const double* __restrict__ L11, double* A21) {
  constexpr int own = panel_width / threads_a_row;  // columns of a panel that are this thread's, interleaved
  constexpr int block = rows_a_block * threads_a_row;
  __shared__ double X[panel_width][rows_a_block + 1];  // padded: a row's threads read one below the other
  __shared__ double L[panel_width][panel_width];       // both by columns, as L11 and A21 are
  const int thread = int(threadIdx.x), row = thread / threads_a_row, lane = thread % threads_a_row;
  // The row of A21 that this thread loads and stores, so that neighbours have neighbours.
  const int loaded = thread % rows_a_block, global_row = int(blockIdx.x) * rows_a_block + loaded;
  const bool there = global_row < rows;
  double* const x = A21 + std::size_t(global_row / s) * s * s + global_row % s;  // element c is x[c * s]
  const auto load_X = [&](int first) {
    for (int c = thread / rows_a_block; c < panel_width; c += threads_a_row)
      X[c][loaded] = there && first + c < s ? x[(first + c) * s] : 0;
  };
  // Rows first, … of L11 in columns column, …; what is above the diagonal is not L's.
  const auto load_L = [&](int first, int column) {
    for (int e = thread; e < panel_width * panel_width; e += block) {
      const int c = e / panel_width, j = e % panel_width;
      L[c][j] = first + j < s && first + j >= column + c ? L11[(column + c) * s + first + j] : 0;
    }
  };
  for (int first = 0; first < s; first += panel_width) {
    double y[own];
    load_X(first);
    __syncthreads();
    for (int i = 0; i < own; ++i) y[i] = X[lane + i * threads_a_row][row];
    for (int column = 0; column < first; column += panel_width) {
      __syncthreads();
      load_X(column);
      load_L(first, column);
      __syncthreads();
#pragma unroll 8
      for (int c = 0; c < panel_width; ++c)
        for (int i = 0; i < own; ++i) y[i] -= X[c][row] * L[c][lane + i * threads_a_row];
    }
    __syncthreads();
    load_L(first, first);
    __syncthreads();
    if (thread < panel_width && first + thread < s) L[thread][thread] = 1 / L[thread][thread];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < panel_width; ++j) {
      if (first + j >= s) break;
      const int owner = j % threads_a_row, its = j / threads_a_row;
      const double element = L[j][j] * __shfl_sync(0xffffffff, y[its], owner, threads_a_row);
      if (lane == owner) y[its] = element;
      for (int i = its; i < own; ++i)
        if (lane + i * threads_a_row > j) y[i] -= element * L[j][lane + i * threads_a_row];
    }
    for (int i = 0; i < own; ++i) X[lane + i * threads_a_row][row] = y[i];
    __syncthreads();
    for (int c = thread / rows_a_block; c < panel_width; c += threads_a_row)
      if (there && first + c < s) x[(first + c) * s] = X[c][loaded];
    __syncthreads();
  }
}

/// L21 = A21 L11^-T, in place. @param L11  s x s on the device @param A21  `tiles` tiles, one behind the other
inline void solve_tiles(const double* L11, double* A21, int tiles, int s, cudaStream_t stream) {
  if (tiles == 0) return;
  const int rows = tiles * s, blocks = (rows + rows_a_block - 1) / rows_a_block;
  solve_rows<<<blocks, rows_a_block * threads_a_row, 0, stream>>>(rows, s, L11, A21);
  ladder::check(cudaGetLastError());
}

}  // namespace cholesky
