#include "problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/parallel.hpp"
#include "reference.hpp"

namespace npb_mg::test {
namespace {

Grid cube(int n) {
  return {n, n, n};
}

/// NPB's levels: the coarsest grid has two points a side.
int levels_of_cube(int n) {
  int levels = 1;
  for (; n > 2; n /= 2) ++levels;
  return levels;
}

/// The call of NPB's that a class begins or ends with.
Case official_case(const OfficialClass& official, int iteration) {
  return {"classes", cube(official.n), levels_of_cube(official.n), official.size > 256, iteration};
}

}  // namespace

std::vector<Case> cases(bool on_processor, bool on_device) {
  std::vector<Case> all = {{"general", cube(8), 3}, {"general", cube(16), 4}, {"general", cube(16), 4, true}};
  // The smallest; coarsest grids with a prime number of points, with sides that differ, past a warp, and with
  // more planes than whole blocks that march have.
  all.push_back({"tails", cube(4)});
  all.push_back({"tails", {6, 10, 14}});
  all.push_back({"tails", {14, 6, 4}});
  all.push_back({"tails", {4, 22, 6}});
  all.push_back({"tails", {66, 6, 4}});
  all.push_back({"tails", {4, 6, 58}});
  all.push_back({"tails", {12, 20, 28}, 3});
  all.push_back({"tails", {8, 8, 40}, 3});
  // Level 1 has more points than one block does in g4 to g6. A class of its own: its first case is watched.
  all.push_back({"large levels", {36, 36, 40}, 3});
  for (const OfficialClass& official : official_classes)
    if (official.size <= (on_device || on_processor ? 128 : 32)) all.push_back(official_case(official, 1));
  all.push_back(official_case(official_classes[0], official_classes[0].iterations));
  return all;
}

std::vector<Case> cases_of_ranks() {
  std::vector<Case> all;
  const auto add = [&all](Grid grid, int levels, int ranks) {
    all.push_back({"ranks", grid, levels, false, 0, ranks});
  };
  add({40, 40, 24}, 3, 2);  // slabs on two levels
  for (const int ranks : {1, 4}) {
    add(cube(8), 3, ranks);
    add({6, 10, 14}, 2, ranks);  // seven planes of the whole grid: slabs differ
    add({16, 24, 40}, 4, ranks);
    add({36, 44, 40}, 3, ranks);
    add({6, 4, 52}, 2, ranks);  // 50 planes between the first and the last are no whole blocks that march
  }
  add({10, 6, 12}, 2, 3);
  return all;
}

std::vector<Case> cases_of_residual_first() {
  std::vector<Case> all;
  const auto add = [&all](const char* group, Grid grid, int levels) {
    all.push_back({group, grid, levels, false, 0, 0, true});
  };
  add("residual first", cube(8), 3);
  add("residual first", {6, 10, 14}, 2);
  // No side is a number of whole tiles, and the last block marches less far.
  const char* const large = "residual first, large levels";
  add(large, {36, 44, 40}, 3);
  add(large, {68, 36, 20}, 3);
  add(large, {20, 12, 172}, 3);
  return all;
}

const OfficialClass* class_of(int size) {
  for (const OfficialClass& official : official_classes)
    if (official.size == size) return &official;
  return nullptr;
}

Case sized(int n) {
  if (const OfficialClass* official = class_of(n)) return official_case(*official, 1);
  int side = 4;
  while (2 * side <= n) side *= 2;
  return {"general", cube(side), levels_of_cube(side), n > 256};
}

Problem shape(const Case& c) {
  Problem p{.grid = c.grid, .levels = c.levels, .c0 = -3 / 8.0, .c1 = 1 / 32.0, .c2 = -1 / 64.0};
  if (c.large_classes) p.c0 = -3 / 17.0, p.c1 = 1 / 33.0, p.c2 = -1 / 61.0;
  p.residual_first = c.residual_first;
  return p;
}

std::string name(const Case& c) {
  return fmt::format("{} x {} x {} points, {} levels{}{}{}{}", c.grid.nx, c.grid.ny, c.grid.nz, c.levels,
                     c.large_classes ? ", smoother of large classes" : "",
                     c.iteration > 0 ? fmt::format(", NPB's iteration {}", c.iteration) : "",
                     c.residual_first ? ", residual first" : "",
                     c.ranks > 0 ? fmt::format(", {} rank{}", c.ranks, c.ranks == 1 ? "" : "s") : "");
}

void fill(const Case& c, ladder::Random& random, const Problem& p) {
  const std::size_t n = p.grid.elements();
  double* v = const_cast<double*>(p.v);
  const auto set_r = [&](const std::vector<double>& r) {
    if (!c.residual_first) std::copy(r.begin(), r.end(), p.r);
  };
  if (c.iteration > 0) {
    set_official_v(p.grid, v);
    std::fill_n(p.u, n, 0.0);
    if (!c.residual_first) ladder::copy_in_parts(v, n, p.r);
    for (int iteration = 1; iteration < c.iteration; ++iteration) {
      const Result result = cycle(p);
      std::copy(result.u.begin(), result.u.end(), p.u);
      set_r(result.r);
    }
    return;
  }
  for (std::size_t i = 0; i < n; ++i) v[i] = random.uniform(-1, 1), p.u[i] = random.uniform(-1, 1);
  fill_border(p.grid, v);
  fill_border(p.grid, p.u);
  set_r(residual(p, p.u));
}

}  // namespace npb_mg::test
