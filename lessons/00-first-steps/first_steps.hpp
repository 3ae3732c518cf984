#pragma once
/// @file
/// Contract of lesson 00: five small computations on a grey picture, each by one kernel.
/// Source: none; they are the field's first exercises.

#include <cstddef>
#include <iterator>

#include "common/lesson/lesson.hpp"

namespace first_steps {

/// What is to be computed from the picture A. README.md says which rung computes which.
enum class Wanted {
  brightened,  ///< B[i][j] = gain A[i][j] + offset
  blurred,  ///< B[i][j] = A[i][j-1] / 4 + A[i][j] / 2 + A[i][j+1] / 4; left and right of a row its edge is repeated
  transposed,  ///< B[j][i] = A[i][j]: B has as many rows as A has columns
  row_sums,    ///< sum[i] = A[i][0] + A[i][1] + ...
  histogram,   ///< count[b] = number of elements with b / bins <= A[i][j] < (b + 1) / bins
};

constexpr int bins = 256;  ///< of the histogram. A power of two: A[i][j] * bins is then exact.

/// A picture and what is wanted of it. Matrices are row-major, without padding: A[i][j] is A[i * columns + j].
///
/// - rows and columns are from 1 to 65,535, and rows * columns is at most 2^30: an index fits an int.
/// - A holds finite numbers. For the histogram 0 <= A[i][j] < 1.
/// - Results hold anything on entry. Only the wanted one exists; the others have no element.
/// - Host steps (field `data` of the row): all pointers are to the processor's memory.
///   Resident steps: all are to device memory, and the processor cannot read them.
struct Problem {
  Wanted wanted = Wanted::brightened;
  int rows = 1;
  int columns = 1;
  float gain = 1;             ///< for brightened
  float offset = 0;           ///< for brightened
  const float* A = nullptr;   ///< rows x columns
  float* B = nullptr;         ///< rows x columns; transposed: columns x rows
  double* sum = nullptr;      ///< rows
  unsigned* count = nullptr;  ///< bins

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    const std::size_t elements = std::size_t(rows) * columns;
    const bool sums = wanted == Wanted::row_sums, counts = wanted == Wanted::histogram;
    visit("A", ladder::Role::in, A, elements);
    visit("B", ladder::Role::out, B, sums || counts ? 0 : elements);
    visit("sum", ladder::Role::out, sum, sums ? std::size_t(rows) : 0);
    visit("count", ladder::Role::out, count, counts ? std::size_t(bins) : 0);
  }
};

/// What no step can do without: one operation for each element, or four where it is blurred; A is read once, the result written.
constexpr ladder::Work work(const Problem& p) {
  const double elements = double(p.rows) * p.columns;
  switch (p.wanted) {
    case Wanted::brightened:
      return {
          .fp32 = 2 * elements, .bytes = 8 * elements, .formula = "2 FP32 operations and 8 bytes an element"};
    case Wanted::blurred:
      return {
          .fp32 = 4 * elements, .bytes = 8 * elements, .formula = "4 FP32 operations and 8 bytes an element"};
    case Wanted::transposed:
      return {.bytes = 8 * elements, .formula = "8 bytes an element"};
    case Wanted::row_sums:
      return {.fp64 = elements,
              .bytes = 4 * elements + 8.0 * p.rows,
              .formula = "1 FP64 operation and 4 bytes an element, 8 bytes a row"};
    case Wanted::histogram:
      break;
  }
  return {
      .integer = elements, .bytes = 4 * elements, .formula = "1 integer operation and 4 bytes an element"};
}

/// What every step of this lesson is.
using Function = void(const Problem&);

/// What a rung of this lesson is asked for.
struct Asks {
  Wanted wanted{};
  bool compensated = false;  ///< sums as good as rounded once: large elements cancel in what it gets
};

/// @name Necessary amounts
/// What the algorithm of a rung has to do for the picture. README.md derives them.
/// @{

/// 8 floats per sector, read once and written once.
constexpr double element_sectors(const Problem& p, int) {
  return double(p.rows) * p.columns / 4;
}

/// 32 floats per wavefront, written once and read once.
constexpr double element_wavefronts(const Problem& p, int) {
  return double(p.rows) * p.columns / 16;
}

/// Each block of 16,384 elements adds its histogram to the result once.
constexpr double block_atomics(const Problem& p, int) {
  return bins * double((std::size_t(p.rows) * p.columns + 16383) / 16384);
}

/// The exact sum, rounded once.
constexpr double half_an_ulp(const Problem&, int) {
  return 0.5;
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
         {"A finding names a line and a thread. Is that thread's element inside the picture? Is the memory "
          "behind "
          "that pointer the device's?",
          "The number of threads is rounded up to whole blocks, so the last ones have no element. What was "
          "acquired must be given back on every way out: an owner like DeviceBuffer does it."}},
    {.file = "g2_repair.cu",
     .idea = "A kernel that somebody else broke: read findings, find the causes, mend them.",
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
         {"Mend one mistake, check again. Ask of each line: whose memory, which element, who else touches "
          "it, and "
          "when?",
          "There are six: two on the host's side, four in the kernel. Elements at the edges of a block are "
          "read "
          "by its neighbours' threads too; a barrier stands between writing a shared array and reading it."}},
    {.file = "g3_tile.cu",
     .idea = "A transpose through a tile in shared memory reads and writes whole rows.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.6,
     .targets = {{.metric = "sectors",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "rows columns / 4 sectors",
                  .amount = ladder::amount<element_sectors>,
                  .size = 256}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::transposed}>,
     .hints = {"A warp differs in threadIdx.x first. Which elements of A does it read together, which of B "
               "does it "
               "write together, and how far apart are these?",
               "Row and column may change places inside the tile, where distance costs no sectors: bring a "
               "row of A, "
               "take a column of the tile, write it as a row of B."}},
    {.file = "g4_padded_tile.cu",
     .idea = "One more column makes the elements of a tile's column lie in 32 different banks.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 0.4,
     .targets = {{.metric = "wavefronts",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "rows columns / 16 wavefronts",
                  .amount = ladder::amount<element_wavefronts>,
                  .size = 256}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::transposed}>,
     .hints = {"The bank of a float is its index in shared memory modulo 32. Which banks do the 32 elements "
               "of a tile's "
               "column have?",
               "How long must a row be so that the next row starts one bank further?"}},
    {.file = "g5_tree_sum.cu",
     .idea = "A block adds a row by pairs, in as many rounds as the number of threads has bits.",
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
                  .necessary = "1 barrier a block",
                  .amount = ladder::as_it_is,
                  .size = 333}},
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
                  .size = 512}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1024},
     .asks = ladder::asks<Asks{.wanted = Wanted::histogram}>,
     .hints = {"atomics counts those on device memory. How many does a block do for its 16,384 elements?",
               "Atomics on shared memory are not seen by other blocks. What a block has found it must tell "
               "once, bin "
               "by bin, when all its threads are done."}},
    {.file = "g8_compensated_sum.cu",
     .idea = "What an addition rounds away can be computed exactly: carry it along, and add it at the end.",
     .kind = ladder::Kind::required,
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
               "A pair (sum, rest) must stay a pair on its whole way: in the loop, in the shuffles, in "
               "shared memory. "
               "Only the very last addition may forget."}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"00-first-steps", "First steps in CUDA", "none", steps,
                                       std::size(steps), {4096, 0, 2048}};

}  // namespace first_steps
