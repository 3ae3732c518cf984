#pragma once
/// @file
/// Given, for t1: how the blocks of a grid choose a pivot together. Each block announces its best row with all entries of the
/// row; each block reads all announcements and finds the same winner. The grid waits once per pivot.
///
/// On a GPU nobody waits at a barrier of the grid: a reader repeats its loads until they show what was sent. Every 8 bytes
/// hold 4 bytes of a number and 4 bytes that say for which pivot they were sent; a GPU stores and loads such 8 bytes as a
/// whole, so no fence is needed. Source: the LL protocol of NCCL. On the executor, grid.sync() separates stores from loads.

#include <cooperative_groups.h>

#include <climits>

#include "common/device/cuda.hpp"

#if defined LADDER_EXECUTOR || defined LADDER_GAUSS_GRID_SYNC
#define LADDER_GAUSS_MESSAGES 0
#else
#define LADDER_GAUSS_MESSAGES 1
#endif

namespace gauss {

constexpr int nb = 64;           // pivots, and columns, of a panel
constexpr int panel_rows = 128;  // rows of a panel in one block of the grid: one per thread

/// A row that may be the pivot's. The bits of |entry| are compared: as integers they have the order of the numbers.
struct Contender {
  unsigned long long size;
  int row;
};

inline __device__ Contender contender(double entry, int row) {
  return {static_cast<unsigned long long>(__double_as_longlong(fabs(entry))), row};
}

/// What a thread has whose row takes no part: every other row wins.
inline __device__ Contender no_contender() {
  return {0, INT_MAX};
}

/// The largest; of equal ones the row that comes first. All lanes get it.
inline __device__ Contender best_of_warp(Contender own) {
#if defined LADDER_EXECUTOR || __CUDA_ARCH__ >= 800
  const unsigned high = own.size >> 32, low = unsigned(own.size);
  const unsigned best_high = __reduce_max_sync(~0u, high);
  const unsigned best_low = __reduce_max_sync(~0u, high == best_high ? low : 0);
  const bool best = high == best_high && low == best_low;
  return {(unsigned long long)best_high << 32 | best_low, __reduce_min_sync(~0u, best ? own.row : INT_MAX)};
#else
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    const Contender other{__shfl_xor_sync(~0u, own.size, lanes), __shfl_xor_sync(~0u, own.row, lanes)};
    if (other.size > own.size || (other.size == own.size && other.row < own.row)) own = other;
  }
  return own;
#endif
}

/// All threads of a block of panel_rows threads get it. @param of_warps  shared; in use until the next barrier of the block
inline __device__ Contender best_of_block(Contender own, Contender* of_warps) {
  constexpr int warps = panel_rows / 32;
  const int lane = threadIdx.x % 32;
  own = best_of_warp(own);
  if (lane == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();  // every warp then compares all: that is done sooner than another barrier
  return best_of_warp(lane < warps ? of_warps[lane] : no_contender());
}

#if LADDER_GAUSS_MESSAGES
/// A number on its way from one block to all others.
struct alignas(16) Message {
  unsigned low, low_pivot, high, high_pivot;
};

inline __device__ void send(Message* to, double value, unsigned pivot) {
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)),
               "r"(__double2loint(value)), "r"(pivot), "r"(__double2hiint(value)), "r"(pivot)
               : "memory");
}

/// Waits until all of them have been sent.
template <int count>
__device__ void receive(const Message* from, unsigned pivot, double (&values)[count]) {
  Message m[count];
  bool all;
  do {
    all = true;
#pragma unroll
    for (int i = 0; i < count; ++i)
      asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(m[i].low), "=r"(m[i].low_pivot), "=r"(m[i].high), "=r"(m[i].high_pivot)
                   : "l"(__cvta_generic_to_global(from + i))
                   : "memory");
#pragma unroll
    for (int i = 0; i < count; ++i) all = all && m[i].low_pivot == pivot && m[i].high_pivot == pivot;
  } while (!all);
#pragma unroll
  for (int i = 0; i < count; ++i) values[i] = __hiloint2double(m[i].high, m[i].low);
}

inline __device__ void wait_for_all() {}
#else
using Message = double;

inline __device__ void send(Message* to, double value, unsigned) {
  *to = value;
}
template <int count>
__device__ void receive(const Message* from, unsigned, double (&values)[count]) {
  for (int i = 0; i < count; ++i) values[i] = from[i];
}
inline __device__ void wait_for_all() {
  cooperative_groups::this_grid().sync();
}
#endif

/// A block's best row.
struct Announcement {
  Message size_and_row[2];
  Message entries[nb];
};

/// What a block knows of the pivots of a panel. In shared memory.
struct Choice {
  Contender of_warps[2][panel_rows / 32];
  double entries[nb + 1];  ///< the pivot's row, from its diagonal element on; the last one is 0
  double inverse;          ///< 1 / |pivot|; 0 where that is no number
  int rows[nb];            ///< the row of each pivot of the panel
};

/// Chooses pivot k of the panel that begins in column `first`. All threads of the grid call it together.
/// @param own    the thread's row
/// @param a      its entries from the pivot's column on
/// @param board  [2][gridDim.x]; no announcement of a later pivot of this call, nor one with the same number of an earlier one
inline __device__ void choose(Choice& choice, Announcement* board, int first, int k, Contender own,
                              const double (&a)[nb]) {
  const int t = threadIdx.x;
  const unsigned pivot = first + k + 1;  // not 0: that is what the board holds at first
  // A block may still read the announcements of pivot k - 1, but not those of k - 2: for k - 1 it had to hear of all others.
  Announcement* const announcements = board + k % 2 * gridDim.x;
  const Contender best = best_of_block(own, choice.of_warps[0]);
  if (best.row == INT_MAX ? t == 0 : best.row == own.row) {
    Announcement& ours = announcements[blockIdx.x];
    send(&ours.size_and_row[0], __longlong_as_double(best.size), pivot);
    send(&ours.size_and_row[1], best.row, pivot);
#pragma unroll
    for (int c = 0; c < nb; ++c) send(&ours.entries[c], a[c], pivot);
  }
  wait_for_all();
  Contender winner = no_contender();
  for (int block = t; block < gridDim.x; block += panel_rows) {
    double its[2];
    receive(announcements[block].size_and_row, pivot, its);
    const Contender other = contender(its[0], int(its[1]));
    if (other.size > winner.size || (other.size == winner.size && other.row < winner.row)) winner = other;
  }
  winner = best_of_block(winner, choice.of_warps[1]);
  if (t == panel_rows - 1) {  // while others receive the row
    const double inverse = 1 / __longlong_as_double(winner.size);
    choice.inverse = isfinite(inverse) ? inverse : 0;
    choice.rows[k] = winner.row;
    choice.entries[nb] = 0;
  }
  if (t < nb) {
    double entry[1];
    receive(&announcements[(winner.row - first) / panel_rows].entries[t], pivot, entry);
    choice.entries[t] = entry[0];
  }
  __syncthreads();  // the pivot's row is there
}

}  // namespace gauss
