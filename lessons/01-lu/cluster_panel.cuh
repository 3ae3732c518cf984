#pragma once
/// @file
/// Given, for t4 and m1 to m3: the panel of t3. Source: none.

#include <cooperative_groups.h>

#include "cluster_launch.cuh"
#include "common/device/cuda.hpp"
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

/// Copies a row of a thread's registers to shared memory, in pairs.
template <int columns>
inline __device__ void copy_row(const double (&row)[columns], double* shared) {
#pragma unroll
  for (int c = 0; c < columns; c += 2) *reinterpret_cast<double2*>(shared + c) = {row[c], row[c + 1]};
}

/// The twin's exchange: all blocks have posted in global memory, and each copies what they posted.
/// @param posts  [gridDim.x]
/// @param posted, best  [gridDim.x], in shared memory
template <int columns>
inline __device__ void meet_in_memory(const Post* posts, Posted<columns>* posted, Candidate* best) {
  cooperative_groups::this_grid().sync();
  const int thread = threadIdx.x;
  for (int e = thread; e < int(gridDim.x) * columns; e += int(blockDim.x))
    posted[e / columns].row[e % columns] = posts[e / columns].row[e % columns];
  if (thread < int(gridDim.x)) posted[thread].inverse = posts[thread].inverse;
  if (thread < int(gridDim.x)) best[thread] = posts[thread].best;
  __syncthreads();
}

