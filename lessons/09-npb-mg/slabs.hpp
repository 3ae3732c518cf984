#pragma once
/// @file
/// Which planes of each grid a rank has: m1, m2. Given.

#include <array>
#include <cstddef>
#include <string>

#include "common/lesson/lesson.hpp"
#include "grid.hpp"

namespace npb_mg {

/// A rank and how many there are. Of the finest grids each rank has a slab, neighbouring planes; grids below
/// them are whole on every rank. The planes of the first whole grid are shared as evenly as possible, and a
/// slab of a finer grid has the planes around them: 2 of the next grid for each, 4 of the one after, and so
/// on.
struct Ranks {
  int rank = 0, count = 1;
  int slabs = 0;  ///< grids of which a rank has a slab; 0: all are whole
  constexpr int first(int planes) const { return rank * planes / count; }  ///< of a whole grid's, from 0
  constexpr int own(int planes) const { return (rank + 1) * planes / count - first(planes); }
};

constexpr int whole_points = 16 * 16 * 16;  ///< a grid with so few is whole on every rank

/// What a rank has of a level.
constexpr Grid grid_of(Grid finest, Ranks ranks, int level) {
  const int below = ranks.slabs - level;  // the first whole level is so much coarser
  const int nz = below > 0 ? ranks.own(finest.nz >> ranks.slabs) << below : finest.nz >> level;
  return {finest.nx >> level, finest.ny >> level, nz};
}

/// Elements of what a rank has of all grids below the finest.
constexpr std::size_t coarse_elements(Grid finest, Ranks ranks, int levels) {
  std::size_t all = 0;
  for (int level = 1; level < levels; ++level) all += grid_of(finest, ranks, level).elements();
  return all;
}

/// What a rank has of the whole problem: v, u and r of its slab, with the planes before and after it, and
/// room for what it has of coarser grids. Level 1 or a coarser one is the first whole one: that which is
/// small, or the last that has a plane for each rank, or the coarsest.
/// @throws ladder::Error when level 1 has fewer planes than there are ranks.
template <class Problem>
constexpr Problem part_of(const Problem& whole, int rank, int count) {
  const Grid g = whole.grid;
  if (g.nz / 2 < count)
    throw ladder::Error("a grid of " + std::to_string(g.nz) + " planes has slabs for " +
                        std::to_string(g.nz / 2) + " ranks at most, of two planes each; these are " +
                        std::to_string(count));
  Problem own = whole;
  own.ranks = {rank, count, 1};
  int& level = own.ranks.slabs;
  const auto large = [&](Grid at) { return at.nx * at.ny * at.nz > whole_points; };
  while (level + 1 < whole.levels && large(grid_of(g, {}, level)) && g.nz >> (level + 1) >= count) ++level;
  return own;
}

/// Where v, u and r of a part are in those of the whole problem. Slabs meet in two planes that both ranks
/// have: as results those of the higher rank count.
template <class Problem>
std::array<ladder::Block, 5> blocks_of(const Problem& part, const Problem& whole) {
  const Ranks ranks = part.ranks;
  const int first = ranks.first(whole.grid.nz >> ranks.slabs) << ranks.slabs;
  const std::size_t size = grid_of(whole.grid, ranks, 0).elements();
  const ladder::Block slab{whole.grid.at(0, 0, first), 1, size, size, size};
  return {slab, slab, slab};
}

}  // namespace npb_mg
