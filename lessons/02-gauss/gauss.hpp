#pragma once
/// @file
/// Contract of lesson 02: A x = b in double precision, by Gaussian elimination and back substitution.
/// Source: work B, where the system is solved sequentially and with CUDA, one kernel per pivot, without pivoting.

#include <cstddef>
#include <iterator>

#include "common/lesson/lesson.hpp"

namespace gauss {

/// Solves A x = b.
///
/// - Row-major: element (i, j) of A is A[i * lda + j]. What lies between n and lda is neither read nor written.
/// - A and b are the step's to use: after the call they hold anything. Nearly all steps eliminate in place.
/// - n may be 0 (x is empty) and 1. n <= 46,340. A and b hold finite numbers. If the elimination itself leaves their range, x and
///   info may hold anything: steps differ in whether a NaN is a pivot.
/// - Steps that do not pivot (field `pivots` of the row) get matrices that allow it: dominant diagonals, or symmetric
///   positive definite. They leave info alone.
/// - Steps that pivot take as pivot i the entry of largest absolute value in column i, at or below the diagonal; of
///   equal ones the first. info is 0, or i + 1 for the first pivot i that is exactly zero, as the step has rounded: A is
///   singular then, and x may hold anything. A pivot so small that 1 / pivot is no number may count as zero.
/// - Resident steps (field `data` of the row): A, b, x and info are pointers to device memory, aligned as their elements are: at
///   multiples of 8 bytes, not of 16.
/// - blocks and threads above zero impose a launch configuration: from g2 on, each kernel that eliminates has a grid
///   of exactly that many blocks and threads per block, as far as the step chooses its grid at all; t1 to t3 have their own.
///   A step whose blocks wait for each other (g10, t1 to t3) throws when the device cannot hold that many at once.
struct Problem {
  int n = 0;            ///< rows and columns of A
  int lda = 0;          ///< >= n
  int blocks = 0;       ///< blocks of a grid; 0: the step chooses
  int threads = 0;      ///< threads of a block, whole warps: a multiple of 32; 0: the step chooses
  double* A = nullptr;  ///< n x n, lda; overwritten
  double* b = nullptr;  ///< n; overwritten
  double* x = nullptr;  ///< n; the result
  int* info = nullptr;  ///< 1; 0, or i + 1 for the first pivot i that is exactly zero

  /// Shows each array to `visit(name, role, pointer, elements)`, the padding included.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("A", ladder::Role::inout, A, std::size_t(n) * lda);
    visit("b", ladder::Role::inout, b, std::size_t(n));
    visit("x", ladder::Role::out, x, std::size_t(n));
    visit("info", ladder::Role::out, info, std::size_t(1));
  }
};

/// What no step can do without: the updates of the elimination, and A read once.
constexpr ladder::Work work(const Problem& p) {
  const double n = p.n;
  return {.fp64 = 2 * n * n * n / 3, .bytes = 8 * n * n, .formula = "2/3 n^3 FP64 operations, 8 n^2 bytes"};
}

/// What every step of this lesson is.
using Function = void(const Problem&);

/// What a rung of this lesson is asked for.
struct Asks {
  bool any_grid = false;       ///< it gets imposed launch configurations too
  bool pivots = false;         ///< it gets matrices that need pivoting too
  bool rows_stay = false;      ///< row i of the triangle is any row of A: rows do not change places
  bool resident_grid = false;  ///< its blocks wait for each other: a grid larger than the device is refused
  bool panels = false;         ///< 64 pivots at a time, 128 rows per block: it gets systems of several blocks
};

/// @name Necessary amounts
/// What the algorithm of a rung has to move, launch or compute for a matrix of order n. README.md derives them.
/// @{

/// One launch for each pivot that has rows below it, and one for the back substitution.
constexpr double pivot_launches(const Problem& p, int) {
  return p.n;
}

/// The imposed grid, once for each pivot that has rows below it.
constexpr double imposed_work_items(const Problem& p, int) {
  return (p.n - 1.0) * p.blocks * p.threads;
}

/// What is left of A and b is loaded and stored once for each pivot, by whole sectors of 4 elements. The pivot's row is loaded
/// once for 8 rows.
constexpr double tile_sectors(const Problem& p, int) {
  double elements = 0;
  for (double rows = p.n - 1; rows > 0; --rows) elements += (2 * rows + rows / 8) * (rows + 1);
  return elements / 4;
}

