#pragma once
/// @file
/// Given, for t1 to t3: the rows of a panel in shared memory. Source: none.

#include <cuda_pipeline.h>

#include "augmented.cuh"
#include "choice.cuh"

namespace gauss {

/// The rows of a panel that a block has. +1: the elements of a row then lie in different banks.
struct Panel {
  double entries[nb][panel_rows + 1];
};

/// Loads the block's rows of a panel, `rows` from row `top` on.
__device__ __forceinline__ void load_rows(const Augmented& M, int first, int top, int rows, Panel& panel) {
  const int t = threadIdx.x, lane = t % 32;
#pragma unroll 16
  for (int r = t / 32; r < rows; r += panel_rows / 32)
    for (int c = lane; c < nb; c += 32)
      __pipeline_memcpy_async(&panel.entries[c][r], &M(top + r, first + c), sizeof(double));
  __pipeline_commit();
}

/// Stores them where they belong: row r in row place[r].
__device__ __forceinline__ void store_rows(const Augmented& M, int first, int rows, const int* place,
                                           const Panel& panel) {
  const int t = threadIdx.x, lane = t % 32;
#pragma unroll 4
  for (int r = t / 32; r < rows; r += panel_rows / 32)
    for (int c = lane; c < nb; c += 32) M(place[r], first + c) = panel.entries[c][r];
}

}  // namespace gauss
