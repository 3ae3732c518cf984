#pragma once
/// @file
/// Contract of lesson 00: seven small computations on a gray image, each by one kernel.
/// Source: none; they are the field's first exercises.

#include <cstddef>
#include <iterator>

#include "common/lesson/lesson.hpp"

namespace first_steps {

/// What is to be computed from the image A. README.md says which rung computes which.
enum class Wanted {
  brightened,  ///< B[i][j] = gain A[i][j] + offset
  /// B[i][j] = A[i][j-1] / 4 + A[i][j] / 2 + A[i][j+1] / 4; left and right of a row its edge is repeated.
  blurred,
  transposed,  ///< B[j][i] = A[i][j]: B has as many rows as A has columns
  row_sums,    ///< sum[i] = A[i][0] + A[i][1] + ...
  histogram,   ///< count[b] = number of elements with b / bins <= A[i][j] < (b + 1) / bins
  places,      ///< place[i][j] = number of bright elements left of A[i][j], in A[i][0] ... A[i][j-1]
  softened,    ///< B[i][j] = A[i][j], or, where that is bright, x after `softening_steps` steps
};

constexpr int bins = 256;             ///< of the histogram. A power of two: A[i][j] * bins is then exact.
constexpr int softening_steps = 128;  ///< x = x - x * x * x / 64, from x = A[i][j]

/// An image and what is wanted of it. Matrices are row-major, without padding: A[i][j] is A[i * columns + j].
///
/// - rows and columns are from 1 to 65,535, and rows * columns is at most 2^30: an index fits an int.
/// - A holds finite numbers. For the histogram 0 <= A[i][j] < 1. For softened -1 <= A[i][j] <= 1.
/// - An element is bright if A[i][j] >= limit. There may be none, and all may be bright.
/// - Results hold anything on entry. Only the wanted one exists; the others have no element.
/// - Host steps (field `data` of the row): all pointers are to host memory, the CPU's.
///   Resident steps: all are to device memory, and the CPU cannot read them.
struct Problem {
  Wanted wanted = Wanted::brightened;
  int rows = 1;
  int columns = 1;
  float gain = 1;             ///< for brightened
  float offset = 0;           ///< for brightened
  float limit = 1;            ///< for places and softened: what is bright
  const float* A = nullptr;   ///< rows x columns
  float* B = nullptr;         ///< rows x columns; transposed: columns x rows
  double* sum = nullptr;      ///< rows
  unsigned* count = nullptr;  ///< bins
  int* place = nullptr;       ///< rows x columns

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    const std::size_t elements = std::size_t(rows) * columns;
    const bool sums = wanted == Wanted::row_sums, counts = wanted == Wanted::histogram,
               places = wanted == Wanted::places;
    visit("A", ladder::Role::in, A, elements);
    visit("B", ladder::Role::out, B, sums || counts || places ? 0 : elements);
    visit("sum", ladder::Role::out, sum, sums ? std::size_t(rows) : 0);
    visit("count", ladder::Role::out, count, counts ? std::size_t(bins) : 0);
    visit("place", ladder::Role::out, place, places ? elements : 0);
  }
};

/// What no step can do without: the operations of the wanted result; A is read once, the result written.
/// How many elements are bright only the image knows: softening counts no operations.
constexpr ladder::Work work(const Problem& p) {
  const double elements = double(p.rows) * p.columns;
  switch (p.wanted) {
    case Wanted::brightened:
      return {.fp32 = 2 * elements,
              .bytes = 8 * elements,
              .formula = "2 FP32 operations and 8 bytes per element"};
    case Wanted::blurred:
      return {.fp32 = 4 * elements,
              .bytes = 8 * elements,
              .formula = "4 FP32 operations and 8 bytes per element"};
    case Wanted::places:
      return {.integer = elements,
              .bytes = 8 * elements,
              .formula = "1 integer operation and 8 bytes per element"};
    case Wanted::softened:
    case Wanted::transposed:
      return {.bytes = 8 * elements, .formula = "8 bytes per element"};
    case Wanted::row_sums:
      return {.fp64 = elements,
              .bytes = 4 * elements + 8.0 * p.rows,
              .formula = "1 FP64 operation and 4 bytes per element, 8 bytes per row"};
    case Wanted::histogram:
      break;
  }
  return {
      .integer = elements, .bytes = 4 * elements, .formula = "1 integer operation and 4 bytes per element"};
}

/// What every step of this lesson is.
using Function = void(const Problem&);

/// What a rung of this lesson is asked for.
struct Asks {
  Wanted wanted{};
  bool compensated = false;  ///< sums as good as rounded once: large elements cancel in what it gets
};

/// @name Necessary amounts
/// What the algorithm of a rung has to do for the image. README.md derives them.
/// @{

constexpr double elements_of(const Problem& p) {
  return double(p.rows) * p.columns;
}

/// Blocks, sweeps, chunks: how many parts of `size` there are, the last one perhaps not full.
constexpr int parts(int elements, int size) {
  return (elements + size - 1) / size;
}

