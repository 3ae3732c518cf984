#pragma once
/// @file
/// What lesson 01's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include <algorithm>

#include "common/lesson/amounts.hpp"
#include "common/lesson/rung.hpp"
#include "lessons/01-lu/problem.hpp"

namespace lu {

/// What no step can do without: the updates of the elimination, and A once, read and written.
constexpr ladder::Work work(const Problem& p) {
  const double n = p.n;
  return {.fp64 = 2 * n * n * n / 3, .bytes = 16 * n * n, .formula = "2/3 n^3 FP64 operations, 16 n^2 bytes"};
}

/// What a rung of this lesson is asked for.
struct Asks {
  int searchers = 0;  ///< work-items that search a column together: it is tried on longer columns, too
  int block =
      0;  ///< columns that are eliminated before the others change: it is tried on several blocks, too
  bool ahead = false;  ///< a block is eliminated while others change: it is watched on three blocks
  bool grid = false;   ///< its ranks are a grid
};

/// @name Necessary amounts
/// What the algorithm of a rung has to move, launch or compute for a matrix of order n. README.md derives
/// them.
/// @{

/// Algorithm 2: A, L and U go to the device before each of two kernels and come back after it, n times.
constexpr double algorithm2_bytes(const Problem& p, int) {
  const double n = p.n;
  return n * 2 * 2 * 3 * 8 * n * n;
}

/// Algorithm 3: a column, A and the pivot row go to the device, the factors and the new A come back, n - 1
/// times: in the last column there is nothing to eliminate.
constexpr double algorithm3_bytes(const Problem& p, int) {
  const double n = p.n;
  return n < 1 ? 0 : (n - 1) * 8 * (2 * n * n + 3 * n);
}

/// Kept on the device: A goes there once and comes back once.
constexpr double resident_bytes(const Problem& p, int) {
  const double n = p.n;
  return 2 * 8 * n * n;
}

/// What changes on the device, there and back: all that is right of and below the first pivot.
constexpr double changed_bytes(const Problem& p, int) {
  const double n = p.n;
  return n < 1 ? 0 : 2 * 8 * (n - 1) * (n - 1);
}

/// The same in sectors of four doubles.
constexpr double changed_sectors(const Problem& p, int ranks) {
  return changed_bytes(p, ranks) / 32;
}

/// Factors to compute and elements to update: m + m^2 in each step, where m rows are below the pivot's.
constexpr double updates(const Problem& p, int) {
  const double n = p.n;
  return (n - 1) * n / 2 + (n - 1) * n * (2 * n - 1) / 6;
}

/// Row access: in each step what is left of A, m rows of m elements, is loaded and stored in whole sectors of
/// four doubles. The column of the pivot is searched, loaded and stored, one sector per element: m^2/2 + 3 m.
constexpr double row_sectors(const Problem& p, int) {
  const double n = p.n;
  return (n - 1) * n * (2 * n - 1) / 12 + 3 * (n - 1) * n / 2;
}

/// Panels: three launches for each, and no update after the last.
constexpr double panel_launches(const Problem& p, int) {
  return 3 * ((p.n + panel_columns - 1) / panel_columns) - 1;
}

/// Blocked: for each panel of panel_columns, what is left of A, m rows of m elements, is loaded and stored
/// once, and the two strips next to it, panel_columns wide, are loaded once: m^2/2 + 16 m sectors.
constexpr double blocked_sectors(const Problem& p, int) {
  double sectors = 0;
  for (double m = p.n - panel_columns; m > 0; m -= panel_columns)
    sectors += m * m / 2 + panel_columns * m / 2;
  return sectors;
}

/// Sectors of the updates of a matrix of order n that is blocked twice: after each panel the rest of its
/// block changes, after each block all that is left. Tiles of rows x columns load and store their elements,
/// and their parts of two strips.
constexpr double two_level_sectors(int n, int block, int rows, int columns) {
  const auto update = [&](int down, int across, int depth) {
    const int tiles_down = (down + rows - 1) / rows, tiles_across = (across + columns - 1) / columns;
    return down * double(across) / 2 +
           depth / 4. * (down * double(tiles_across) + across * double(tiles_down));
  };
  double sectors = 0;
  for (int begin = 0; begin < n; begin += block) {
    const int end = begin + block < n ? begin + block : n;
    for (int next = begin + panel_columns; next < end; next += panel_columns)
      sectors += update(n - next, end - next, panel_columns);
    if (end < n) sectors += update(n - end, n - end, block);
  }
  return sectors;
}

/// The same if each update loads its two strips once.
constexpr double min_two_level_sectors(const Problem& p, int) {
  return two_level_sectors(p.n, wide_columns, p.n, p.n);
}

/// Multiplications with an addition in the updates after the panels: panel_columns for each element that is
/// left.
constexpr double update_fmas(const Problem& p, int) {
  double fmas = 0;
  for (double m = p.n - panel_columns; m > 0; m -= panel_columns) fmas += panel_columns * m * m;
  return fmas;
}

/// t2: for each panel of 32 columns the panel, the exchange of rows and a product, but after the last; and
/// after each second one a solution for the rows of U of several panels. n is a multiple of 32, at most 256.
constexpr double resident_launches(const Problem& p, int) {
  const int panels = p.n / 32;
  return 3 * panels - 1 + (panels - 1) / 2;
}

/// m1: of each block all other ranks get the panel, a pivot and two numbers of rows for each column, and
/// info.
constexpr double broadcast_bytes(const Problem& p, int ranks) {
  double bytes = 0;
  for (int i = 0; i < p.n; i += cyclic_width) {
    const double m = p.n - i, width = m < cyclic_width ? m : cyclic_width;
    bytes += 8 * m * width + 3 * 4 * width + 4;
  }
  return (ranks - 1) * bytes;
}

/// m2: what a block of b columns costs on a grid of R x C ranks, m rows from the diagonal on, of which the
/// owner's row of the grid has `own`; if each of its rows is exchanged for one of another row of the grid.
struct GridBytes {
  double collected = 0, distributed = 0, moved = 0, pivots = 0;
  constexpr double sum() const { return collected + distributed + moved + pivots; }
};
constexpr GridBytes grid_bytes(Ranks ranks, int n, int first) {
  const int end = std::min(n, first + cyclic_width), row = first / cyclic_width % ranks.rows();
  const double R = ranks.rows(), C = ranks.columns(), m = n - first, b = end - first;
  const double own = ranks.share_of_rows(n, row) - ranks.share_of_rows(first, row), others = m - own;
  // Of the last block all rows are its own. Of others a new row goes to the block's row of the grid, and its
  // right part to those that neither had it nor are this row; the old row goes to one.
  const double rows = end < n && R > 1 ? 2. * n + (R - 2) * (n - end) : 0;
  // The pieces of the other rows of the grid go to the owner; and back with the block on the diagonal, and
  // along rows.
  return {8 * b * others, 8 * b * ((R - 1) * b + others + (C - 1) * (m + (R - 1) * b)), 8 * b * rows,
          (R * C - 1) * (4 * b + 4)};
}
constexpr GridBytes grid_bytes(Ranks ranks, int n) {
  GridBytes all;
  for (int i = 0; i < n; i += cyclic_width) {
    const GridBytes block = grid_bytes(ranks, n, i);
    all.collected += block.collected, all.distributed += block.distributed;
    all.moved += block.moved, all.pivots += block.pivots;
  }
  return all;
}
constexpr double bytes_on_grid(const Problem& p, int ranks) {
  return grid_bytes({0, ranks, true}, p.n).sum();
}
/// @}

/// @name What the page predicts
/// Amounts of rungs that are not bounds. n is the order of the matrix.
/// @{

/// The sum of m^2 over all steps, m = n - 1, n - 2, ..., 0: the elements that change.
constexpr double changed(double n) {
  return (n - 1) * n * (2 * n - 1) / 6;
}

/// Share of one thread's work, 3 n operations for search and swap, in a step that leaves m rows.
constexpr double serial_share(double n, double m, double threads) {
  return 3 * n / (3 * n + 2 * m * m / threads);
}

/// The same over all steps.
constexpr double serial_share(double n, double threads) {
  return 3 * n * n / (3 * n * n + 2 * changed(n) / threads);
}

/// Share of the operations in the panels of @p columns columns: m rows each, m = n, n - columns, ...
constexpr double panel_share(int n, int columns) {
  double operations = 0;
  for (int m = n; m > 0; m -= columns) {
    const double b = m < columns ? m : columns;
    operations += m * b * b - b * b * b / 3;
  }
  return operations / work(Problem{.n = n}).fp64;
}

/// How many times as fast several threads are as one, if a share of the work is one thread's alone.
constexpr double speedup(double share, double threads) {
  return 1 / (share + (1 - share) / threads);
}

/// Tasks of c2: each panel changes every block of columns on its right.
constexpr double block_tasks(int n, int columns) {
  const double blocks = (n + columns - 1) / columns;
  return blocks * (blocks - 1) / 2;
}

/// Branches of algorithm 2: three conditions per row and one per element, in each of n steps, and the bodies.
constexpr double algorithm2_branches(double n) {
  return 2 * n * n + n * n * n + n * n + changed(n);
}

/// Bytes of algorithm 3 as the source states it: n + n numbers and n^2 + 2 n + n^2, in each of n steps.
constexpr double source_bytes(double n) {
  return n * 8 * (2 * n * n + 4 * n);
}

/// A both ways, and from each column what is at and below the diagonal.
constexpr double on_device_bytes(double n) {
  return 2 * 8 * n * n + 8 * n * (n + 1) / 2;
}

/// Host synchronisations while the host chooses the pivots: A there, the columns, A back.
constexpr double host_pivot_waits(double n) {
  return n + 2;
}

/// Work-items without a trailing range: those of find_pivot, and n, n and n^2 in each step.
constexpr double whole_range_items(double n) {
  return n * (256 + 2 * n + n * n);
}

/// Sectors of the update with a load of the pivot's row for every `rows` rows: A twice, row, and one per 32
/// for a factor.
constexpr double update_sectors(double n, double rows) {
  return changed(n) * (2.0 / 4 + 1 / (4 * rows) + 1.0 / 32);
}

/// Launches of one step after another: four per step, two in the last.
constexpr double step_launches(double n) {
  return 4 * n - 2;
}

/// Sectors of the update after the panels in tiles of rows x columns: A twice, a row of L21 for each tile
/// that it is in, and the strip of U12 of each tile. n is a multiple of 32.
constexpr double tiled_sectors(int n, int rows, int columns) {
  double sectors = 0;
  for (int m = n - panel_columns; m > 0; m -= panel_columns) {
    const int across = (m + columns - 1) / columns, down = (m + rows - 1) / rows;
    sectors += m * m / 2 + panel_columns / 4 * m * (across + down);
  }
  return sectors;
}

/// The same without local memory. For each of 32 pivots a warp loads 32 elements of U12 and eight factors, a
/// sector each, for 8 x 32 elements.
constexpr double untiled_sectors(double n) {
  double sectors = 0;
  for (double m = n - panel_columns; m > 0; m -= panel_columns)
    sectors += m * m * (2.0 / 4 + panel_columns * (8 + 8) / 256.0);
  return sectors;
}

/// Wavefronts per multiply-add of 32 work-items that hold rows x columns sums each: a factor is one, 32
/// doubles are two.
constexpr double tile_wavefronts(double rows, double columns) {
  return (rows + 2 * columns) / (32 * rows * columns);
}

/// Launches with look-ahead: a panel each, two for the next panel's columns, one for the swaps on the left of
/// each but the first, and two on its right while there is something.
constexpr double look_ahead_launches(double n) {
  const double panels = n / panel_columns;
  return panels + 2 * (panels - 1) + (panels - 1) + 2 * (panels - 2);
}

/// Of these, the launches that the last panel waits for.
constexpr double critical_launches(double n) {
  const double panels = n / panel_columns;
  return panels + 2 * (panels - 1);
}

/// Multiply-adds in the first @p columns columns of a matrix of order n: column c is changed by c pivots.
constexpr double updates_of_columns(double n, double columns) {
  return (n - 1) * columns * (columns - 1) / 2 - columns * (columns - 1) * (columns - 2) / 6;
}

/// A rank's share of all multiply-adds, if blocks of @p width columns are dealt out in turn.
constexpr double share_of_rank(int n, int width, int rank, int ranks) {
  double own = 0;
  for (int first = rank * width; first < n; first += ranks * width)
    own += updates_of_columns(n, std::min(n, first + width)) - updates_of_columns(n, first);
  return own / updates_of_columns(n, n);
}

/// The time of all steps, if each takes as long as the rank with the most columns left, over that of ranks
/// which always have the same.
constexpr double uneven(int n, int width, int ranks) {
  double longest = 0;
  for (int i = 0; i + 1 < n; ++i) {
    int columns = 0;
    for (int rank = 0; rank < ranks; ++rank)
      columns = std::max(columns, dealt(n, width, rank, ranks) - dealt(i + 1, width, rank, ranks));
    longest += double(n - 1 - i) * columns;
  }
  return longest * ranks / changed(n);
}
/// @}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"algorithm2_bytes", ladder::amount<algorithm2_bytes>},
                                        {"algorithm3_bytes", ladder::amount<algorithm3_bytes>},
                                        {"resident_bytes", ladder::amount<resident_bytes>},
                                        {"changed_bytes", ladder::amount<changed_bytes>},
                                        {"changed_sectors", ladder::amount<changed_sectors>},
                                        {"updates", ladder::amount<updates>},
                                        {"row_sectors", ladder::amount<row_sectors>},
                                        {"panel_launches", ladder::amount<panel_launches>},
                                        {"blocked_sectors", ladder::amount<blocked_sectors>},
                                        {"min_two_level_sectors", ladder::amount<min_two_level_sectors>},
                                        {"update_fmas", ladder::amount<update_fmas>},
                                        {"resident_launches", ladder::amount<resident_launches>},
                                        {"broadcast_bytes", ladder::amount<broadcast_bytes>},
                                        {"grid_bytes", ladder::amount<bytes_on_grid>}};

/// What a rung is asked for.
inline Asks asks_of(const ladder::Step& row) {
  Asks asks;
  ladder::read_asks(
      row,
      {{"searchers", &asks.searchers}, {"block", &asks.block}, {"ahead", &asks.ahead}, {"grid", &asks.grid}});
  return asks;
}

}  // namespace lu
