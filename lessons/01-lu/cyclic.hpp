#pragma once
/// @file
/// Columns of a matrix dealt out to ranks in turn: m1. Given.

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/lesson/lesson.hpp"

namespace lu {

/// Columns of a block. Block 0 is rank 0's, block 1 is rank 1's, and after the last rank comes rank 0 again.
constexpr int cyclic_width = 64;

/// How many of the first @p columns columns a rank has, if blocks of @p width columns are dealt out in turn.
constexpr int dealt(int columns, int width, int rank, int ranks) {
  return columns / (width * ranks) * width + std::clamp(columns % (width * ranks) - width * rank, 0, width);
}

/// A rank and how many there are.
struct Ranks {
  int rank = 0, count = 1;
  /// How many of the first @p columns columns of A the rank has.
  constexpr int share(int columns) const { return dealt(columns, cyclic_width, rank, count); }
};

/// What a rank has of the whole problem: its columns side by side, in their order.
template <class Problem>
constexpr Problem part_of(const Problem& whole, int rank, int ranks) {
  Problem own = whole;
  own.ranks = {rank, ranks};
  own.lda = own.ranks.share(whole.n);
  return own;
}

/// Where the arrays of a part are in those of the whole problem.
template <class Problem>
std::array<ladder::Block, 3> blocks_of(const Problem& part, const Problem& whole) {
  const std::size_t n = whole.n, columns = part.lda, width = cyclic_width;
  return {ladder::Block{.first = part.ranks.rank * width,
                        .rows = n,
                        .columns = columns,
                        .ld = n,
                        .own_ld = columns,
                        .column_cycle = {width, width * part.ranks.count}},
          ladder::Block{0, 1, n, n, n}, ladder::Block{0, 1, 1, 1, 1}};
}

}  // namespace lu