/// Rounds that make one number of `threads`, half as many left after each.
constexpr int tree_rounds(int threads) {
  return threads > 1 ? 1 + tree_rounds(threads / 2) : 0;
}

/// Elements t, t + 256, t + 512, ... of a row: how many there are.
constexpr int share_of_thread(int t, int columns) {
  return t < columns ? parts(columns - t, 256) : 0;
}

/// 8 floats or ints per sector, read once and written once.
constexpr double element_sectors(const Problem& p, int) {
  return elements_of(p) / 4;
}

/// 32 floats per wavefront, written once and read once.
constexpr double element_wavefronts(const Problem& p, int) {
  return elements_of(p) / 16;
}

/// Each block of 16,384 elements adds its histogram to the result once.
constexpr double block_atomics(const Problem& p, int) {
  return bins * double(parts(p.rows * p.columns, 16384));
}

/// A scan of 256 numbers in shared memory has 8 rounds: each adds the number 1, 2, 4, ..., 128 to the left, and no round
/// may begin before the one before it has ended.
constexpr double scan_rounds(const Problem& p, int) {
  return 8.0 * parts(p.columns, 256);
}

/// All lanes of a warp.
constexpr double whole_warp(const Problem&, int) {
  return 32;
}

/// The exact sum, rounded once.
constexpr double half_an_ulp(const Problem&, int) {
  return 0.5;
}
/// @}

/// @name What other programs get
/// README.md compares them with the necessary amounts.
/// @{

/// Rows read along, columns written: each element that is written costs a sector of its own.
constexpr double transposed_without_tile(const Problem& p) {
  return elements_of(p) / 8 + elements_of(p);
}

/// A row of the tile stored in one wavefront, a column loaded in `conflict`.
constexpr double wavefronts_with_conflict(const Problem& p, int conflict) {
  return elements_of(p) / 32 + elements_of(p) / 32 * conflict;
}

/// One thread per row: the lanes of a warp are a row apart, 32 sectors per load and per store.
constexpr double one_thread_per_row_sectors(const Problem& p) {
  return 2 * elements_of(p);
}

/// 256 threads with neighbours of their own, at most 8: lanes are `columns / 256` elements apart.
constexpr double own_neighbours_sectors(const Problem& p) {
  return element_sectors(p, 1) * (p.columns / 256);
}

/// Elements of `many` that are bright when one of ten is.
constexpr int one_of_ten(int many) {
  return (many + 5) / 10;
}

/// Active lanes in the softening of `bright` elements by whole warps, the last of which may not be full.
constexpr double lanes_when_compacted(int bright) {
  return double(bright) / parts(bright, 32);
}

/// Share of the warps with a bright element among their 32, when one of ten is.
constexpr double warps_with_work() {
  double none = 1;
  for (int lane = 0; lane < 32; ++lane) none *= 0.9;
  return 1 - none;
}

/// Active lanes in the softening when each lane softens its own element: 3.2 of 32, in warps that have one.
constexpr double lanes_when_scattered() {
  return 3.2 / warps_with_work();
}
/// @}

