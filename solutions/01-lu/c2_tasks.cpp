/// @file
/// c2: blocks, recursion and tasks. c1 passes over what is left of A once for each pivot. Here 96 columns, a
/// panel, are eliminated before the others change, and then the others change once: by products, whose tiles
/// stay in registers. Tasks say what waits for what, so that the next panel is eliminated while the rest
/// still changes. Source: none in work A; F. Gustavson, Recursion leads to automatic variable blocking, 1997.

#include <algorithm>

#include "problem.hpp"
#include "tiles.hpp"

namespace lu {
namespace {

using std::size_t;

/// Factors columns c … end - 1 of a panel, from row c down.
void factor(const Problem& p, Panel& panel, int c, int end) {
  // BEGIN SOLUTION Recursion: up to base_columns columns are for eliminate(). Of more factor the left half,
  //  let it do its work on the right half, then factor the right half. The left one has whole groups of
  //  base_columns.
  //| ladder::task();  // Delete this line when you start.
  if (end - c <= base_columns) return eliminate(p, panel, c);
  const int left = ladder::round_up((end - c) / 2, base_columns), middle = c + left;
  factor(p, panel, c, middle);
  solve_and_subtract(panel, c, left, ladder::round_up(end - middle, base_columns), panel.row(c) + middle,
                     block_columns);
  factor(p, panel, middle, end);
  // END SOLUTION
}

/// Factors the panel whose first column is `first`, in its own memory, and brings it back to A.
void factor_panel(const Problem& p, Panel& panel, int first) {
  panel.read(p, first);
  factor(p, panel, 0, panel.columns);
  panel.write(p);
}

/// Does the swaps of pivots i … end - 1 in one block of columns.
void swap_rows(const Problem& p, int i, int end, int column) {
  double* const block = p.A + column;
  const int columns = std::min(block_columns, p.n - column);
  for (; i < end; ++i)
    if (double* one = block + size_t(i) * p.n, *other = block + size_t(p.pivot[i]) * p.n; one != other)
      std::swap_ranges(one, one + columns, other);
}

/// What a factored panel does to one block of columns on its right.
void update(const Problem& p, const Panel& panel, int column) {
  const int columns = std::min(block_columns, p.n - column);
  // BEGIN SOLUTION The panel's own rows are swapped. Swap those of the block alike, then let the panel's
  //  columns do their work on it.
  //| [[maybe_unused]] columns;
  //| ladder::task();  // Delete this line when you start.
  swap_rows(p, panel.first, panel.first + panel.columns, column);
  solve_and_subtract(panel, 0, panel.columns, columns, p.A + size_t(panel.first) * p.n + column, p.n);
  // END SOLUTION
}

}  // namespace

/// PA = LU with all threads of the team.
void tasks(const Problem& p) {
  *p.info = 0;
  if (p.n == 0) return;
  Panel panels[] = {Panel(p.n), Panel(p.n)};  // panel k is in panels[k % 2]
  factor_panel(p, panels[0], 0);
  // BEGIN SOLUTION One thread of a team makes the tasks. depend() says what each of them reads and writes: a
  //  panel is panels[…], a block is the first element of its first column. The block that is the next panel
  //  comes first: one task for its update and its factorisation. At the end the threads share the blocks
  //  whose rows are swapped.
  //| ladder::task();  // Delete this line when you start.
  //| for (int k = 0, next = block_columns; next < p.n; ++k, next += block_columns) {
  //|   for (int j = next; j < p.n; j += block_columns) update(p, panels[k % 2], j);
  //|   factor_panel(p, panels[(k + 1) % 2], next);
  //| }
  //| for (int j = 0; j < p.n; j += block_columns) swap_rows(p, j + block_columns, p.n, j);
#pragma omp parallel
  {
#pragma omp single
    for (int k = 0, next = block_columns; next < p.n; ++k, next += block_columns) {
#pragma omp task depend(in : panels[k % 2]) depend(inout : p.A[next]) depend(out : panels[(k + 1) % 2])
      {
        update(p, panels[k % 2], next);
        factor_panel(p, panels[(k + 1) % 2], next);
      }
      for (int j = next + block_columns; j < p.n; j += block_columns)
#pragma omp task depend(in : panels[k % 2]) depend(inout : p.A[j])
        update(p, panels[k % 2], j);
    }
    // All tasks are done: `single` ends with a barrier.
#pragma omp for schedule(dynamic)
    for (int j = 0; j < p.n; j += block_columns) swap_rows(p, j + block_columns, p.n, j);
  }
  // END SOLUTION
}

}  // namespace lu
