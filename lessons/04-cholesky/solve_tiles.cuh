#pragma once
/// @file
/// Given, for g6: (5) for many tiles in one launch. cublasDtrsmBatched makes several launches, one after the
/// other: too much for a column with few tiles. Source: none.

#include <cstddef>

#include "common/device/cuda.hpp"

namespace cholesky {

/// Rows that a block of threads solves, threads per row, and columns of a panel.
constexpr int rows_a_block = 16, threads_a_row = 16, panel_width = 64;

/// Solves X L11^T = A21 in place, from the left a panel of X at a time: first what the panels left of it take
/// from it, from tiles in shared memory, then the panel's triangle, as many columns at a time as a row has
/// threads: one thread solves these alone, then the row's threads take them from the columns on the right.
/// Registers for three blocks a multiprocessor, whose shared memory has room for them on an H100: nvcc would
/// take more.
/// @param rows  of X and A21, those of all tiles
static __global__ void __launch_bounds__(rows_a_block* threads_a_row, 3)
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
  const auto load_X = [&](int first, int columns) {
    for (int c = thread / rows_a_block; c < columns; c += threads_a_row)
      X[c][loaded] = there ? x[(first + c) * s] : 0;
  };
  // `columns` columns of L11 from a row on, a panel's height of each; zeros where L has no element.
  const auto load_L = [&](int first_row, int first_column, int columns) {
    const int j = thread % panel_width;
    for (int c = thread / panel_width; c < columns; c += block / panel_width) {
      const bool in_L = first_row + j < s && first_row + j >= first_column + c;
      L[c][j] = in_L ? L11[(first_column + c) * s + first_row + j] : 0;
    }
  };
  for (int first = 0; first < s; first += panel_width) {
    const int width = min(panel_width, s - first);  // of this panel
    double y[own];
    load_X(first, width);
    __syncthreads();
    for (int i = 0; i < own; ++i) {
      const int j = lane + i * threads_a_row;
      y[i] = j < width ? X[j][row] : 0;
    }
    for (int column = 0; column < first; column += panel_width) {
      __syncthreads();
      load_X(column, panel_width);
      load_L(first, column, panel_width);
      __syncthreads();
#pragma unroll 8
      for (int c = 0; c < panel_width; ++c)
        for (int i = 0; i < own; ++i) y[i] -= X[c][row] * L[c][lane + i * threads_a_row];
    }
    __syncthreads();
    load_L(first, first, (width + threads_a_row - 1) / threads_a_row * threads_a_row);
    __syncthreads();
    if (thread < width) L[thread][thread] = 1 / L[thread][thread];
#pragma unroll
    for (int i = 0; i < own; ++i) {
      const int begin = i * threads_a_row;
      X[begin + lane][row] = y[i];
      __syncthreads();
      if (thread < rows_a_block) {  // the triangle: a thread a row
        double element[threads_a_row];
        for (int c = 0; c < threads_a_row; ++c) element[c] = X[begin + c][thread];
#pragma unroll
        for (int c = 0; c < threads_a_row; ++c) {
          element[c] *= L[begin + c][begin + c];
          for (int j = c + 1; j < threads_a_row; ++j) element[j] -= element[c] * L[begin + c][begin + j];
          X[begin + c][thread] = element[c];
        }
      }
      __syncthreads();
      if (begin + threads_a_row >= width) break;  // nothing is on the right
      for (int c = begin; c < begin + threads_a_row; ++c)
        for (int k = i + 1; k < own; ++k) y[k] -= X[c][row] * L[c][lane + k * threads_a_row];
    }
    for (int c = thread / rows_a_block; c < width; c += threads_a_row)
      if (there) x[(first + c) * s] = X[c][loaded];
    __syncthreads();
  }
}

/// L21 = A21 L11^-T, in place. @param L11 s x s on the device @param A21 `tiles` tiles, one behind the other
/// @throws ladder::Error when the launch is refused
inline void solve_tiles(const double* L11, double* A21, int tiles, int s, cudaStream_t stream) {
  if (tiles == 0) return;
  const int rows = tiles * s, blocks = (rows + rows_a_block - 1) / rows_a_block;
  solve_rows<<<blocks, rows_a_block * threads_a_row, 0, stream>>>(rows, s, L11, A21);
  ladder::check(cudaGetLastError());
}

}  // namespace cholesky
