#pragma once
/// @file
/// The levels of a problem, for the host code of all rungs.

#include <vector>

#include "problem.hpp"

namespace npb_mg {

/// Level 0 is the finest. In m1 and m2 the first ones have the planes of this rank only.
inline std::vector<Level> levels_of(const Problem& p) {
  std::vector<Level> levels{{grid_of(p.grid, p.ranks, 0), p.u, p.r}};
  std::size_t first = 0;
  for (int level = 1; level < p.levels; ++level) {
    const Grid grid = grid_of(p.grid, p.ranks, level);
    levels.push_back({grid, p.coarse_u + first, p.coarse_r + first});
    first += grid.elements();
  }
  return levels;
}

}  // namespace npb_mg
