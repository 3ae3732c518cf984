#pragma once
/// @file
/// What lesson 09's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include <algorithm>

#include "common/lesson/amounts.hpp"
#include "common/lesson/rung.hpp"
#include "common/trace/metrics.hpp"
#include "lessons/09-npb-mg/problem.hpp"

namespace npb_mg {

/// @name Necessary amounts
/// What the algorithm of a rung has to do. README.md derives them.
/// @{

constexpr int up(int n, int parts) {
  return (n + parts - 1) / parts;
}

/// Elements of a border.
constexpr double border(Grid g) {
  return double(g.elements()) - double(g.nx) * g.ny * g.nz;
}

/// Sums over the operators of a call: resid on each grid but the coarsest, twice on the finest; psinv on
/// each; rprj3 to each but the finest; interp to each but the coarsest. `visit(operator, grid of the
/// result)`.
template <class Visitor>
constexpr double over_operators(const Problem& p, Visitor&& visit) {
  double sum = visit('r', p.grid);
  Grid grid = p.grid;
  for (int level = 0; level < p.levels; ++level, grid = grid.coarser()) {
    sum += visit('p', grid);
    if (level > 0) sum += visit('s', grid);
    if (level + 1 < p.levels) sum += visit('r', grid) + visit('i', grid);
  }
  return sum;
}

/// Sectors of comm3. Along x each element of the border is in a sector of its own; so is its source.
constexpr double border_sectors(Grid g) {
  return 2 * (2.0 * g.ny * g.nz + 2 * (g.ny + 2.0 + g.nz) * ((g.nx + 2) / 4.0 + 0.5));
}

/// g1: a load or store of a row of n points touches n / 4 sectors and one more where it begins inside one.
/// Rows begin at odd elements, so columns next to them begin at a sector's first element half of the time.
constexpr double point_sectors(const Problem& p, int) {
  return over_operators(p, [](char name, Grid g) {
    const double n = g.nx, full = n / 4 + 1, rows = double(g.ny) * g.nz;
    double row = 0;
    if (name == 'r') row = 16 * (n / 4 + 0.5) + 7 * full;
    if (name == 'p') row = 10 * (n / 4 + 0.5) + 11 * full;
    if (name == 's') row = 27 * (n / 2 + 0.5) + full;
    if (name == 'i') row = 8 * (n / 8 + 1) + 2 * full;
    return row * rows + border_sectors(g);
  });
}

/// Planes of a block that marches: 16, or as many as leave 16 blocks along z.
constexpr int planes_of(Grid g) {
  return std::clamp(g.nz / 16, 1, 16);
}

/// g2: a warp loads the nine numbers of a plane once for each plane of its block and for the planes before
/// and after; rprj3 loads two fine planes for each plane of the block, and one more. resid loads v, psinv u.
constexpr double march_requests(const Problem& p, int) {
  return over_operators(p, [](char name, Grid g) {
    const double columns = double(up(g.nx, 32)) * g.ny, blocks = up(g.nz, planes_of(g));
    const double border_requests = border(g) / 32;
    if (name == 's') return 9 * columns * (2 * g.nz + blocks) + border_requests;
    if (name == 'i') return 9 * columns * g.nz + border_requests;
    return columns * (9 * (g.nz + 2 * blocks) + g.nz) + border_requests;
  });
}

/// g3: a launch per operator. rprj3 to each grid but the finest; interp, resid and psinv on each but the
/// coarsest, which has psinv alone; the last resid.
constexpr double operator_launches(const Problem& p, int) {
  return 4 * (p.levels - 1) + 2;
}

/// g4: one for all levels of at most 16^3 points; as in g3 for larger ones, of which level 0 is always one.
constexpr double small_launches(const Problem& p, int) {
  int large = 1;
  for (Grid g = p.grid.coarser(); large < p.levels - 1 && g.nx * g.ny * g.nz > 4096; g = g.coarser()) ++large;
  return 4 * large + 1;
}

/// Planes of a rank's message, in bytes: with the borders along x and y.
constexpr double plane_bytes(Grid g) {
  return double(sizeof(double)) * (g.nx + 2) * (g.ny + 2);
}

/// m1: on each grid that has slabs every rank sends two planes of four results: r from rprj3, u from interp,
/// r from resid, u from psinv. On the finest r is given, and is exchanged after the last resid instead. Each
/// plane of the first whole grid's r goes to all other ranks.
constexpr double halo_bytes(const Problem& p, int ranks) {
  const int slabs = p.part(0, ranks).ranks.slabs;
  double sum = 0;
  Grid g = p.grid;
  for (int level = 0; level < slabs && ranks > 1; ++level, g = g.coarser())
    sum += 4 * 2 * ranks * plane_bytes(g);
  return sum + (ranks - 1) * g.nz * plane_bytes(g);
}

/// Sectors of one operator of g4. A load of a row touches n / 4 sectors, and for each warp one more, or half
/// of one where rows begin with an even element; a row of a small grid is in one warp. @param finest  the
/// grid is
constexpr double operator_sectors(char name, Grid g, bool finest) {
  const bool small = !finest && g.nx * g.ny * g.nz <= 4096;
  const double warps = small ? 1 : up(g.nx, 32), rows = double(g.ny) * g.nz;
  const double odd = g.nx / 4.0 + warps, nine = 6 * (g.nx / 4.0 + warps / 2) + 3 * odd;
  const double planes = small ? 3 : 1 + 2.0 * up(g.nz, planes_of(g)) / g.nz;  // that a point loads
  double row = 0;
  if (name == 'r' || name == 'p') row = planes * nine + 2 * odd;
  if (name == 's') row = (small ? 3 : (planes + 3) / 2) * 9 * (g.nx / 2.0 + warps / 2) + odd;
  if (name == 'i') row = 8 * (g.nx / 8.0 + warps) + (finest ? 2 : 1) * odd;
  return row * rows + border_sectors(g) / 2;
}

/// g5: a block has 33 x 33 columns of r, three for a thread and each row of threads in two warps, and marches
/// through a quarter of the coarse planes or 32 of them. Per plane a thread loads 15 numbers of u and 3 of v.
constexpr double fused_kernel_sectors(Grid g) {
  const Grid coarse = g.coarser();
  const int planes = std::clamp(coarse.nz / 4, 1, 32), blocks = up(coarse.nz, planes);
  const double loads = 15 * (g.nz + 3 * blocks) + 3 * (g.nz + blocks), tiles = up(g.nx, 32) * up(g.ny, 32);
  const double stores = (coarse.nx / 4.0 + up(coarse.nx, 16)) * coarse.ny * coarse.nz;
  return tiles * 11 * (33 / 4.0 + 1.5) * loads + stores + border_sectors(coarse) / 2;
}

/// g4: with a kernel for the residual and one for its means.
constexpr double unfused_sectors(const Problem& p) {
  return over_operators(p, [&](char name, Grid g) { return operator_sectors(name, g, g.nx == p.grid.nx); });
}

/// g5: another kernel instead of the finest residual before the cycle and rprj3 to level 1.
constexpr double fused_sectors(const Problem& p, int) {
  return unfused_sectors(p) - operator_sectors('r', p.grid, true) -
         operator_sectors('s', p.grid.coarser(), false) + fused_kernel_sectors(p.grid);
}

/// g6: a block has 36 x 36 columns for 32 x 32 of its result, of which each row is in two warps, and marches
/// through an eighth of the planes. @param finest  u is loaded, too
constexpr double sweep_kernel_sectors(Grid g, bool finest) {
  const int tiles_x = up(g.nx, 32), tiles_y = up(g.ny, 32);
  const int planes = std::clamp(g.nz / 8, 4, 64), blocks = up(g.nz, planes);
  // A plane, with columns around each tile. `cut`: sectors more where a row of a tile or a warp begins;
  // points from the other end of an axis are in two more.
  const auto plane = [&](int around, int step, double cut) {
    const double row = (g.nx + 2.0 * around * tiles_x) / step + cut * tiles_x + (around > 0 ? 2 : 0);
    return (g.ny + 2.0 * around * tiles_y) * row;
  };
  return (finest ? (g.nz + 4 * blocks) * plane(2, 4, 2) : 0) + (g.nz + 3 * blocks) * plane(1, 4, 1.5) +
         2 * (g.nz / 2.0 + 3 * blocks) * plane(2, 8, 1.25) + g.nz * plane(0, 4, 2) + border_sectors(g) / 2;
}

/// g6: another kernel instead of interp, resid and psinv of large grids.
constexpr double sweep_sectors(const Problem& p, int) {
  double sum = fused_sectors(p, 1);
  Grid g = p.grid;
  for (int k = 0; k == 0 || (k < p.levels - 1 && g.nx * g.ny * g.nz > 4096); ++k, g = g.coarser()) {
    for (const char name : {'i', 'r', 'p'}) sum -= operator_sectors(name, g, k == 0);
    sum += sweep_kernel_sectors(g, k == 0);
  }
  return sum;
}

/// t1: as g2, but resid copies the rows of a tile, 10 for 8 rows of points, and its threads load v alone.
constexpr double bulk_requests(const Problem& p, int) {
  return march_requests(p, 1) + over_operators(p, [](char name, Grid g) {
           if (name != 'r') return 0.0;
           const double planes = g.nz + 2.0 * up(g.nz, planes_of(g)), copies = g.ny + 2.0 * up(g.ny, 8);
           return up(g.nx, 32) * planes * (copies - 9 * g.ny);
         });
}

/// t1: one for each resid: twice on the finest grid, not on the coarsest.
constexpr double ring_barriers(const Problem& p, int) {
  return p.levels;
}

/// Nothing runs without one.
constexpr double one_launch(const Problem&, int) {
  return 1;
}
/// @}

/// @name What the page predicts
/// @{

constexpr Grid grid_C{512, 512, 512};

/// Points of all grids of a V-cycle, over those of the finest.
constexpr double all_points(Grid grid, int levels) {
  double sum = 0, finest = double(grid.nx) * grid.ny * grid.nz;
  for (int level = 0; level < levels; ++level, grid = grid.coarser())
    sum += double(grid.nx) * grid.ny * grid.nz;
  return sum / finest;
}

/// Microseconds of an operator that marches through some planes of a slab, in blocks of one plane, by stated
/// costs.
constexpr double march_us(Grid g, int planes) {
  namespace cost = ladder::metrics::cost;
  return 1e6 * (cost::kernel + 256.0 * up(g.nx, 32) * up(g.ny, 8) * planes * cost::work_item);
}

/// Microseconds in which a halo arrives, of two planes, by stated costs.
constexpr double halo_us(Grid g) {
  namespace cost = ladder::metrics::cost;
  return 2e6 * (cost::message + plane_bytes(g) * cost::message_byte);
}

/// m2: the first and the last plane, then the planes between or the halo, whatever takes longer.
constexpr double hidden_us(Grid g) {
  return march_us(g, 2) + std::max(march_us(g, g.nz - 2), halo_us(g));
}
/// @}

/// What no rung can do without: additions and multiplications of two residuals and a smoothing on the finest
/// grid; v, u and r cross the memory once in each direction that the contract has.
constexpr ladder::Work work(const Problem& p) {
  const double n = double(p.grid.nx) * p.grid.ny * p.grid.nz;
  return {.fp64 = 45 * n, .bytes = 40 * n, .formula = "45 N FP64 operations, 40 N bytes; N points"};
}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"point_sectors", ladder::amount<point_sectors>},
                                        {"march_requests", ladder::amount<march_requests>},
                                        {"operator_launches", ladder::amount<operator_launches>},
                                        {"small_launches", ladder::amount<small_launches>},
                                        {"fused_sectors", ladder::amount<fused_sectors>},
                                        {"sweep_sectors", ladder::amount<sweep_sectors>},
                                        {"bulk_requests", ladder::amount<bulk_requests>},
                                        {"ring_barriers", ladder::amount<ring_barriers>},
                                        {"halo_bytes", ladder::amount<halo_bytes>},
                                        {"one_launch", ladder::amount<one_launch>}};

/// What a rung of this lesson is asked for.
struct Asks {
  bool residual_first = false;  ///< it gets problems that begin with the residual, too
};
inline Asks asks_of(const ladder::Step& row) {
  Asks asks;
  ladder::read_asks(row, {{"residual_first", &asks.residual_first}});
  return asks;
}

}  // namespace npb_mg
