#pragma once
/// @file
/// A periodic grid with a border, and the grids of a V-cycle.

#include <cstddef>

namespace npb_mg {

/// Points 1 … nx, 1 … ny, 1 … nz. Around them is a border of one point, 0 and n + 1, which holds copies of
/// the points n and 1: neighbours across the end of an axis. x varies fastest.
struct Grid {
  int nx = 4, ny = 4, nz = 4;

  /// The grid of every other point.
  constexpr Grid coarser() const { return {nx / 2, ny / 2, nz / 2}; }
  /// Elements of an array, with its border.
  constexpr std::size_t elements() const { return std::size_t(nx + 2) * (ny + 2) * (nz + 2); }
  /// The element of a point.
  constexpr std::size_t at(int x, int y, int z) const {
    return (std::size_t(z) * (ny + 2) + y) * (nx + 2) + x;
  }
};

/// One level of the V-cycle.
struct Level {
  Grid grid;
  double* u;  ///< grid.elements(); the solution, or a correction of the finer level's
  double* r;  ///< grid.elements(); the residual
};

}  // namespace npb_mg
