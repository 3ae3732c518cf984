#pragma once
/// @file
/// Given, for t1: how the blocks of a grid choose a pivot together. Each block announces its best row with
/// all entries of the row; each block reads all announcements and finds the same winner. The grid waits once
/// per pivot.
///
/// On a GPU nobody waits at a barrier of the grid: a reader repeats its loads until they show what was sent.
/// Every 8 bytes hold 4 bytes of contents, and for which pivot they were sent; a GPU stores and loads such 8
/// bytes as a whole, so no fence is needed. Source: the LL protocol of NCCL. On the executor, grid.sync()
/// separates stores from loads; with LADDER_GAUSS_GRID_SYNC defined on a GPU too, to compare.

#include <cooperative_groups.h>

#include "common/device/cuda.hpp"

#if defined LADDER_EXECUTOR || defined LADDER_GAUSS_GRID_SYNC
#define LADDER_GAUSS_MESSAGES 0
#else
#define LADDER_GAUSS_MESSAGES 1
#endif

namespace gauss {

constexpr int nb = 64;           // pivots, and columns, of a panel
constexpr int no_row = 0xffff;   // more than any row: n <= 46,340
constexpr int panel_rows = 128;  // rows of a panel in one block of the grid: one per thread

/// A row that may be the pivot's. The bits of |entry| are compared: as integers they have the order of the
/// numbers.
struct Contender {
  unsigned long long size;
  int row;
};

inline __device__ Contender contender(double entry, int row) {
  return {static_cast<unsigned long long>(__double_as_longlong(fabs(entry))), row};
}

/// What a thread has whose row takes no part: every other row wins.
inline __device__ Contender no_contender() {
  return {0, no_row};
}

/// The largest; of equal ones the row that comes first. All lanes get it.
inline __device__ Contender best_of_warp(Contender own) {
#if defined LADDER_EXECUTOR || __CUDA_ARCH__ >= 800
  const unsigned high = own.size >> 32, low = unsigned(own.size);
  const unsigned best_high = __reduce_max_sync(~0u, high);
  const unsigned best_low = __reduce_max_sync(~0u, high == best_high ? low : 0);
  const bool best = high == best_high && low == best_low;
  return {(unsigned long long)best_high << 32 | best_low, __reduce_min_sync(~0u, best ? own.row : no_row)};
#else
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    const Contender other{__shfl_xor_sync(~0u, own.size, lanes), __shfl_xor_sync(~0u, own.row, lanes)};
    if (other.size > own.size || (other.size == own.size && other.row < own.row)) own = other;
  }
  return own;
#endif
}

/// All threads of a block of panel_rows threads get it. @param of_warps shared; in use until the next barrier
/// of the block
inline __device__ Contender best_of_block(Contender own, Contender* of_warps) {
  constexpr int warps = panel_rows / 32;
  const int lane = threadIdx.x % 32;
  own = best_of_warp(own);
  if (lane == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();  // every warp then compares all: that is done sooner than another barrier
  return best_of_warp(lane < warps ? of_warps[lane] : no_contender());
}

#if LADDER_GAUSS_MESSAGES
/// 8 bytes of contents in flight from one block to all others. The other words hold for which pivot they
/// were sent, in 16 bits, and 16 bits more.
struct alignas(16) Message {
  unsigned low, low_pivot, high, high_pivot;
};

inline __device__ void send(Message* to, unsigned long long contents, unsigned more, unsigned pivot) {
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)),
               "r"(unsigned(contents)), "r"(pivot | more << 16), "r"(unsigned(contents >> 32)), "r"(pivot)
               : "memory");
}

/// Waits until all of them have been sent.
template <int count>
__device__ void receive(const Message* const (&from)[count], unsigned pivot,
                        unsigned long long (&contents)[count], unsigned (&more)[count]) {
  Message m[count];
  bool all;
  do {
    all = true;
#pragma unroll
    for (int i = 0; i < count; ++i)
      asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(m[i].low), "=r"(m[i].low_pivot), "=r"(m[i].high), "=r"(m[i].high_pivot)
                   : "l"(__cvta_generic_to_global(from[i]))
                   : "memory");
#pragma unroll
    for (int i = 0; i < count; ++i)
      all = all && (m[i].low_pivot & 0xffff) == pivot && m[i].high_pivot == pivot;
  } while (!all);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    contents[i] = (unsigned long long)m[i].high << 32 | m[i].low;
    more[i] = m[i].low_pivot >> 16;
  }
}

inline __device__ void wait_for_all() {}
#else
struct Message {
  unsigned long long contents;
  unsigned more;
};

inline __device__ void send(Message* to, unsigned long long contents, unsigned more, unsigned) {
  *to = {contents, more};
}
template <int count>
__device__ void receive(const Message* const (&from)[count], unsigned, unsigned long long (&contents)[count],
                        unsigned (&more)[count]) {
  for (int i = 0; i < count; ++i) contents[i] = from[i]->contents, more[i] = from[i]->more;
}
inline __device__ void wait_for_all() {
  cooperative_groups::this_grid().sync();
}
#endif

