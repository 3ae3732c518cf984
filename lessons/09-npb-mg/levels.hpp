#pragma once
/// @file
/// The levels of a problem, for the host code of all rungs.

#include <vector>

#include "problem.hpp"

namespace npb_mg {

/// Level 0 is the finest.
inline std::vector<Level> levels_of(const Problem& p) {
  std::vector<Level> levels{{p.grid, p.u, p.r}};
  std::size_t first = 0;
  for (int level = 1; level < p.levels; ++level) {
    const Grid grid = levels.back().grid.coarser();
    levels.push_back({grid, p.coarse_u + first, p.coarse_r + first});
    first += grid.elements();
  }
  return levels;
}

}  // namespace npb_mg
