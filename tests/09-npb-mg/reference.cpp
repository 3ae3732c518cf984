#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

#include "common/base/parallel.hpp"
#include "common/npb/generator.hpp"

namespace npb_mg::test {
namespace {

using Field = std::vector<double>;

/// Calls f(z) for the planes 1 … nz of a grid.
template <class Function>
void for_planes(Grid g, Function f) {
  const std::size_t planes_per_thread = 1 + points_per_thread / (std::size_t(g.nx) * g.ny);
  ladder::in_parts(g.nz, planes_per_thread, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t z = first; z < last; ++z) f(int(z) + 1);
  });
}

/// A symmetric stencil: the weight of a neighbour that differs along 0, 1, 2, 3 axes.
struct Stencil {
  double weight[4];
};

Stencil absolute(Stencil s) {
  for (double& weight : s.weight) weight = std::abs(weight);
  return s;
}

/// Adds the stencil of `in` at point step * i to point i of `out`, for all points; then the border of `out`.
void add(const Stencil& s, Grid from, const Field& in, int step, Grid to, Field& out) {
  for_planes(to, [&](int z) {
    for (int y = 1; y <= to.ny; ++y)
      for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy) {
          const int axes = std::abs(dz) + std::abs(dy);
          const double near = s.weight[axes], far = s.weight[axes + 1];
          const double* a = &in[from.at(0, step * y + dy, step * z + dz)];
          double* b = &out[to.at(0, y, z)];
          for (int x = 1; x <= to.nx; ++x)
            b[x] += near * a[step * x] + far * (a[step * x - 1] + a[step * x + 1]);
        }
  });
  fill_border(to, out.data());
}

/// fine += the coarse field, linear between its points.
void add_between(Grid grid, const Field& coarse, Field& fine) {
  const Grid half = grid.coarser();
  for_planes(grid, [&](int z) {
    for (int y = 1; y <= grid.ny; ++y)
      for (int x = 1; x <= grid.nx; ++x) {
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner)
          sum += coarse[half.at((x + corner % 2) / 2, (y + corner / 2 % 2) / 2, (z + corner / 4) / 2)];
        fine[grid.at(x, y, z)] += sum / 8;
      }
  });
  fill_border(grid, fine.data());
}

/// The cycle. With `all_positive` all numbers and all coefficients count by their absolute values.
Result run(const Problem& p, bool all_positive) {
  Stencil minus_A{{-a0, 0, -a2, -a3}}, S{{p.c0, p.c1, p.c2, 0}};
  const Stencil P{{1 / 2.0, 1 / 4.0, 1 / 8.0, 1 / 16.0}};
  const auto field = [&](const double* a) {
    Field copy(a, a + p.grid.elements());
    if (all_positive)
      for (double& element : copy) element = std::abs(element);
    return copy;
  };
  if (all_positive) minus_A = absolute(minus_A), S = absolute(S);
  std::vector<Grid> grids{p.grid};
  std::vector<Field> rs{field(p.residual_first ? p.v : p.r)};
  if (p.residual_first) add(minus_A, p.grid, field(p.u), 1, p.grid, rs[0]);
  for (int k = 1; k < p.levels; ++k) {
    grids.push_back(grids.back().coarser());
    rs.emplace_back(grids[k].elements());
    add(P, grids[k - 1], rs[k - 1], 2, grids[k], rs[k]);
  }
  Field above(grids.back().elements());
  add(S, grids.back(), rs.back(), 1, grids.back(), above);
  for (int k = p.levels - 2; k >= 0; --k) {
    const Grid g = grids[k];
    Field u = k > 0 ? Field(g.elements()) : field(p.u);
    add_between(g, above, u);
    if (k == 0) rs[0] = field(p.v);
    add(minus_A, g, u, 1, g, rs[k]);
    add(S, g, rs[k], 1, g, u);
    above = std::move(u);
  }
  rs[0] = field(p.v);
  add(minus_A, p.grid, above, 1, p.grid, rs[0]);
  return {std::move(above), std::move(rs[0])};
}

/// NPB's largest and smallest random numbers, and their points.
struct Extremes {
  using Entry = std::pair<ladder::npb::State, std::size_t>;  // number, element
  std::vector<Entry> largest, smallest;  // heaps whose first entry is the one that leaves next
};

Extremes extremes_of(Grid g) {
  using Entry = Extremes::Entry;
  constexpr std::size_t count = 10;
  Extremes found;
  ladder::npb::State state = 314159265;
  for (int z = 1; z <= g.nz; ++z)
    for (int y = 1; y <= g.ny; ++y)
      for (int x = 1; x <= g.nx; ++x) {
        state = state * ladder::npb::multiplier & ladder::npb::mask;
        const auto offer = [&](std::vector<Entry>& heap, auto before) {
          if (heap.size() == count && !before({state, 0}, {heap.front().first, 0})) return;
          if (heap.size() == count) std::pop_heap(heap.begin(), heap.end(), before), heap.pop_back();
          heap.emplace_back(state, g.at(x, y, z));
          std::push_heap(heap.begin(), heap.end(), before);
        };
        offer(found.largest, std::greater<Entry>{});
        offer(found.smallest, std::less<Entry>{});
      }
  return found;
}

}  // namespace

Result cycle(const Problem& given) {
  return run(given, false);
}

Result magnitudes(const Problem& given) {
  return run(given, true);
}

std::vector<double> residual(const Problem& p, const double* u) {
  Field r(p.v, p.v + p.grid.elements());
  add({{-a0, 0, -a2, -a3}}, p.grid, Field(u, u + p.grid.elements()), 1, p.grid, r);
  return r;
}

void fill_border(Grid g, double* a) {
  const auto inside = [](int i, int n) { return i == 0 ? n : i == n + 1 ? 1 : i; };
  for (int z = 0; z <= g.nz + 1; ++z)
    for (int y = 0; y <= g.ny + 1; ++y) {
      const bool edge = z != inside(z, g.nz) || y != inside(y, g.ny);
      // In a row inside only its ends are border.
      for (int x = 0; x <= g.nx + 1; x += edge ? 1 : g.nx + 1)
        a[g.at(x, y, z)] = a[g.at(inside(x, g.nx), inside(y, g.ny), inside(z, g.nz))];
    }
}

void set_official_v(Grid g, double* v) {
  static Grid last{};
  static Extremes found;
  if (last.nx != g.nx || last.ny != g.ny || last.nz != g.nz) found = extremes_of(g), last = g;
  std::fill_n(v, g.elements(), 0.0);
  for (const auto& [number, element] : found.smallest) v[element] = -1;
  for (const auto& [number, element] : found.largest) v[element] = 1;
  fill_border(g, v);
}

double norm_of(Grid g, const double* r) {
  std::vector<double> planes(g.nz);
  for_planes(g, [&](int z) {
    double& sum = planes[z - 1];
    for (int y = 1; y <= g.ny; ++y)
      for (int x = 1; x <= g.nx; ++x) sum += r[g.at(x, y, z)] * r[g.at(x, y, z)];
  });
  const double sum = std::accumulate(planes.begin(), planes.end(), 0.0);
  return std::sqrt(sum / (double(g.nx) * g.ny * g.nz));
}

}  // namespace npb_mg::test
