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
  // TASK, 6 lines: Recursion: up to base_columns columns are for eliminate(). Of more factor the left half,
  //  let it do its work on the right half, then factor the right half. The left one has whole groups of
  //  base_columns.
  ladder::task();  // Delete this line when you start.
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
  [[maybe_unused]] const int columns = std::min(block_columns, p.n - column);
  // TASK, 2 lines: The panel's own rows are swapped. Swap those of the block alike, then let the panel's
  //  columns do their work on it.
  ladder::task();  // Delete this line when you start.
}

}  // namespace

/// PA = LU with all threads of the team.
void tasks(const Problem& p) {
  *p.info = 0;
  if (p.n == 0) return;
  Panel panels[] = {Panel(p.n), Panel(p.n)};  // panel k is in panels[k % 2]
  factor_panel(p, panels[0], 0);
  // TASK, 16 lines: One thread of a team makes the tasks. depend() says what each of them reads and writes: a
  //  panel is panels[…], a block is the first element of its first column. The block that is the next panel
  //  comes first: one task for its update and its factorisation. At the end the threads share the blocks
  //  whose rows are swapped.
  ladder::task();  // Delete this line when you start.
  for (int k = 0, next = block_columns; next < p.n; ++k, next += block_columns) {
    for (int j = next; j < p.n; j += block_columns) update(p, panels[k % 2], j);
    factor_panel(p, panels[(k + 1) % 2], next);
  }
  for (int j = 0; j < p.n; j += block_columns) swap_rows(p, j + block_columns, p.n, j);
}

}  // namespace lu
