/// @file
/// t5: asynchronous stores. In t4 all blocks of a panel's cluster wait at its barrier, in each column. Here a
/// block stores its candidate and that row into the others' memory, each store says itself that it has
/// arrived, and meanwhile all rows change. Before: t4, a barrier of the cluster per column. Source: none.

#include <cooperative_groups.h>

#include "cluster_launch.cuh"
#include "cluster_mail.cuh"
#include "common/device/cuda.hpp"
#include "look_ahead.cuh"
#include "problem.hpp"
#include "resident.cuh"

namespace lu {
namespace {

/// For messages: a column's may be overwritten by those of the fourth column after it.
constexpr int boxes = 4;

/// A row that may be the pivot's.
struct alignas(16) Contender {
  double element;
  unsigned size;  ///< of |element|, as far as the upper half of its bits tells; 0: no row
  int place;      ///< where the row is after the exchanges so far
};

/// The same without the element.
struct alignas(8) Standing {
  int place;
  unsigned size;
};

/// What a block says about a column: the best of its rows.
template <int columns>
struct alignas(16) Message {
  double row[columns];
  double inverse;  ///< of row[0]; 0 if that has no inverse, or none with all its digits
  Standing standing;
};

/// Doubles that are not negative are ordered as their bits are, and these as their upper halves, but for
/// equal ones.
inline __device__ unsigned size_of(double x) {
  return (unsigned(__double2hiint(x)) & 0x7fffffffu) + 1;
}

inline __device__ unsigned max_of_warp(unsigned x) {
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
  return __reduce_max_sync(~0u, x);  // by the hardware
#else
  for (int lanes = 16; lanes > 0; lanes /= 2) x = max(x, __shfl_xor_sync(~0u, x, lanes));
  return x;
#endif
}

/// The lane with the largest |element|; of equal ones, that with the lowest place. One reduction is enough,
/// unless several lanes have the same upper half.
inline __device__ int largest_of_warp(unsigned size, double element, int place) {
  unsigned lanes = __ballot_sync(~0u, size == max_of_warp(size));
  if ((lanes & (lanes - 1)) != 0) {
    const bool among = lanes >> threadIdx.x % 32 & 1;
    const unsigned low = unsigned(__double2loint(element));
    const unsigned most = max_of_warp(among ? low : 0);
    const bool equal = among && low == most;
    const unsigned lowest = ~max_of_warp(equal ? ~unsigned(place) : 0);
    lanes = __ballot_sync(~0u, equal && unsigned(place) == lowest);
  }
  return __ffs(lanes) - 1;
}

/// 1 / x; 0 where that may have lost digits: the rows are then divided by x itself.
inline __device__ double inverse_of(double x) {
  const unsigned exponent = size_of(x) >> 20;  // 1,023 more than that of x
  const double inverse = 1 / x;
  return 24 <= exponent && exponent <= 2022 ? inverse : 0;
}

/// Copies a row of a thread's registers to shared memory, in pairs.
template <int columns>
inline __device__ void copy_row(const double (&row)[columns], double* shared) {
#pragma unroll
  for (int c = 0; c < columns; c += 2) *reinterpret_cast<double2*>(shared + c) = {row[c], row[c + 1]};
}

/// The twin's messages: all blocks have posted theirs in global memory, and each copies them to its mailbox.
template <int columns>
inline __device__ void meet_in_memory(const Post* posts, Message<columns>* messages) {
  cooperative_groups::this_grid().sync();
  const int thread = threadIdx.x, blocks = gridDim.x;
  for (int e = thread; e < blocks * columns; e += int(blockDim.x))
    messages[e / columns].row[e % columns] = posts[e / columns].row[e % columns];
  if (thread < blocks) {
    const Post& of = posts[thread];
    messages[thread].inverse = of.inverse;
    messages[thread].standing = {of.best.place, of.best.size < 0 ? 0 : size_of(of.best.size)};
  }
  __syncthreads();
}

/// The rows of a panel that a thread holds. Only constants index `a`, so it stays in registers. For that it
/// turns by one element per column: a[q][1] is the element of the next pivot's column, before it has lost
/// anything to the pivot before; those of columns that are done come last.
template <int columns>
struct Rows {
  static constexpr int count = held / columns;
  double a[count][columns];
  int place[count];           // where the row is after the exchanges so far; n: no row
  double factor[count] = {};  // what the row loses of the row of the pivot before
  bool loses[count] = {};     // whether it is below it
  double next[count];         // the row's element of this column, after it has lost that

  /// @param first  row of A; the thread's rows are blockDim.x apart
  __device__ __forceinline__ void load(const Problem& p, int i0, int width, int first, bool even, int* from,
                                       int* to) {
#pragma unroll
    for (int q = 0; q < count; ++q) {
      const int r = first + q * blockDim.x;
      place[q] = min(r, p.n);
      if (r < i0 + width) from[r] = to[r] = r;
      double loaded[columns];
      load_row(loaded, p.A + r * std::size_t(p.n) + i0, r < p.n ? width : 0, even);
#pragma unroll
      for (int c = 0; c < columns; ++c) a[q][(c + 1) % columns] = loaded[c];
    }
  }

