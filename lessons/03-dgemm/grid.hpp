#pragma once
/// @file
/// A grid of ranks, and which block of a matrix each has: m2, m3. Given.

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/lesson/lesson.hpp"

namespace dgemm {

/// Neighbouring rows, columns or terms: first … first + size - 1.
struct Range {
  int first = 0, size = 0;
  constexpr int end() const { return first + size; }
};

/// Part `index` of `parts` of `total` rows: they differ by at most one row, and the first ones are longer.
constexpr Range share(int total, int parts, int index) {
  const int rows = total / parts, more = total % parts;
  return {index * rows + std::min(index, more), rows + (index < more)};
}

/// The grid, and a rank's place in it: rank r is in row r / columns, column r % columns.
struct Grid {
  int rows = 1, columns = 1;
  int row = 0, column = 0;
};

/// At most as many rows as columns, and as many as that allows.
constexpr Grid grid_of(int rank, int ranks) {
  Grid grid;
  for (int rows = 1; rows * rows <= ranks; ++rows)
    if (ranks % rows == 0) grid.rows = rows;
  grid.columns = ranks / grid.rows;
  grid.row = rank / grid.columns;
  grid.column = rank % grid.columns;
  return grid;
}

/// What a rank has of the whole problem: blocks with its padding.
template <class Problem>
constexpr Problem part_of(const Problem& whole, int rank, int ranks) {
  Problem own = whole;
  own.grid = grid_of(rank, ranks);
  const int columns = share(whole.n, own.grid.columns, own.grid.column).size;
  own.lda += share(whole.k, own.grid.columns, own.grid.column).size - whole.k;
  own.ldb += columns - whole.n;
  own.ldc += columns - whole.n;
  return own;
}

/// Where A, B and C of a part are in those of the whole problem.
template <class Problem>
std::array<ladder::Block, 3> blocks_of(const Problem& part, const Problem& whole) {
  const auto block = [&part](int rows, int columns, int ld, int own_ld) {
    const Range i = share(rows, part.grid.rows, part.grid.row);
    const Range j = share(columns, part.grid.columns, part.grid.column);
    return ladder::Block{std::size_t(i.first) * ld + j.first, std::size_t(i.size), std::size_t(j.size),
                         std::size_t(ld), std::size_t(own_ld)};
  };
  return {block(whole.m, whole.k, whole.lda, part.lda), block(whole.k, whole.n, whole.ldb, part.ldb),
          block(whole.m, whole.n, whole.ldc, part.ldc)};
}

}  // namespace dgemm