/// What a block knows of the pivots of a panel. In shared memory.
struct Choice {
  Contender of_warps[panel_rows / 32];
  double ours[nb];  ///< what the block announces
  alignas(16) double rows_of_two[2][nb + 2];
  double inverse;  ///< 1 / |pivot|; 0 where that is no number
  int rows[nb];    ///< the row of each pivot of the panel

  /// The row of pivot k, from its diagonal element on: nb entries, and a 0. Entry 1 is at a multiple of 16
  /// bytes: from there on a thread reads two at once.
  __device__ double* entries(int k) { return rows_of_two[k % 2] + 1; }

  /// No pivot is chosen yet. All threads of the block call it; a barrier follows.
  __device__ void clear() {
    for (int c = threadIdx.x; c < 2 * (nb + 2); c += panel_rows) rows_of_two[c / (nb + 2)][c % (nb + 2)] = 0;
  }
};

/// Where the blocks tell each other of the pivots. In device memory, zero at first.
struct Announcements {
  static constexpr int max_blocks = 512;
  Message best[2][max_blocks];  ///< |entry| and row of each block's best row; of pivots k, k % 2 = 0 or 1
  /// Its entries from the pivot's column on, and 1 / |the first one|.
  Message entries[2][max_blocks][nb + 1];
};

/// Announcements of pivot k of the panel that begins in column `first`.
/// A block may still read what was announced for pivot k - 1, but not for k - 2: for k - 1 it had to hear of
/// all others.
struct Board {
  Announcements* announcements;
  int first, k;
  __device__ unsigned pivot() const {
    return first + k + 1;
  }  ///< not 0: that is what the memory holds at first
  __device__ Message* best(int block) const { return &announcements->best[k % 2][block]; }
  __device__ Message* entries(int block) const { return announcements->entries[k % 2][block]; }
};

/// Announces the size of the block's best row. All threads of the block call it. @return the best row
inline __device__ Contender announce(Choice& choice, const Board& board, Contender own) {
  const Contender best = best_of_block(own, choice.of_warps);
  // A block without rows says so.
  if (best.row == no_row ? threadIdx.x == 0 : best.row == own.row)
    send(board.best(blockIdx.x), best.size, best.row, board.pivot());
  return best;
}

/// Announces the entries of the block's best row: the warp that has it sends them, while another one inverts
/// the first of them. All threads of the block call it.
/// @param row  the thread's
/// @param a    its entries from the pivot's column on
template <int count>
__device__ void announce_entries(Choice& choice, const Board& board, const Contender& best, int row,
                                 const double (&a)[count]) {
  const int t = threadIdx.x, lane = t % 32, thread_of_best = best.row - (row - t);
  if (best.row == no_row) return;
  Message* const entries = board.entries(blockIdx.x);
  if (t == (thread_of_best + 32) % panel_rows) {
    const double inverse = 1 / __longlong_as_double(best.size);
    send(entries + nb, __double_as_longlong(isfinite(inverse) ? inverse : 0), 0, board.pivot());
  }
  if (t / 32 != thread_of_best / 32) return;
  if (t == thread_of_best) {
#pragma unroll
    for (int c = 0; c < nb; ++c) choice.ours[c] = a[c];
  }
  __syncwarp();  // the row is in shared memory
  for (int c = lane; c < nb; c += 32)
    send(entries + c, __double_as_longlong(choice.ours[c]), 0, board.pivot());
}

/// Hears all announcements, and chooses the pivot. All threads of the block call it; ends with a barrier.
inline __device__ void choose(Choice& choice, const Board& board) {
  const int t = threadIdx.x, lane = t % 32;
  wait_for_all();
  if (t < 32) {  // one warp: the fewer ask, the sooner memory answers
    Contender winner = no_contender();
    for (int block = lane; block - lane < gridDim.x; block += 64) {
      // A block past the end is the last one: to hear of a block twice changes nothing.
      const int last = gridDim.x - 1;
      const Message* const from[] = {board.best(min(block, last)), board.best(min(block + 32, last))};
      unsigned long long size[2];
      unsigned row[2];
      receive(from, board.pivot(), size, row);
      for (int i = 0; i < 2; ++i)
        if (size[i] > winner.size || (size[i] == winner.size && int(row[i]) < winner.row))
          winner = {size[i], int(row[i])};
    }
    winner = best_of_warp(winner);
    const Message* const entries = board.entries((winner.row - board.first) / panel_rows);
    const Message* const from[] = {entries + lane, entries + lane + 32, entries + nb};
    unsigned long long entry[3];
    unsigned nothing[3];
    receive(from, board.pivot(), entry, nothing);
    choice.entries(board.k)[lane] = __longlong_as_double(entry[0]);
    choice.entries(board.k)[lane + 32] = __longlong_as_double(entry[1]);
    if (lane == 0) {
      choice.inverse = __longlong_as_double(entry[2]);
      choice.rows[board.k] = winner.row;
    }
  }
  __syncthreads();  // the pivot's row is there
}

}  // namespace gauss