  /// @return the thread's best row for column i
  __device__ __forceinline__ Contender search([[maybe_unused]] int i, int n,
                                              [[maybe_unused]] double of_pivot) {
    // TASK, 9 lines: Into next[q] what a[q][1] is after the row has lost factor[q] times of_pivot: nothing
    //  else changes yet. And into `own` the thread's best row that is no pivot's yet: there place[q] is at
    //  least i, and less than n. Of several, the one of the largest element; of equal ones the lowest place.
    for (double& x : next) x = 0;
    Contender own{0, 0, n};
    ladder::task();  // Delete this line when you start.
    return own;
  }

  /// Copies the row in that place, and what it loses: only where the thread has it.
  __device__ __forceinline__ void copy(int its_place, double* row, double& its_factor) const {
#pragma unroll
    for (int q = 0; q < count; ++q)
      if (count == 1 || place[q] == its_place) {
        copy_row(a[q], row);
        its_factor = factor[q];
      }
  }

  /// @param pivot  the row of the pivot before
  __device__ __forceinline__ void lose([[maybe_unused]] const double* pivot) {
    // TASK, 8 lines: Messages are in flight. Now subtract from the rest of each row its multiple of the
    //  pivot's, and turn it by one: a[q][c] becomes a[q][c - 1], and a[q][0], which is done, a[q][columns -
    //  1]: the factor, in rows that change. next[q] is done.
  }

  /// @param inverse  of pivot[0]
  /// @param divides  whether there is none: rare
  __device__ __forceinline__ void exchange(int i, [[maybe_unused]] int from_place, const double* pivot,
                                           [[maybe_unused]] double inverse,
                                           [[maybe_unused]] bool divides) {
    // TASK, 15 lines: Rows i and from_place exchange their places. Then `loses` is true for all rows below i,
    //  and factor[q] is what the row loses of the pivot's: a[q][0] times `inverse`, or 0. If there is none,
    //  `divides`, pivot[0] divides; if that is 0, no row loses anything.
  }

