#pragma once
/// @file
/// Given, for t2 to t4 and m1 to m3: the rows of a panel in registers, and the largest element of a column.
/// Source: none.

#include "panel_post.cuh"
#include "problem.hpp"
#include "resident.cuh"

namespace lu {

/// The same for all blocks, in shared memory.
template <int columns>
struct alignas(16) Posted {
  double row[columns];
  double inverse;
  double unused;  // so that every row begins at a multiple of 16 bytes
};

/// The rows of a panel that a thread holds. Only constants index `a`, so it stays in registers. For that it
/// turns: a[q][0] is always the column of the next pivot, and the columns that are done follow the others.
template <int columns>
struct Rows {
  static constexpr int count = held / columns;
  double a[count][columns];
  int place[count];  // where the row is after the exchanges so far; n: no row
};

/// A panel, and which of its rows a thread has.
struct Panel {
  const Problem& p;
  int i0, width;
  int first;       // the thread's first row; the others are blockDim.x apart
  bool even;       // a row begins at a multiple of 16 bytes
  int *from, *to;  // see factor_panel
};

/// Loads the thread's rows. None has moved yet.
template <int columns>
__device__ __forceinline__ void load_rows(Rows<columns>& rows, const Panel& panel) {
  auto& [a, place] = rows;
  const auto& [p, i0, width, first, even, from, to] = panel;
  const std::size_t n = p.lda;  // from one row to the next
#pragma unroll
  for (int q = 0; q < rows.count; ++q) {
    const int r = first + q * blockDim.x;
    place[q] = min(r, p.n);
    if (r < i0 + width) from[r] = to[r] = r;
    load_row(a[q], p.A + r * n + i0, r < p.n ? width : 0, even);
  }
}

/// @return the thread's candidate for pivot i. @param element  of that, if there is one
template <int columns>
__device__ __forceinline__ Candidate largest_of_thread(const Rows<columns>& rows, int i, int n,
                                                       double& element) {
  const auto& [a, place] = rows;
  Candidate own{-1, n};
#pragma unroll
  for (int q = 0; q < rows.count; ++q)
    if (place[q] >= i && place[q] < n) {
      const Candidate other{fabs(a[q][0]), place[q]};
      if (larger(own, other).place == other.place) own = other, element = a[q][0];
    }
  return own;
}

/// @return the largest candidate of the block: every warp compares all warps. @param winner  its warp
inline __device__ Candidate largest_of_block(Candidate own, int n, Candidate* of_warps, int& winner) {
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const Candidate of_warp = largest_of_warp(own);
  if (lane == 0) of_warps[warp] = of_warp;
  __syncthreads();
  const Candidate its = lane < int(blockDim.x) / 32 ? of_warps[lane] : Candidate{-1, n};
  const Candidate best = largest_of_warp(its);
  winner = __ffs(__ballot_sync(~0u, its.place == best.place)) - 1;
  return best;
}

}  // namespace lu