/// The ladder. Bounds are ratios to the necessary amount; README.md derives the formulas. Findings are a plain number.
inline constexpr ladder::Step steps[] = {
    {.file = "g1_first_kernel.cu",
     .idea =
         "One thread brightens one element; what no thread should touch is guarded, each call is checked.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 0.6,
     .targets = {{.metric = "findings",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "a right program has none",
                  .amount = ladder::as_it_is,
                  .size = 333}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::brightened}>,
     .hints =
         {"A finding names a line and a thread. Is that thread's element inside the image? Does that pointer "
          "point to device memory?",
          "The number of threads is rounded up to whole blocks, so the last ones have no element. What was "
          "allocated must be freed on every way out: an owner like DeviceBuffer does it."}},
    {.file = "g2_repair.cu",
     .idea = "A kernel that somebody else broke: read the findings, find the causes, fix them one by one.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 0.7,
     .targets = {{.metric = "findings",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "a right program has none",
                  .amount = ladder::as_it_is,
                  .size = 333}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::blurred}>,
     .hints =
         {"Fix one mistake, check again. Begin with the launch: whose memory, and is there a thread for "
          "every "
          "element? Then ask of each line of the kernel: which element, and who else touches it, and when?",
          "The host's side: one pointer, one division. The kernel: an index that counts blocks as if they "
          "were "
          "elements; a load and a store past the end of the row; the right end of the block, which nobody "
          "loads; and a barrier between writing a shared array and reading it."}},
    {.file = "g3_tile.cu",
     .idea = "A transpose through a tile in shared memory reads and writes whole rows.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.6,
     .targets = {{.metric = "sectors",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "rows x columns / 4 sectors",
                  .amount = ladder::amount<element_sectors>,
                  .size = 256,
                  .floor = ladder::amount<element_sectors>,
                  .proof = "each element of A is read and each of B is written, and a sector holds 8"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::transposed}>,
     .hints = {"A warp differs in threadIdx.x first. Which elements of A does it read together, which of B "
               "does it "
               "write together, and how far apart are these?",
               "Row and column may change places inside the tile, where distance costs no sectors: load a "
               "row of A, read a column of the tile, store it as a row of B."}},
    {.file = "g4_padded_tile.cu",
     .idea = "One more column makes the elements of a tile's column lie in 32 different banks.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.4,
     .targets = {{.metric = "wavefronts",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "rows x columns / 16 wavefronts",
                  .amount = ladder::amount<element_wavefronts>,
                  .size = 256,
                  .floor = ladder::amount<element_wavefronts>,
                  .proof = "the rung is a transpose through a tile: each element is stored there and "
                           "loaded from there, at most 32 per wavefront"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::transposed}>,
     .hints = {"The bank of a float is its index in shared memory modulo 32. Which banks do the 32 elements "
               "of a tile's "
               "column have?",
               "How long must a row be so that the next row starts one bank further?"}},
    {.file = "g5_tree_sum.cu",
     .idea = "A block adds a row by pairs: in eight rounds 256 partial sums become one.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.6,
     .targets = {{.metric = "findings",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "a right program has none",
                  .amount = ladder::as_it_is,
                  .size = 333}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::row_sums}>,
     .hints =
         {"For each round: which elements of the shared array does a thread read, and which thread wrote "
          "them last?",
          "All threads of a block must reach a barrier, also those that have nothing to add in this round."}},
    {.file = "g6_warp_shuffle.cu",
     .idea = "The lanes of a warp add their numbers from register to register, without a barrier.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.5,
     .targets = {{.metric = "barriers",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "1 barrier per block",
                  .amount = ladder::as_it_is,
                  .size = 333,
                  .own_cost = "one barrier for the eight warps of a block; a warp per row, or atomic "
                              "additions, need none"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::row_sums}>,
     .hints = {"A barrier is for threads of different warps. How often must numbers pass from one warp to "
               "another?",
               "Once: each warp leaves its sum in shared memory, and after one barrier a single warp adds "
               "these."}},
    {.file = "g7_private_histogram.cu",
     .idea = "Each block counts in a histogram of its own in shared memory and adds that to the result once.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.6,
     .targets = {{.metric = "atomics",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "256 global atomics for each 16,384 elements",
                  .amount = ladder::amount<block_atomics>,
                  .size = 512,
                  .own_cost = "a histogram for each 16,384 elements, added whole; blocks that take more of "
                              "them, or leave out bins without a count, add less often"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::histogram}>,
     .hints =
         {"atomics counts those on device memory. How many does a block do for its 16,384 elements?",
          "Other blocks do not see atomics on shared memory. A block adds its counts to the result once, bin "
          "by bin, when all its threads have counted."}},
    {.file = "g8_scan.cu",
     .idea = "Each element learns how many before it are bright: a warp scans by shuffles, a block adds its "
             "warps.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.8,
     .targets = {{.metric = "sectors",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "rows x columns / 4 sectors",
                  .amount = ladder::amount<element_sectors>,
                  .size = 512,
                  .floor = ladder::amount<element_sectors>,
                  .proof = "each element of A is read and each place is written, and a sector holds 8"},
                 {.metric = "barriers",
                  .relation = "<=",
                  .bound = 0.3,
                  .necessary = "8 rounds for each 256 elements of a row, a barrier each",
                  .amount = ladder::amount<scan_rounds>,
                  .size = 512}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::places}>,
     .hints =
         {"Three numbers add up to a place: the bright elements of earlier sweeps, of warps before this one, "
          "of lanes before this one. Which threads know each of them, and when?",
          "A warp's scan costs no barrier. Its last lane has the sum of the whole warp: when all eight "
          "warps have left theirs in shared memory, each thread can add those that it needs."}},
    {.file = "g9_compaction.cu",
     .idea = "The bright elements are collected first, so that whole warps work on them and no lane idles.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.7,
     .targets = {{.metric = "active_lanes",
                  .relation = ">=",
                  .bound = 0.85,
                  .necessary = "32 lanes of a warp",
                  .amount = ladder::amount<whole_warp>,
                  .size = 256}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::softened}>,
     .hints =
         {"One lane of a warp has work for 128 steps. What do the other 31 do in the meantime, and does it "
          "matter which thread softens which element?",
          "The scan of g8 gives each bright element a place in a list. When the list is complete, thread t "
          "takes entries t, t + 256, ... of it."}},
    {.file = "g10_compensated_sum.cu",
     .was = "g8_compensated_sum",
     .idea = "What an addition rounds away can be computed exactly: carry it along, and add it at the end.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 0.7,
     .targets = {{.metric = "ulps",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "1/2: the exact sum, rounded once",
                  .amount = ladder::amount<half_an_ulp>,
                  .size = 333}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::row_sums, .compensated = true}>,
     .hints = {"ulps is the distance from the exact sum, in units of the last place of a double. Which "
               "additions round, "
               "and where does the rest go?",
               "A pair (sum, rest) must stay a pair all the way: in the loop, in the shuffles, in "
               "shared memory. Only the very last addition may drop the rest."}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"00-first-steps", "First steps in CUDA", "none", steps,
                                       std::size(steps), {4096, 0, 2048}};

}  // namespace first_steps
