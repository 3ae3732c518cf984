#include "structure.hpp"

#include <algorithm>
#include <numeric>

namespace cholesky {
namespace {

int tiles_for(int rows, int s) {
  return (rows + s - 1) / s;
}

template <class T>
T* writable(const T* pointer) {
  return const_cast<T*>(pointer);
}

/// Which element of L an element of A becomes. @param i, j  original rows
std::size_t element(const Structure& structure, int i, int j) {
  const int s = structure.s;
  const auto [low, high] = std::minmax({structure.place[j], structure.place[i]});
  const auto first = structure.tile_row.begin() + structure.column_start[low / s];
  const auto last = structure.tile_row.begin() + structure.column_start[low / s + 1];
  const auto t = std::lower_bound(first, last, high / s) - structure.tile_row.begin();
  return std::size_t(t) * s * s + std::size_t(low % s) * s + high % s;
}

}  // namespace

double Structure::flops() const {
  const double cube = double(s) * s * s;
  double sum = 0;
  for (int k = 0; k < tile_columns; ++k) {
    const double below = column_start[k + 1] - column_start[k] - 1;
    sum += cube * (1.0 / 3 + below + below + below * (below - 1));
  }
  return sum;
}

Structure structure_of(const Symmetric& A, const Ordering& ordering, int s) {
  Structure result;
  result.s = s;
  result.part_start = {0};
  for (const int rows : ordering.rows)
    result.part_start.push_back(result.part_start.back() + tiles_for(rows, s));
  result.tile_columns = result.part_start.back();
  result.row_of.assign(result.n(), -1);
  result.place.resize(A.n);
  int at = 0;
  for (std::size_t part = 0; part < ordering.rows.size(); ++part)
    for (int i = 0; i < ordering.rows[part]; ++i, ++at) {
      const int place = result.part_start[part] * s + i;
      result.row_of[place] = ordering.order[at];
      result.place[ordering.order[at]] = place;
    }

  std::vector<std::vector<int>> rows(result.tile_columns);  // tile rows of each tile column
  for (int k = 0; k < result.tile_columns; ++k) rows[k].push_back(k);
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j] + 1; e < A.start[j + 1]; ++e) {
      const auto [low, high] = std::minmax({result.place[j] / s, result.place[A.row[e]] / s});
      if (rows[low].back() != high) rows[low].push_back(high);
    }
  result.column_start = {0};
  for (int k = 0; k < result.tile_columns; ++k) {
    std::vector<int>& column = rows[k];
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    // What column k fills in begins in the column of its first tile below the diagonal, and goes on from
    // there.
    if (column.size() > 2) {
      std::vector<int>& parent = rows[column[1]];
      parent.insert(parent.end(), column.begin() + 2, column.end());
      std::sort(parent.begin(), parent.end());
      parent.erase(std::unique(parent.begin(), parent.end()), parent.end());
    }
    result.tile_row.insert(result.tile_row.end(), column.begin(), column.end());
    result.column_start.push_back(result.tiles());
  }
  return result;
}

Problem shape_of(const Structure& structure) {
  Problem p;
  p.n = structure.n();
  p.s = structure.s;
  p.tile_columns = structure.tile_columns;
  p.tiles = structure.tiles();
  p.parts = int(structure.part_start.size()) - 1;
  return p;
}

void fill_structure(const Structure& structure, const Problem& p) {
  std::copy(structure.column_start.begin(), structure.column_start.end(), writable(p.column_start));
  std::copy(structure.tile_row.begin(), structure.tile_row.end(), writable(p.tile_row));
  std::copy(structure.part_start.begin(), structure.part_start.end(), writable(p.part_start));
  std::copy(structure.row_of.begin(), structure.row_of.end(), writable(p.row_of));
}

void fill_tiles(const Structure& structure, const Symmetric& A, double above, const Problem& p) {
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s;
  std::fill_n(p.L, p.tiles * elements, 0.0);
  for (int k = 0; k < p.tile_columns; ++k) {
    double* const D = p.L + structure.column_start[k] * elements;
    for (int c = 0; c < s; ++c) {
      std::fill_n(D + std::size_t(c) * s, c, above);
      if (structure.row_of[k * s + c] < 0) D[std::size_t(c) * s + c] = 1;
    }
  }
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e)
      p.L[element(structure, A.row[e], j)] = A.value[e];
}

Symmetric matrix_in_tiles(const Structure& structure, const Symmetric& pattern, const Problem& p) {
  Symmetric A = pattern;
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e)
      A.value[e] = p.L[element(structure, A.row[e], j)];
  return A;
}

}  // namespace cholesky
