#include "problems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace cholesky::test {
namespace {

template <class T>
T* writable(const T* pointer) {
  return const_cast<T*>(pointer);
}

Symmetric pattern_of(const Case& c) {
  constexpr int arrow_width = 3;
  switch (c.pattern) {
    case Pattern::dense:
      return dense(c.size, 1);
    case Pattern::arrow:
      return arrow(c.size, arrow_width, 1);
    case Pattern::grid:
      return grid(c.size, c.size, 1, 1);
    case Pattern::solid:
      return grid(c.size, c.size, c.size, 1);
    case Pattern::shell:
      return shell(c.size, c.size, 1);
    case Pattern::circuit:
      return circuit(c.size, c.size, c.size * c.size / 14, 1);
  }
  return {};
}

bool bad(Special special) {
  return special >= Special::bad_in_block;
}

}  // namespace

std::shared_ptr<const Prepared> prepare(const Case& c) {
  static std::map<std::tuple<Pattern, int, int, int, bool>, std::shared_ptr<const Prepared>> known;
  auto& prepared = known[{c.pattern, c.size, c.s, c.blocks, c.sections}];
  if (!prepared) {
    Symmetric A = pattern_of(c);
    const Ordering ordering = c.sections ? parallel_sections(A, c.blocks) : nested_dissection(A, c.blocks);
    Structure structure = structure_of(A, ordering, c.s);
    prepared = std::make_shared<const Prepared>(std::move(A), std::move(structure));
  }
  return prepared;
}

std::vector<Case> cases(bool on_gpu) {
  using enum Pattern;
  std::vector<Case> all{
      {"one tile", dense, 1, 4},
      {"one tile", dense, 4, 4},
      {"one tile", arrow, 3, 8},
      {"one tile", dense, 1, 1},
      {"one past a tile", dense, 9, 8},
      {"one past a tile", arrow, 17, 4},
      {"one past a tile", dense, 13, 4},
      {"grid", grid, 6, 4, 2},
      {"grid", grid, 12, 8, 4},
      {"grid", solid, 5, 8, 2},
      {"grid", circuit, 14, 8, 4},
      {"shell", shell, 5, 8, 2},
      {"shell", shell, 7, 4, 4},
      {"arrow", arrow, 40, 4, 4},
      {"arrow", arrow, 61, 8},
      // Past the panel of 64 columns of solve_tiles.cuh, and past two of its groups of 16.
      {"large tiles", dense, 150, 67},
      {"large tiles", dense, 90, 40},
  };
  all.push_back({"sections", grid, 10, 4, 4, Special::none, true});
  all.push_back({"sections", circuit, 12, 8, 3, Special::none, true});
  all.push_back({"ill-scaled", grid, 8, 4, 2, Special::ill_scaled});
  all.push_back({"ill-scaled", shell, 5, 8, 2, Special::ill_scaled});
  all.push_back({"not positive definite", dense, 1, 4, 1, Special::bad_last});
  for (const Special special : {Special::bad_in_block, Special::bad_in_border, Special::bad_last})
    all.push_back({"not positive definite", grid, 9, 4, 4, special});
  all.push_back({"not positive definite", dense, 11, 4, 1, Special::bad_in_block});
  if (on_gpu) {
    all.push_back({"device memory", grid, 16, 8, 2, Special::none, false, 1.1});
    all.push_back({"device memory", grid, 16, 8, 2, Special::none, false, 0.01});
  }
  return all;
}

Case sized(int n, bool on_gpu) {
  const int s = n <= 1500 ? 16 : n <= 6000 || !on_gpu ? 32 : 64;
  return {"general", Pattern::circuit, std::max(2, int(std::lround(std::sqrt(n)))), s, blocks_for(n, s)};
}

Problem shape(const Case& c) {
  const auto prepared = prepare(c);
  Problem p = shape_of(prepared->structure);
  p.device_bytes = std::size_t(c.share_of_memory * double(prepared->structure.bytes()));
  return p;
}

int bad_row(const Case& c) {
  if (!bad(c.special)) return -1;
  const Structure& structure = prepare(c)->structure;
  const auto& row_of = structure.row_of;
  const auto last = [&](int end) {  // the last row before place `end`
    while (end > 0 && row_of[end - 1] < 0) --end;
    return end - 1;
  };
  if (c.special == Special::bad_in_block) return row_of[last(structure.part_start[1] * structure.s) / 2];
  if (c.special == Special::bad_last) return row_of[last(structure.n())];
  const int begin = structure.part_start[structure.part_start.size() - 2] * structure.s;
  return row_of[begin];
}

Symmetric fill(const Prepared& prepared, bool ill_scaled, int bad_row, ladder::Random& random,
               const Problem& p) {
  Symmetric A = prepared.A;
  set_values(A, random.child(1));
  if (ill_scaled) scale(A, random.child());
  if (bad_row >= 0) A.value[A.start[bad_row]] = 0;
  fill_structure(prepared.structure, p);
  fill_tiles(prepared.structure, A, std::numeric_limits<double>::quiet_NaN(), p);
  for (int i = 0; i < p.n; ++i)
    writable(p.b)[i] = prepared.structure.row_of[i] < 0 ? 0 : random.uniform(-1, 1);
  return A;
}

Symmetric fill(const Case& c, ladder::Random& random, const Problem& p) {
  return fill(*prepare(c), c.special == Special::ill_scaled, bad_row(c), random, p);
}

std::string name(const Case& c) {
  static constexpr const char* patterns[] = {"dense", "arrow", "grid", "solid", "shell", "circuit"};
  const std::string size = std::to_string(c.size);
  std::string text = patterns[int(c.pattern)] + (" " + size);
  if (c.pattern > Pattern::arrow) text += " x " + size;
  if (c.pattern == Pattern::solid) text += " x " + size;
  text += ", tiles of " + std::to_string(c.s);
  if (c.blocks > 1) text += ", " + std::to_string(c.blocks) + (c.sections ? " sections" : " blocks");
  if (c.special == Special::ill_scaled) text += " (ill-scaled)";
  if (c.special == Special::bad_in_block) text += " (a pivot of the first part is not positive)";
  if (c.special == Special::bad_in_border) text += " (a pivot of the border is not positive)";
  if (c.special == Special::bad_last) text += " (the last pivot is not positive)";
  if (c.share_of_memory > 0)
    text += ", device memory of " + std::to_string(c.share_of_memory).substr(0, 4) + " of the tiles";
  return text;
}

}  // namespace cholesky::test
