#pragma once
/// @file
/// What lesson 00's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include <algorithm>
#include <iterator>

#include "common/base/error.hpp"
#include "common/lesson/amounts.hpp"
#include "common/lesson/rung.hpp"
#include "lessons/00-first-steps/problem.hpp"

namespace first_steps {

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

/// A scan of 256 numbers in shared memory has 8 rounds: each adds the number 1, 2, 4, ..., 128 to the left,
/// and no round may begin before the one before it has ended.
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

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"element_sectors", ladder::amount<element_sectors>},
                                        {"element_wavefronts", ladder::amount<element_wavefronts>},
                                        {"block_atomics", ladder::amount<block_atomics>},
                                        {"scan_rounds", ladder::amount<scan_rounds>},
                                        {"whole_warp", ladder::amount<whole_warp>},
                                        {"half_an_ulp", ladder::amount<half_an_ulp>}};

/// What a rung is asked for. @throws ladder::Error unless rungs.toml names one result
inline Asks asks_of(const ladder::Step& row) {
  Asks asks;
  bool named[7] = {};  // by Wanted
  const auto is = [&](Wanted wanted) { return &named[int(wanted)]; };
  ladder::read_asks(row, {{"brightened", is(Wanted::brightened)},
                          {"blurred", is(Wanted::blurred)},
                          {"transposed", is(Wanted::transposed)},
                          {"row_sums", is(Wanted::row_sums)},
                          {"histogram", is(Wanted::histogram)},
                          {"places", is(Wanted::places)},
                          {"softened", is(Wanted::softened)},
                          {"compensated", &asks.compensated}});
  if (std::count(std::begin(named), std::end(named), true) != 1)
    throw ladder::Error(row.file + ": asks must name one result");
  asks.wanted = Wanted(std::find(std::begin(named), std::end(named), true) - named);
  return asks;
}

}  // namespace first_steps
