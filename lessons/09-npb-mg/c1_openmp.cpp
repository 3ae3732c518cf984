/// @file
/// c1: OpenMP. The baseline computes operator after operator on one core. No point of a result needs another
/// one, so threads share the rows of each grid: rows, because coarse grids have few planes. Before: the
/// baseline. Source: none; NPB's OpenMP version shares the same loops.

#include <algorithm>
#include <vector>

#include "levels.hpp"

namespace npb_mg {
namespace {

/// Sums of the neighbours of a point that differ from it along one axis, two, three.
double one_axis(Grid g, const double* p) {  // the point
  const std::ptrdiff_t y = g.at(0, 1, 0), z = g.at(0, 0, 1);
  return p[-1] + p[1] + p[-y] + p[y] + p[-z] + p[z];
}
double two_axes(Grid g, const double* p) {  // the point
  const std::ptrdiff_t y = g.at(0, 1, 0), z = g.at(0, 0, 1);
  return p[-y - 1] + p[-y + 1] + p[y - 1] + p[y + 1] + p[-z - 1] + p[-z + 1] + p[z - 1] + p[z + 1] +
         p[-z - y] + p[-z + y] + p[z - y] + p[z + y];
}
double three_axes(Grid g, const double* p) {  // the point
  const std::ptrdiff_t y = g.at(0, 1, 0), z = g.at(0, 0, 1);
  return p[-z - y - 1] + p[-z - y + 1] + p[-z + y - 1] + p[-z + y + 1] + p[z - y - 1] + p[z - y + 1] +
         p[z + y - 1] + p[z + y + 1];
}

/// The border: copies of the points at the other end of each axis.
void comm3(Grid g, double* a) {  // g.elements()
#pragma omp parallel for
  for (int z = 1; z <= g.nz; ++z) {
    for (int y = 1; y <= g.ny; ++y) {
      a[g.at(0, y, z)] = a[g.at(g.nx, y, z)];
      a[g.at(g.nx + 1, y, z)] = a[g.at(1, y, z)];
    }
    std::copy_n(a + g.at(0, g.ny, z), g.nx + 2, a + g.at(0, 0, z));
    std::copy_n(a + g.at(0, 1, z), g.nx + 2, a + g.at(0, g.ny + 1, z));
  }
  const std::size_t plane = g.at(0, 0, 1);
  std::copy_n(a + g.nz * plane, plane, a);
  std::copy_n(a + plane, plane, a + (g.nz + 1) * plane);
}

/// r = v - A u. r may be v.
void resid(Grid g, const double* u, const double* v, double* r) {  // g.elements() each
  // TASK, 10 lines: The loops of the baseline, their rows shared among the threads.
  ladder::task();  // Delete this line when you start.
}

/// u += S r.
void psinv(const Problem& p, Grid g, const double* r, double* u) {  // g.elements() each
  // TASK, 10 lines: u += S r, its rows shared among the threads.
  ladder::task();  // Delete this line when you start.
}

/// s, on every other point, is a weighted mean of r.
void rprj3(Grid g, const double* r, double* s) {  // g.elements(), g.coarser().elements()
  // TASK, 9 lines: The coarse rows shared among the threads.
  ladder::task();  // Delete this line when you start.
}

/// u += the mean of the coarse points around each point, in the border, too.
void interp(Grid g, const double* e, double* u) {  // g.coarser().elements(), g.elements()
  // TASK, 13 lines: The rows shared among the threads, those of the border, too.
  ladder::task();  // Delete this line when you start.
}

}  // namespace

/// One V-cycle, and the residual after it.
void openmp(const Problem& p) {
  const std::vector<Level> levels = levels_of(p);
  const Level &finest = levels.front(), &coarsest = levels.back();
  for (int k = 1; k < p.levels; ++k) rprj3(levels[k - 1].grid, levels[k - 1].r, levels[k].r);
  std::fill_n(coarsest.u, coarsest.grid.elements(), 0.0);
  psinv(p, coarsest.grid, coarsest.r, coarsest.u);
  for (int k = p.levels - 2; k >= 0; --k) {
    const auto& [grid, u, r] = levels[k];
    if (k > 0) std::fill_n(u, grid.elements(), 0.0);
    interp(grid, levels[k + 1].u, u);
    resid(grid, u, k > 0 ? r : p.v, r);
    psinv(p, grid, r, u);
  }
  resid(finest.grid, finest.u, p.v, finest.r);
}

}  // namespace npb_mg
