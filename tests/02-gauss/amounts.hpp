#pragma once
/// @file
/// What lesson 02's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include "common/lesson/amounts.hpp"
#include "common/lesson/rung.hpp"
#include "lessons/02-gauss/problem.hpp"

namespace gauss {

/// What no step can do without: the updates of the elimination, and A read once.
constexpr ladder::Work work(const Problem& p) {
  const double n = p.n;
  return {.fp64 = 2 * n * n * n / 3, .bytes = 8 * n * n, .formula = "2/3 n^3 FP64 operations, 8 n^2 bytes"};
}

/// What a rung of this lesson is asked for.
struct Asks {
  bool any_grid = false;       ///< it gets imposed launch configurations too
  bool pivots = false;         ///< it gets matrices that need pivoting too
  bool rows_stay = false;      ///< row i of the triangle is any row of A: rows do not change places
  bool resident_grid = false;  ///< its blocks wait for each other: a grid larger than the device is refused
  bool panels = false;         ///< 64 pivots at a time, 128 rows per block: it gets systems of several blocks
};

/// @name Necessary amounts
/// What the algorithm of a rung has to move, launch or compute for a matrix of order n. README.md derives
/// them.
/// @{

/// One launch for each pivot that has rows below it, and one for the back substitution.
constexpr double pivot_launches(const Problem& p, int) {
  return p.n;
}

/// The imposed grid, once for each pivot that has rows below it.
constexpr double imposed_work_items(const Problem& p, int) {
  return (p.n - 1.0) * p.blocks * p.threads;
}

/// What is left of A and b is loaded and stored once for each pivot, by whole sectors of 4 elements. The
/// pivot's row is loaded once for 8 rows.
constexpr double tile_sectors(const Problem& p, int) {
  double elements = 0;
  for (double rows = p.n - 1; rows > 0; --rows) elements += (2 * rows + rows / 8) * (rows + 1);
  return elements / 4;
}

/// As tile_sectors, once for two pivots, whose two rows are loaded once for 8 rows.
constexpr double pair_sectors(const Problem& p, int) {
  double elements = 0;
  for (double rows = p.n - 2; rows > 0; rows -= 2) elements += (2 * rows + 2 * rows / 8) * (rows + 1);
  return elements / 4;
}

/// What is right of and below a panel of 64 pivots, b included, is loaded and stored once, in tiles of 64 x
/// 128; each loads 64 x 64 elements of the panel and 64 x 128 of the pivots' rows.
constexpr double block_sectors(const Problem& p, int) {
  double tiles = 0;
  for (int below = (p.n + 63) / 64 * 64 - 64; below > 0; below -= 64)
    tiles += below / 64 * ((below + 128) / 128);
  return tiles * (2 * 64 * 128 + 64 * 64 + 64 * 128) / 4;
}

/// The same for 128 pivots at a time. The products of the first panel are subtracted from the second one's
/// columns in tiles of 64 x 64.
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

/// A wait for each pivot: what a host that chooses the pivots needs.
constexpr double pivot_waits(const Problem& p, int) {
  return p.n;
}
/// @}

/// @name What the page predicts
/// Amounts of rungs that are not bounds.
/// @{

/// tile_sectors when the row of the pivot is loaded for each row: what g3 does.
constexpr double row_sectors(const Problem& p, int) {
  double elements = 0;
  for (double rows = p.n - 1; rows > 0; --rows) elements += 3 * rows * (rows + 1);
  return elements / 4;
}

/// What g5 copies in bands of `band` rows, each from its first diagonal element to the last column; without
/// b.
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

/// Blocks of 32 unknowns, and the kernels of the back substitution by blocks: the lowest two have nothing
/// above to change.
constexpr int substitution_kernels(int n) {
  const int blocks = (n + 31) / 32;
  return blocks + (blocks > 2 ? blocks - 2 : 0);
}

/// Graphs of 32 pivots.
constexpr int graphs(int n) {
  return (n + 31) / 32;
}
/// @}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"pivot_launches", ladder::amount<pivot_launches>},
                                        {"imposed_work_items", ladder::amount<imposed_work_items>},
                                        {"tile_sectors", ladder::amount<tile_sectors>},
                                        {"pair_sectors", ladder::amount<pair_sectors>},
                                        {"block_sectors", ladder::amount<block_sectors>},
                                        {"wide_block_sectors", ladder::amount<wide_block_sectors>},
                                        {"triangle_bytes", ladder::amount<triangle_bytes>},
                                        {"pivot_waits", ladder::amount<pivot_waits>}};

/// What a rung is asked for.
inline Asks asks_of(const ladder::Step& row) {
  Asks asks;
  ladder::read_asks(row, {{"any_grid", &asks.any_grid},
                          {"pivots", &asks.pivots},
                          {"rows_stay", &asks.rows_stay},
                          {"resident_grid", &asks.resident_grid},
                          {"panels", &asks.panels}});
  return asks;
}

}  // namespace gauss