  /// @param pivot  the row of the last pivot
  __device__ __forceinline__ void store(const Problem& p, int i0, int width, int first, bool even,
                                        const double* pivot, int* from, int* to) {
#pragma unroll
    for (int q = 0; q < count; ++q) {
      const double done = loses[q] ? factor[q] : a[q][0];
#pragma unroll
      for (int c = 1; c < columns; ++c) a[q][c - 1] = fma(-factor[q], pivot[c], a[q][c]);
      a[q][columns - 1] = done;
      const int r = first + q * blockDim.x;
      if (r >= p.n) continue;
      store_row(a[q], p.A + place[q] * std::size_t(p.n) + i0, width, even);
      if (place[q] < i0 + width) from[place[q]] = r;
      if (r < i0 + width) to[r] = place[q];
    }
  }
};

/// The block's best row, one lane per column. @param left  columns that are not done
template <int columns>
inline __device__ double element_of_lane([[maybe_unused]] const double* own_row,
                                         [[maybe_unused]] double own_factor,
                                         [[maybe_unused]] const double* pivot,
                                         [[maybe_unused]] int left) {
  [[maybe_unused]] const int lane = threadIdx.x % 32;
  // TASK, 3 lines: The lane's `element` of the block's best row, from column j on. own_row has it as it is in
  //  that row's thread: turned by one, and before it has lost own_factor times the pivot's row. It is 0 from
  //  element `left` on.
  const double element = 0;
  return element;
}

#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
/// Stores a row in all blocks of the cluster, one lane per element.
/// @param own_box  where this block's messages are in each block: the row comes first
/// @param sent     elements
inline __device__ void send_row(mail::Address own_box, mail::Address barrier, double element, int sent) {
  const int lane = threadIdx.x % 32, blocks = gridDim.x;
  // TASK, 8 lines: Store it in the row in each block's box for this block: lane c element c, the first `sent`
  //  elements. A store that must not be is store(false, ...): a branch would be slower.
}
#endif

/// Factorises the panel of columns i0 to i0 + width - 1, from row i0 on. All blocks are resident; together
/// they hold all rows.
/// @tparam columns    of the panel, at least `width`; a thread has held / columns rows
/// @tparam clustered  the grid is one cluster; else a cooperative one, which meets in global memory: the twin
/// @param posts  [2][gridDim.x], for the twin
/// @param from   [n]: row r of the panel's rows i0 to i0 + width - 1 was row from[r]
/// @param to     [n]: what was row r of these is now row to[r]
template <int columns, bool clustered>
__global__ void __launch_bounds__(most_threads)
    factor_panel(Problem p, int i0, int width, [[maybe_unused]] Post* posts, int* from, int* to) {
  __shared__ Contender of_warps[2][32];
  __shared__ alignas(16) double own_row[columns];  // the block's best
  __shared__ double own_factor;
  __shared__ Message<columns> mailbox[boxes][max_blocks];
  __shared__ double zeros[columns];
  const bool even = pairs(p);  // a row begins at a multiple of 16 bytes
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int blocks = gridDim.x, warps = blockDim.x / 32;
  const int first = i0 + blockIdx.x * Rows<columns>::count * blockDim.x + thread;
  if (thread < columns) zeros[thread] = 0;

  Rows<columns> rows;
  rows.load(p, i0, width, first, even, from, to);
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
  __shared__ unsigned long long arrived[boxes];  // barriers: all messages of a column are there
  // Where they are is found once: it would be on the way of every column.
  const mail::Address barriers = mail::address_of(arrived),
                      own_boxes = mail::address_of(&mailbox[0][blockIdx.x]);
  if constexpr (clustered) {
    if (thread < boxes) mail::begin(barriers + 8 * thread);
    mail::publish();
    cooperative_groups::this_cluster().sync();  // a block has shared memory only when it has begun
  }
#endif
  __syncthreads();

  const double* pivot = zeros;  // the row of the pivot before
  double of_pivot = 0;          // pivot[1], its element of column j
#pragma unroll 1
  for (int j = 0; j < width; ++j) {
    const int i = i0 + j, box = j % boxes;
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
    // Elements of a message that are not 0, and those that its box may still have from four columns ago: an
    // even number.
    const int sent = min(columns, (columns - j + boxes + 1) & ~1);
    const mail::Address barrier = barriers + 8 * box, own_box = own_boxes + box * unsigned(sizeof mailbox[0]);
    if (clustered && thread == 0) mail::expect(barrier, blocks * (sent * 8 + 16));
#endif
    const Contender own = rows.search(i, p.n, of_pivot);
    const int best_lane = largest_of_warp(own.size, own.element, own.place);
    if (lane == best_lane) of_warps[j % 2][warp] = own;
    __syncthreads();  // the only one for this column
    const Contender its = lane < warps ? of_warps[j % 2][lane] : Contender{0, 0, p.n};
    const int winner = largest_of_warp(its.size, its.element, its.place);

    [[maybe_unused]] Post* const post = posts + j % 2 * gridDim.x + blockIdx.x;
    if (warp == winner) {
      if (lane == best_lane) rows.copy(own.place, own_row, own_factor);
      __syncwarp();
      const double element = element_of_lane<columns>(own_row, own_factor, pivot, columns - j);
      if constexpr (clustered) {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
        send_row(own_box, barrier, element, sent);
#endif
      } else if (lane < columns) {
        post->row[lane] = element;
      }
    }
    if (warp == (winner + 1 < warps ? winner + 1 : 0)) {  // another warp divides meanwhile, if there is one
      const double element = __shfl_sync(~0u, its.element, winner);
      const unsigned size = __shfl_sync(~0u, its.size, winner);
      const int its_place = __shfl_sync(~0u, its.place, winner);
      const double inverse = inverse_of(element);
      if constexpr (clustered) {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
        if (lane < blocks)
          mail::store_pair(mail::address_in(own_box + 8 * columns, lane), __double_as_longlong(inverse),
                           (long long)(size) << 32 | unsigned(its_place), mail::address_in(barrier, lane));
#endif
      } else if (lane == 0) {
        post->inverse = inverse;
        post->best = {size > 0 ? fabs(element) : -1, its_place};
      }
    }
    rows.lose(pivot);
    if constexpr (clustered) {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
      // TASK, 1 line: Wait for the box's barrier. Which of its rounds is it?
#endif
    } else {
      meet_in_memory(posts + j % 2 * gridDim.x, mailbox[box]);
    }
    const Message<columns>* const messages = mailbox[box];
    const Standing standing = lane < blocks ? messages[lane].standing : Standing{p.n, 0};
    const int chosen =
        largest_of_warp(standing.size, lane < blocks ? messages[lane].row[0] : 0, standing.place);
    const double inverse = messages[chosen].inverse;
    const int from_place =
        min(max(messages[chosen].standing.place, i), p.n - 1);  // without numbers there is no candidate
    const bool divides = __double2hiint(inverse) == 0;          // there is no inverse, which is rare
    of_pivot = messages[chosen].row[1];
    pivot = messages[chosen].row;
    rows.exchange(i, from_place, pivot, inverse, divides);
    if (blockIdx.x == 0 && thread == 0) {
      p.pivot[i] = from_place;
      if (divides && pivot[0] == 0 && *p.info == 0) *p.info = i + 1;
    }
  }
  rows.store(p, i0, width, first, even, pivot, from, to);
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

}  // namespace

/// PA = LU, of a matrix that is on the device, with t4's look-ahead.
/// @throws ladder::Error when the device refuses a launch, or cannot hold a panel of four columns.
void async_stores(const Problem& p) {
  // A column costs less than in t4, so narrower blocks pay: fewer products are on the way to the next panel.
  const int outer = p.n <= 4096 ? 32 : p.n <= 8192 ? 128 : 256;
  look_ahead(p, {panel_kernel<true>, panel_kernel<false>}, outer);
}

}  // namespace lu
