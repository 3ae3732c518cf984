#pragma once
/// @file
/// Columns of a matrix dealt out to ranks in turn: m1; and its rows, too: m2 and m3. Given.

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/lesson/lesson.hpp"

namespace lu {

/// Columns of a block, and its rows in m2 and m3. Block 0 is rank 0's, block 1 is rank 1's, and after the
/// last rank comes rank 0 again.
constexpr int cyclic_width = 64;

/// How many of the first @p columns columns a rank has, if blocks of @p width columns are dealt out in turn.
constexpr int dealt(int columns, int width, int rank, int ranks) {
  return columns / (width * ranks) * width + std::clamp(columns % (width * ranks) - width * rank, 0, width);
}

/// A rank and how many there are. They are a row, or a grid, which has at most as many rows as columns and as
/// many as that allows. Rank r is in row r / columns(), column r % columns().
struct Ranks {
  int rank = 0, count = 1;
  bool grid = false;  ///< m2 and m3
  constexpr int rows() const {
    int most = 1;
    for (int rows = 2; grid && rows * rows <= count; ++rows)
      if (count % rows == 0) most = rows;
    return most;
  }
  constexpr int columns() const { return count / rows(); }
  constexpr int row() const { return rank / columns(); }
  constexpr int column() const { return rank % columns(); }
  /// How many of the first @p columns_of_a columns of A the rank has.
  constexpr int share(int columns_of_a) const {
    return dealt(columns_of_a, cyclic_width, column(), columns());
  }
  /// How many of the first @p rows_of_a rows of A the ranks of a row have; of a row of the grid, if it has
  /// one only: all.
  constexpr int share_of_rows(int rows_of_a, int row) const {
    return dealt(rows_of_a, cyclic_width, row, rows());
  }
  constexpr int share_of_rows(int rows_of_a) const { return share_of_rows(rows_of_a, row()); }
};

/// What a rank has of the whole problem: its elements side by side, in their order.
template <class Problem>
constexpr Problem part_of(const Problem& whole, int rank, int ranks) {
  Problem own = whole;
  own.ranks.rank = rank;
  own.ranks.count = ranks;
  own.lda = own.ranks.share(whole.n);
  return own;
}

/// Where the arrays of a part are in those of the whole problem.
template <class Problem>
std::array<ladder::Block, 3> blocks_of(const Problem& part, const Problem& whole) {
  const std::size_t n = whole.n, columns = part.lda, rows = part.ranks.share_of_rows(whole.n);
  const std::size_t width = cyclic_width, first_row = part.ranks.row() * width;
  return {ladder::Block{.first = first_row * n + part.ranks.column() * width,
                        .rows = rows,
                        .columns = columns,
                        .ld = n,
                        .own_ld = columns,
                        .row_cycle = {width, width * part.ranks.rows()},
                        .column_cycle = {width, width * part.ranks.columns()}},
          ladder::Block{0, 1, n, n, n}, ladder::Block{0, 1, 1, 1, 1}};
}

}  // namespace lu
