/// @file
/// Baseline: one core, operator after operator. Given complete; read it first.
/// Source: none; NPB defines the operators, and their names are NPB's.

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
  for (int z = 1; z <= g.nz; ++z)
    for (int y = 1; y <= g.ny; ++y) {
      const std::size_t row = g.at(0, y, z);
      for (int x = 1; x <= g.nx; ++x) {
        const double* p = u + row + x;
        r[row + x] = v[row + x] - a0 * p[0] - a2 * two_axes(g, p) - a3 * three_axes(g, p);
      }
    }
  comm3(g, r);
}

/// u += S r.
void psinv(const Problem& p, Grid g, const double* r, double* u) {  // g.elements() each
  for (int z = 1; z <= g.nz; ++z)
    for (int y = 1; y <= g.ny; ++y) {
      const std::size_t row = g.at(0, y, z);
      for (int x = 1; x <= g.nx; ++x) {
        const double* at = r + row + x;
        u[row + x] += p.c0 * at[0] + p.c1 * one_axis(g, at) + p.c2 * two_axes(g, at);
      }
    }
  comm3(g, u);
}

/// s, on every other point, is a weighted mean of r.
void rprj3(Grid g, const double* r, double* s) {  // g.elements(), g.coarser().elements()
  const Grid coarse = g.coarser();
  for (int z = 1; z <= coarse.nz; ++z)
    for (int y = 1; y <= coarse.ny; ++y)
      for (int x = 1; x <= coarse.nx; ++x) {
        const double* p = r + g.at(2 * x, 2 * y, 2 * z);
        s[coarse.at(x, y, z)] = p[0] / 2 + one_axis(g, p) / 4 + two_axes(g, p) / 8 + three_axes(g, p) / 16;
      }
  comm3(coarse, s);
}

/// u += the mean of the coarse points around each point, in the border, too.
void interp(Grid g, const double* e, double* u) {  // g.coarser().elements(), g.elements()
  const Grid coarse = g.coarser();
  for (int z = 0; z <= g.nz + 1; ++z)
    for (int y = 0; y <= g.ny + 1; ++y) {
      const double* rows[] = {e + coarse.at(0, y / 2, z / 2), e + coarse.at(0, (y + 1) / 2, z / 2),
                              e + coarse.at(0, y / 2, (z + 1) / 2),
                              e + coarse.at(0, (y + 1) / 2, (z + 1) / 2)};
      for (int x = 0; x <= g.nx + 1; ++x) {
        double sum = 0;
        for (const double* row : rows) sum += row[x / 2] + row[(x + 1) / 2];
        u[g.at(x, y, z)] += sum / 8;
      }
    }
}

}  // namespace

/// One V-cycle, and the residual after it.
void baseline(const Problem& p) {
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