/// The same, when the row of the pivot is loaded for each row: what g3 does.
constexpr double row_sectors(const Problem& p, int) {
  double elements = 0;
  for (double rows = p.n - 1; rows > 0; --rows) elements += 3 * rows * (rows + 1);
  return elements / 4;
}

/// As tile_sectors, once for two pivots, whose two rows are loaded once for 8 rows.
constexpr double pair_sectors(const Problem& p, int) {
  double elements = 0;
  for (double rows = p.n - 2; rows > 0; rows -= 2) elements += (2 * rows + 2 * rows / 8) * (rows + 1);
  return elements / 4;
}

/// What is right of and below a panel of 64 pivots, b included, is loaded and stored once, in tiles of 64 x 128; each loads
/// 64 x 64 elements of the panel and 64 x 128 of the pivots' rows.
constexpr double block_sectors(const Problem& p, int) {
  double tiles = 0;
  for (int below = (p.n + 63) / 64 * 64 - 64; below > 0; below -= 64)
    tiles += below / 64 * ((below + 128) / 128);
  return tiles * (2 * 64 * 128 + 64 * 64 + 64 * 128) / 4;
}

/// The same for 128 pivots at a time. The second panel's columns lose the products of the first one in tiles of 64 x 64.
constexpr double wide_block_sectors(const Problem& p, int) {
  double elements = 0;
  for (int rows = (p.n + 63) / 64 * 64; rows > 64; rows -= 128) {
    const int below = rows - 128;
    elements += (rows - 64) / 64 * (2.0 * 64 * 64 + 2 * 64 * 64);
    elements += below / 64 * ((below + 128) / 128) * (2.0 * 64 * 128 + 128 * 64 + 128 * 128);
  }
  return elements / 4;
}

/// The upper triangle of A and b.
constexpr double triangle_bytes(const Problem& p, int) {
  const double n = p.n;
  return 4 * n * (n + 1) + 8 * n;
}

/// What g5 copies in bands of `band` rows, each from its first diagonal element to the last column; without b.
constexpr double band_bytes(int n, int band) {
  double elements = 0;
  for (int last = n; last > 0; last -= band) {
    const int first = last > band ? last - band : 0;
    elements += double(last - first) * (n - first);
  }
  return 8 * elements;
}

/// Threads that g1 launches in blocks of 32 x 8, the back substitution aside.
constexpr double covering_work_items(int n) {
  double threads = 0;
  for (int rows = n - 1; rows > 0; --rows) threads += (rows + 1 + 31) / 32 * 32.0 * ((rows + 7) / 8 * 8);
  return threads;
}

/// Elements right of and below all pivots, b included: g1 divides once for each.
constexpr double updates(int n) {
  return (double(n) * n * n - n) / 3;
}

/// Ratios: one for each row below each pivot.
constexpr double ratios(int n) {
  return n * (n - 1.0) / 2;
}

/// Rows of the busiest of `threads` threads over the mean, over all pivots: rows of one pivot cost the same.
constexpr double busiest_share(int n, int threads) {
  double busiest = 0, all = 0;
  for (int rows = n - 1; rows > 0; --rows)
    busiest += (rows + threads - 1) / threads * (rows + 1.0), all += rows * (rows + 1.0);
  return busiest * threads / all;
}

/// Blocks of 32 unknowns, and the kernels of the back substitution by blocks: the lowest two have nothing above to change.
constexpr int substitution_kernels(int n) {
  const int blocks = (n + 31) / 32;
  return blocks + (blocks > 2 ? blocks - 2 : 0);
}

/// Graphs of 32 pivots.
constexpr int graphs(int n) {
  return (n + 31) / 32;
}

/// Bytes per operation: a multiply-add, two operations, loads and stores one element of what is left of A. With
/// two pivots per sweep there are two multiply-adds for each element.
inline constexpr double pivot_bytes = 16.0 / 2, pair_bytes = 16.0 / 4;

/// A wait for each pivot: what a host that chooses the pivots needs.
constexpr double pivot_waits(const Problem& p, int) {
  return p.n;
}
/// @}

