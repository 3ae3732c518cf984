// verdict PASS
// must right in all
// must classes
// not Warning
// No tasks and no recursion: the blocks of a step are shared by a loop, and a panel is eliminated group after group.
#include <algorithm>

#include "problem.hpp"
#include "tiles.hpp"

namespace lu {

void tasks(const Problem& p) {
  *p.info = 0;
  Panel panel(p.n);
  for (int k = 0; k < p.n; k += block_columns) {
    panel.read(p, k);
    for (int c = 0; c < panel.columns; c += base_columns) {
      eliminate(p, panel, c);
      const int right = c + base_columns;
      if (right < panel.columns)
        solve_and_subtract(panel, c, base_columns, block_columns - right, panel.row(c) + right, block_columns);
    }
    panel.write(p);
#pragma omp parallel for schedule(dynamic)
    for (int j = 0; j < p.n; j += block_columns) {
      if (j == k) continue;
      const int columns = std::min(block_columns, p.n - j);
      for (int i = k; i < k + panel.columns; i++)
        if (p.pivot[i] != i) {
          double* row = p.A + (size_t)i * p.n + j;
          std::swap_ranges(row, row + columns, p.A + (size_t)p.pivot[i] * p.n + j);
        }
      if (j > k) solve_and_subtract(panel, 0, panel.columns, columns, p.A + (size_t)k * p.n + j, p.n);
    }
  }
}

}  // namespace lu
