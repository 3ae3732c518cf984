#pragma once
/// @file
/// Contract of lesson 09: NPB MG, one V-cycle of a multigrid solver for Poisson's equation.
/// Source: none; NPB defines operators, classes and verification.

#include <cstddef>

#include "common/lesson/lesson.hpp"
#include "grid.hpp"
#include "official_classes.hpp"
#include "slabs.hpp"

namespace npb_mg {

/// A u at a point: -8/3 times the point, and of its 26 neighbours 1/6 times the sum of the 12 that differ
/// from it along two axes, and 1/12 times the sum of the 8 that differ along three.
constexpr double a0 = -8.0 / 3, a2 = 1.0 / 6, a3 = 1.0 / 12;

/// One V-cycle for A u = v, and the residual after it: u is improved, r = v - A u.
///
/// - On entry r = v - A u, unless residual_first. README.md has the four operators and their order.
/// - levels >= 2; nx, ny and nz are multiples of 2^(levels - 1), and at least 2 on the coarsest grid. They
///   are not multiples of a block.
/// - All arrays have borders, and all borders of v, u and r are right on entry. Those of u and r are results.
/// - Sums may be made in any order, coefficients before or after them.
/// - Resident rungs (`data` in rungs.toml): all arrays are in device memory. m1, m2: see part_of().
struct Problem {
  Grid grid;                      ///< the finest
  int levels = 2;                 ///< grids, each with every other point of the one before
  double c0 = 0, c1 = 0, c2 = 0;  ///< the smoother: the point, its 6 nearest neighbours, the 12 of A
  const double* v = nullptr;      ///< grid.elements(); the right-hand side
  double* u = nullptr;            ///< grid.elements(); the solution
  double* r = nullptr;            ///< grid.elements(); the residual
  double* coarse_u = nullptr;     ///< coarse_elements; u and r of level 1, 2, …: anything before and after
  double* coarse_r = nullptr;     ///< coarse_elements
  Ranks ranks{};                  ///< m1 and m2 only
  /// Only g5, g6, and g4 next to g5: r = v - A u is made before the cycle. Before and after it r is anything.
  bool residual_first = false;

  static constexpr auto& classes = official_classes;  ///< the sizes that have names: `run 09 --class A`
  constexpr Problem part(int rank, int count) const { return part_of(*this, rank, count); }
  auto blocks(const Problem& whole) const { return blocks_of(*this, whole); }

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    const std::size_t finest = grid_of(grid, ranks, 0).elements();
    const std::size_t coarse = coarse_elements(grid, ranks, levels);
    visit("v", ladder::Role::in, v, finest);
    visit("u", ladder::Role::inout, u, finest);
    visit("r", residual_first ? ladder::Role::work : ladder::Role::inout, r, finest);
    visit("coarse_u", ladder::Role::work, coarse_u, coarse);
    visit("coarse_r", ladder::Role::work, coarse_r, coarse);
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace npb_mg