/// The ladder. Bounds are ratios to the necessary amount.
inline constexpr ladder::Step steps[] = {
    {.file = "c1_openmp.cpp",
     .idea = "The rows below a pivot do not need each other: share them among the threads.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 0.5,
     .targets = {{.metric = "balance",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "1: every thread of the team computes for the same time",
                  .amount = ladder::as_it_is,
                  .size = 768}},
     .time = {.peer = "baseline", .ratio = 1.15, .size = 1024},
     .time_points = 2,
     .hints = {"balance is the computing time of the busiest thread over the mean of all. Which of the three "
               "loops has "
               "passes that do not need each other's results?",
               "Pivot i + 1 needs all rows that pivot i changed. The rows below one pivot all cost the same: "
               "equal shares "
               "will do."}},
    {.file = "g1_pivot_kernel.cu",
     .idea = "One kernel per pivot: each thread changes one element to the right of and below it.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "launches",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "n launches: n - 1 pivots with rows below them, and the back substitution",
                  .amount = ladder::amount<pivot_launches>,
                  .size = 64,
                  .floor = ladder::as_it_is,
                  .proof = "without a launch nothing runs on the device",
                  .own_cost = "a launch per pivot; a kernel that takes several pivots needs fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pivot_bytes,
     .hints = {"launches counts the host's launch calls. The rows below a pivot do not need each other: how "
               "many kernels "
               "does one pivot need?",
               "Threads of one launch run in any order, and no barrier joins blocks. Which elements are read "
               "by others "
               "than their owner? If nobody writes these in this launch, one launch is enough."}},
    {.file = "g2_grid_stride.cu",
     .idea = "Any grid is right: blocks walk over the rows, threads over the columns, one division per row.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 2,
     .targets = {{.metric = "work_items",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "(n - 1) x imposed blocks x imposed threads",
                  .amount = ladder::amount<imposed_work_items>,
                  .size = 96,
                  .restricted = true,
                  .floor = ladder::as_it_is,
                  .proof = "without a thread nothing runs on the device",
                  .own_cost = "the imposed grid once per pivot; a launch that takes several pivots needs "
                              "fewer threads"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pivot_bytes,
     .asks = ladder::asks<Asks{.any_grid = true}>,
     .hints = {"work_items counts the threads of all launches. Problem::blocks and Problem::threads say how "
               "many each "
               "launch may have: how does a block get to its second row?",
               "row += gridDim.x, col += blockDim.x. One thread divides and leaves the ratio in shared "
               "memory: who must "
               "not read it before it is there, and who must not overwrite it while others still need it?"}},
    {.file = "g3_occupancy.cu",
     .idea = "The device says how many blocks it holds at once: that many are launched, for every pivot.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 1,
     .targets = {{.metric = "tail_efficiency",
                  .relation = ">=",
                  .bound = 0.9,
                  .necessary = "1: whole waves, on 22 multiprocessors of 1,024 threads and on 132 of 2,048",
                  .amount = ladder::as_it_is,
                  .size = 48}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pivot_bytes,
     .asks = ladder::asks<Asks{.any_grid = true}>,
     .hints =
         {"tail_efficiency is blocks over the places in their whole waves. A device with 88 places needs a "
          "second wave for the 89th block, and that wave leaves 87 of them empty. How many places has this "
          "device?",
          "Places: multiprocessors of the device x blocks that one of them holds at once. The second number "
          "depends on the kernel and on the threads per block: CUDA has a function of the name Occupancy for "
          "it."}},
    {.file = "g4_row_tiles.cu",
     .was = "g3_launch_configuration",
     .idea = "Eight rows per block: an element of the pivot's row is loaded once for all of them.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 2,
     .targets = {{.metric = "sectors:eliminate",
                  .relation = "<=",
                  .bound = 1.25,
                  .necessary =
                      "n^3 17/96 sectors: what is left of A loaded and stored once per pivot, the pivot's "
                      "row loaded once for 8 rows",
                  .amount = ladder::amount<tile_sectors>,
                  .size = 256,
                  .own_cost = "what is left of A is loaded and stored once per pivot; several pivots at a "
                              "time need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pivot_bytes,
     .asks = ladder::asks<Asks{.any_grid = true}>,
     .hints =
         {"sectors counts 32-byte pieces of memory, 4 elements each. For each element that g3 changes it "
          "loads "
          "the element, loads the pivot's and stores one. Which of the three can be shared by several rows?",
          "A thread that owns one column in 8 rows keeps the pivot's element in a register. It then needs 8 "
          "ratios, which the block leaves in shared memory."}},
    {.file = "g5_serial_substitution.cu",
     .was = "g4_serial_substitution",
     .idea = "Back substitution one unknown after another: by one thread, by one block, and on the host.",
     .kind = ladder::Kind::demonstration,
     .data = ladder::Data::resident,
     .hours = 0.5,
     .targets = {{.metric = "bytes_to_host",
                  .relation = "<=",
                  .bound = 1.25,
                  .necessary = "4 n (n + 1) + 8 n bytes: the upper triangle and b",
                  .amount = ladder::amount<triangle_bytes>,
                  .size = 256,
                  .own_cost = "the host substitutes, and needs the upper triangle and b; a device that "
                              "substitutes copies less"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pivot_bytes,
     .asks = ladder::asks<Asks{.any_grid = true}>,
     .hints = {"Nothing to write here: predict the bytes before you run it.",
               "A band of 32 rows begins at the column of its first diagonal element."}},
    {.file = "g6_parallel_substitution.cu",
     .was = "g5_parallel_substitution",
     .idea = "Unknowns in blocks, in two streams: a block is solved while the one before is being subtracted "
             "from the rows above.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "chain:substitute",
                  .relation = "<=",
                  .bound = 0.75,
                  .necessary = "1: every kernel of the back substitution waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 256}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pivot_bytes,
     .asks = ladder::asks<Asks{.any_grid = true}>,
     .hints = {"chain is the longest path of kernels that wait for each other, over the sum of all. Of the "
               "rows that substitute_above changes, which does the next substitute_block need?",
               "None: it subtracts the products with the block before by itself. So substitute_above may run "
               "beside it, in a stream of its own. But the block after the next one needs its result."}},
    {.file = "g7_partial_pivoting.cu",
     .was = "g6_partial_pivoting",
     .idea = "The pivot is the largest element of its column. One block finds it and exchanges the rows; the "
             "host "
             "never waits.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "waits",
                  .relation = "<=",
                  .bound = 0.05,
                  .necessary = "n for a host that chooses each pivot; a device that chooses needs none",
                  .amount = ladder::amount<pivot_waits>,
                  .size = 64}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pivot_bytes,
     .asks = ladder::asks<Asks{.any_grid = true, .pivots = true}>,
     .hints =
         {"waits counts how often the host waited for the device; a copy to the host is a wait. Who needs to "
          "know which row the pivot is in?",
          "Only the block that exchanges the rows. To find the row, 512 candidates become 256, then 128, "
          "with "
          "a barrier after each round. The same block then exchanges."}},
    {.file = "g8_graph.cu",
     .idea = "A graph holds the launches of 32 pivots: one call of the host starts all of them.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 2,
     .targets = {{.metric = "launches",
                  .relation = "<=",
                  .bound = 24,
                  .necessary = "1: a graph may hold everything",
                  .amount = ladder::as_it_is,
                  .size = 256,
                  .floor = ladder::as_it_is,
                  .proof = "a graph takes at least one launch"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pivot_bytes,
     .asks = ladder::asks<Asks{.any_grid = true, .pivots = true}>,
     .hints =
         {"launches counts calls of the host: a graph is one, whatever is in it. The back substitution makes "
          "14 "
          "calls at n = 256. How many pivots must a graph hold for 24 calls in all?",
          "A graph repeats the arguments that were captured: each kernel can be told its place in the graph, "
          "but not which graph it is in. Who may count the graphs in device memory, when all blocks of all "
          "these kernels read that number?"}},
    {.file = "g9_two_pivots.cu",
     .was = "g7_graph",
     .idea = "Two pivots per sweep: what is left of A is loaded and stored half as often.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 4,
     .targets = {{.metric = "sectors:eliminate",
                  .relation = "<=",
                  .bound = 1.25,
                  .necessary =
                      "n^3 9/96 sectors: what is left of A loaded and stored once for two pivots, their rows "
                      "loaded once for 8 rows",
                  .amount = ladder::amount<pair_sectors>,
                  .size = 256,
                  .own_cost = "what is left of A is loaded and stored once for two pivots; more of them at a "
                              "time need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pair_bytes,
     .asks = ladder::asks<Asks{.any_grid = true, .pivots = true}>,
     .hints =
         {"sectors counts 32-byte pieces of memory. g8 loads and stores what is left of A for each pivot. "
          "Which "
          "elements must be known before the second pivot can be chosen: all of them?",
          "Column i + 1 alone, without what pivot i takes from it: one block computes that on the way and "
          "stores "
          "nothing. When rows i and i + 1 are finished, every other row loses its multiples of both in one "
          "sweep."}},
    {.file = "g10_cooperative.cu",
     .was = "g8_cooperative",
     .idea = "One kernel: blocks that are all resident wait for each other, once for two pivots.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 4,
     .targets = {{.metric = "kernels",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "1 kernel from the first pivot to the last unknown",
                  .amount = ladder::as_it_is,
                  .size = 96,
                  .floor = ladder::as_it_is,
                  .proof = "without a kernel nothing runs on the device"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 128},
     .bytes_per_flop = pair_bytes,
     .asks = ladder::asks<Asks{.any_grid = true, .pivots = true, .rows_stay = true, .resident_grid = true}>,
     .hints =
         {"kernels counts what ran on the device. Which call starts a kernel in which grid.sync() may wait, "
          "and "
          "what does it do with a grid that the device cannot hold at once?",
          "All blocks must come to the same grid.sync(), the same number of times. What was a kernel of the "
          "graph is a pass of a loop now, and between two passes stands what the graph did by itself."}},
    {.file = "t1_blocked.cu",
     .idea = "Blocks of 64 pivots: a panel first, in registers; the rest of A once per block, as a matrix "
             "product on tensor cores.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 6,
     .targets = {{.metric = "sectors:update",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "per block of 64 pivots, whole tiles of 64 x 128: loaded and stored once, "
                               "with 64 columns and 64 rows of the block",
                  .amount = ladder::amount<block_sectors>,
                  .size = 192,
                  .own_cost = "tiles of 64 x 128 for 64 pivots; larger tiles, or more pivots at a time, need "
                              "fewer"}},
     .time = {.peer = "cuSOLVER", .ratio = 0.9, .size = 128},
     .asks = ladder::asks<Asks{.pivots = true, .panels = true}>,
     .time_points = 2,
     .hints =
         {"Which elements must be known before pivot 2 of a panel can be chosen? Only the panel's columns. "
          "The rest may wait until all 64 ratios of each row are known: what is then one element's loss?",
          "A sum of 64 products: row of L times column of U. But U has the finished rows: to the right of "
          "the panel, row k must first lose its multiples of the rows 0 to k - 1 of the panel."}},
    {.file = "t2_look_ahead.cu",
     .idea = "Look-ahead: the next panel is eliminated while the rest of A loses the products of this one.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.9,
                  .necessary = "1: every kernel waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 384}},
     .time = {.peer = "cuSOLVER", .ratio = 0.9, .size = 128},
     .asks = ladder::asks<Asks{.pivots = true, .panels = true}>,
     .time_points = 2,
     .hints =
         {"chain is the longest path of kernels that wait for each other, over the sum of all. Which columns "
          "does the next panel need, and which of them has this panel not yet been applied to?",
          "Its own 64. They come first, in the stream of the panels. All other columns may follow in the "
          "other stream, beside the next panel; the panel after that one has columns among them."}},
    {.file = "t3_two_panels.cu",
     .idea = "Two panels per sweep: what is left of A is loaded and stored once for 128 pivots.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "sectors:update",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary =
                      "as t1's, for 128 pivots at a time, and once more in the second panel's columns",
                  .amount = ladder::amount<wide_block_sectors>,
                  .size = 384,
                  .own_cost = "128 pivots at a time, in tiles of 64 x 128; larger tiles, or more pivots at a "
                              "time, need fewer"}},
     .time = {.peer = "cuSOLVER", .ratio = 0.9, .size = 128},
     .asks = ladder::asks<Asks{.pivots = true, .panels = true}>,
     .time_points = 2,
     .hints =
         {"The second panel can be chosen when its 64 columns have lost the products of the first. Which "
          "rows of which columns do the products of both need, and which of them has the second panel moved?",
          "The ratios of the first panel stand to the left of the second: their rows move with it. In all "
          "other columns the rows of the second panel's pivots lose those of the first one's before."}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"02-gauss",
                                       "Linear systems by Gaussian elimination",
                                       "work B (course report)",
                                       steps,
                                       std::size(steps),
                                       {1024, 4096, 512}};

}  // namespace gauss