/// Factorises the panel of columns i0 to i0 + width - 1, from row i0 on. All blocks are resident; together
/// they hold all rows.
/// @tparam columns    of the panel, at least `width`; a thread has held / columns rows
/// @tparam clustered  the grid is one cluster; else a cooperative one, which meets in global memory: the twin
/// @param posts  [2][gridDim.x]; two, so that nobody writes what a late block still reads
/// @param from   [n]: row r of the panel's rows i0 to i0 + width - 1 was row from[r]
/// @param to     [n]: what was row r of these is now row to[r]
template <int columns, bool clustered>
__global__ void __launch_bounds__(most_threads)
    factor_panel(Problem p, int i0, int width, Post* posts, int* from, int* to) {
  constexpr int rows = held / columns;
  __shared__ Candidate of_warps[32];
  __shared__ Posted<columns> own_post;
  __shared__ Posted<columns> posted[2]
                                   [max_blocks];  // two, so that nobody writes what a late block still reads
  __shared__ Candidate best_of_block[2][max_blocks];
  const std::size_t n = p.lda;  // from one row to the next
  const bool even = pairs(p);   // a row begins at a multiple of 16 bytes
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int first = i0 + blockIdx.x * rows * blockDim.x + thread;  // the thread's rows are blockDim.x apart

  // Only constants index `a`, so it stays in registers. For that it turns: a[q][0] is always the column of
  // the next pivot, and the columns that are done follow the others.
  double a[rows][columns];
  int place[rows];  // where the row is after the exchanges so far; n: no row
#pragma unroll
  for (int q = 0; q < rows; ++q) {
    const int r = first + q * blockDim.x;
    place[q] = min(r, p.n);
    if (r < i0 + width) from[r] = to[r] = r;
    load_row(a[q], p.A + r * n + i0, r < p.n ? width : 0, even);
  }
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  // Two lanes write to each block, half a row each. Where to is found once: a loop over the blocks would be
  // on the way of every column.
  const int half = lane % 2;
  Posted<columns>* its_posted = nullptr;
  Candidate* its_best = nullptr;
  if constexpr (clustered) {
    cluster.sync();  // a block has shared memory only when it has begun
    const int target = min(lane / 2, int(gridDim.x) - 1);
    its_posted = cluster.map_shared_rank(&posted[0][blockIdx.x], target);
    its_best = cluster.map_shared_rank(&best_of_block[0][blockIdx.x], target);
  }
#endif
#pragma unroll 1
  for (int j = 0; j < width; ++j) {
    const int i = i0 + j;
    Candidate own{-1, p.n};
    double element = 1;
#pragma unroll
    for (int q = 0; q < rows; ++q)
      if (place[q] >= i && place[q] < p.n) {
        const Candidate other{fabs(a[q][0]), place[q]};
        if (larger(own, other).place == other.place) own = other, element = a[q][0];
      }
    const double inverse = 1 / element;  // now, while the search goes on: later all would wait for it
    Candidate best = largest_of_warp(own);
    if (lane == 0) of_warps[warp] = best;
    __syncthreads();
    const Candidate its = lane < int(blockDim.x) / 32 ? of_warps[lane] : Candidate{-1, p.n};
    best = largest_of_warp(its);  // of the block: every warp compares all warps

    const int winner = __ffs(__ballot_sync(~0u, its.place == best.place)) - 1;
    Posted<columns>* const posted_now = posted[j % 2];
    Candidate* const best_now = best_of_block[j % 2];
    [[maybe_unused]] Post* const now = posts + j % 2 * gridDim.x;
    if (warp == winner) {
      if (own.place == best.place) own_post.inverse = inverse;
#pragma unroll
      for (int q = 0; q < rows; ++q)
        if (place[q] == best.place) copy_row(a[q], own_post.row);
      __syncwarp();
      if constexpr (clustered) {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
        Posted<columns>& there = its_posted[j % 2 * max_blocks];
#pragma unroll
        for (int e = 0; e < columns / 2; e += 2) {
          const int c = half * columns / 2 + e;
          const double2 both = *reinterpret_cast<const double2*>(own_post.row + c);
          *reinterpret_cast<double2*>(there.row + c) = {c < columns - j ? both.x : 0,
                                                        c + 1 < columns - j ? both.y : 0};
        }
        if (half == 0) there.inverse = own_post.inverse;
        if (half == 1) its_best[j % 2 * max_blocks] = best;
#endif
      } else {
        if (lane < columns) now[blockIdx.x].row[lane] = lane < columns - j ? own_post.row[lane] : 0;
        if (lane == 0) now[blockIdx.x].inverse = own_post.inverse;
        if (lane == 0) now[blockIdx.x].best = best;
      }
    }
    if constexpr (clustered) {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
      cluster.sync();  // the only wait for this column
#endif
    } else {
      meet_in_memory(now, posted_now, best_now);
    }
    const Candidate of_block = lane < int(gridDim.x) ? best_now[lane] : Candidate{-1, p.n};
    best = largest_of_warp(of_block);
    const int block = __ffs(__ballot_sync(~0u, of_block.place == best.place)) - 1;

    const Posted<columns>& chosen = posted_now[block];
    const double pivot = chosen.row[0];
    const int from_place = min(max(best.place, i), p.n - 1);  // without numbers there is no candidate
#pragma unroll
    for (int q = 0; q < rows; ++q) {
      if (place[q] == from_place)
        place[q] = i;
      else if (place[q] == i)
        place[q] = from_place;
      const bool loses = place[q] > i && pivot != 0;
      const double factor = loses ? divided(a[q][0], pivot, chosen.inverse) : 0;
      const double done = loses ? factor : a[q][0];
#pragma unroll
      for (int c = 1; c < columns; ++c) a[q][c - 1] = a[q][c] - factor * chosen.row[c];
      a[q][columns - 1] = done;
    }
    if (blockIdx.x == 0 && thread == 0) {
      p.pivot[i] = from_place;
      if (pivot == 0 && *p.info == 0) *p.info = i + 1;
    }
  }
#pragma unroll
  for (int q = 0; q < rows; ++q) {
    const int r = first + q * blockDim.x;
    if (r >= p.n) continue;
    store_row(a[q], p.A + place[q] * n + i0, width, even);
    if (place[q] < i0 + width) from[place[q]] = r;
    if (r < i0 + width) to[r] = place[q];
  }
}

/// The kernel for panels of that many columns.
template <bool clustered>
Kernel panel_kernel(int columns) {
  switch (columns) {
    case 32:
      return factor_panel<32, clustered>;
    case 16:
      return factor_panel<16, clustered>;
    case 8:
      return factor_panel<8, clustered>;
    default:
      return factor_panel<4, clustered>;
  }
}

}  // namespace lu
