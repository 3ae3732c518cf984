#include "problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/text/numbers.hpp"
#include "given/matrix_market.hpp"
#include "reference.hpp"

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

/// The order of a tile for n rows.
int tile_order(int n, bool on_gpu) {
  return n <= 1500 ? 16 : n <= 6000 || !on_gpu ? 32 : 64;
}

/// @return the same for the same file: a step of each kind of test asks for it.
std::shared_ptr<const Symmetric> matrix_of(const std::string& path) {
  static std::map<std::string, std::shared_ptr<const Symmetric>> known;
  auto& matrix = known[path];
  if (!matrix) matrix = std::make_shared<const Symmetric>(read_matrix_market(path));
  return matrix;
}

/// The arrays of a problem in tiles, of A's own values and b = 0.
struct Arrays {
  std::vector<int> column_start, tile_row, part_start, row_of;
  std::vector<double> b, L, x;
  int info = 0;
  Problem problem;

  explicit Arrays(const Prepared& prepared) : problem(shape_of(prepared.structure)) {
    Problem& p = problem;
    column_start.resize(p.tile_columns + 1), tile_row.resize(p.tiles), part_start.resize(p.parts + 1);
    row_of.resize(p.n), b.resize(p.n), x.resize(p.n), L.resize(std::size_t(p.tiles) * p.s * p.s);
    p.column_start = column_start.data(), p.tile_row = tile_row.data(), p.part_start = part_start.data();
    p.row_of = row_of.data(), p.b = b.data(), p.x = x.data(), p.L = L.data(), p.info = &info;
    fill_structure(prepared.structure, p);
    fill_tiles(prepared.structure, prepared.A, 0, p);
  }
};

std::string where(const std::string& path, int row) {
  const long line = line_of_diagonal(path, row);
  return line > 0 ? fmt::format("{}:{}: ", path, line) : path + ": ";
}

/// @throws ladder::Error that names the first row, in the order of the elimination, without a positive pivot
void require_positive_definite(const Prepared& prepared, const std::string& path) {
  const Symmetric& A = prepared.A;
  for (int i = 0; i < A.n; ++i)
    if (const double diagonal = A.value[A.start[i]]; !(diagonal > 0))
      throw ladder::Error(fmt::format("{}not positive definite: the diagonal entry of row {} is {}",
                                      where(path, i), i + 1, ladder::number(diagonal, 3)));
  const Arrays arrays(prepared);
  const int info = factorise(arrays.problem);
  if (info > 0)
    throw ladder::Error(fmt::format(
        "{}not positive definite: in the factorisation the pivot of row {} is not positive, within rounding",
        where(path, info - 1), info));
}

/// The judge has the tiles four times, the program that is judged once more.
void require_memory(const Structure& structure, const std::string& path, std::size_t free) {
  constexpr double copies = 5;
  const double needed = copies * double(structure.bytes());
  if (needed > double(free))
    throw ladder::Error(
        fmt::format("{}: its factor in tiles takes {:.3g} GB, with the copies of the test {:.3g} GB; "
                    "{:.3g} GB are free",
                    path, 1e-9 * double(structure.bytes()), 1e-9 * needed, 1e-9 * double(free)));
}

}  // namespace

std::shared_ptr<const Prepared> prepare(const Case& c) {
  static std::map<std::tuple<std::string, Pattern, int, int, int, bool>, std::shared_ptr<const Prepared>>
      known;
  auto& prepared = known[{c.file, c.pattern, c.size, c.s, c.blocks, c.sections}];
  if (!prepared) {
    Symmetric A = c.file.empty() ? pattern_of(c) : *matrix_of(c.file);
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
  const int s = tile_order(n, on_gpu);
  return {"general", Pattern::circuit, std::max(2, int(std::lround(std::sqrt(n)))), s, blocks_for(n, s)};
}

Case of_file(const std::string& path, bool on_gpu, std::optional<std::size_t> memory) {
  static std::set<std::pair<std::string, int>> checked;
  const int n = matrix_of(path)->n, s = tile_order(n, on_gpu);
  Case c{.group = "your matrix", .pattern = Pattern::dense, .size = n, .s = s, .blocks = blocks_for(n, s)};
  c.file = path;
  const auto prepared = prepare(c);
  if (checked.contains({path, s})) return c;  // the memory that was free is in use by now
  if (memory) require_memory(prepared->structure, path, *memory);
  require_positive_definite(*prepared, path);
  checked.insert({path, s});
  return c;
}

Problem shape(const Case& c) {
  const auto prepared = prepare(c);
  Problem p = shape_of(prepared->structure);
  p.L_stays = c.L_stays;
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
               const Problem& p, bool keep_values) {
  Symmetric A = prepared.A;
  if (!keep_values) set_values(A, random.child(1));
  if (ill_scaled) scale(A, random.child());
  if (bad_row >= 0) A.value[A.start[bad_row]] = 0;
  fill_structure(prepared.structure, p);
  fill_tiles(prepared.structure, A, std::numeric_limits<double>::quiet_NaN(), p);
  // In the scale of A's rows: else rows of a small scale would be all that counts of x.
  for (int i = 0; i < p.n; ++i) {
    const int row = prepared.structure.row_of[i];
    writable(p.b)[i] = row < 0 ? 0 : std::sqrt(A.value[A.start[row]]) * random.uniform(-1, 1);
  }
  return A;
}

Symmetric fill(const Case& c, ladder::Random& random, const Problem& p) {
  return fill(*prepare(c), c.special == Special::ill_scaled, bad_row(c), random, p, !c.file.empty());
}

std::string name(const Case& c) {
  if (!c.file.empty())
    return fmt::format("{}, n = {}, tiles of {}, {} blocks",
                       std::filesystem::path(c.file).filename().string(), c.size, c.s, c.blocks);
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
