#pragma once
/// @file
/// Which rows and pieces of vectors each of several ranks has: m1 and m2. Given.

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/lesson/lesson.hpp"

namespace npb_cg {

/// A rank and how many there are. Of n rows each has as many as the others, but the last ones fewer or none.
struct Ranks {
  int rank = 0, count = 1;
  constexpr int piece(int n) const { return (n + count - 1) / count; }          ///< rows of rank 0
  constexpr int first(int n) const { return std::min(rank * piece(n), n); }     ///< of A: the rank's row 0
  constexpr int rows(int n) const { return std::min(piece(n), n - first(n)); }  ///< of this rank
  bool operator==(const Ranks&) const = default;
};

/// What a rank has of the whole problem. Its row_start is a part of A's: entry k of A is at k - row_start[0]
/// of its columns and values. Columns are those of A, and n is A's, but nnz is the rank's. x, z, d and q have
/// its rows only; r has room for the pieces of all ranks, piece(n) elements each. norm is on rank 0.
template <class Problem>
constexpr Problem part_of(const Problem& whole, int rank, int ranks) {
  Problem own = whole;
  own.ranks = {rank, ranks};
  const int first = own.ranks.first(whole.n);
  own.nnz = whole.row_start[first + own.ranks.rows(whole.n)] - whole.row_start[first];
  return own;
}

/// Where the arrays of a part are in those of the whole problem; those of role work are nowhere.
template <class Problem>
std::array<ladder::Block, 10> blocks_of(const Problem& part, const Problem& whole) {
  const auto block = [](int first, int size) {
    return ladder::Block{std::size_t(first), 1, std::size_t(size), std::size_t(size), std::size_t(size)};
  };
  const int first = part.ranks.first(whole.n), rows = part.ranks.rows(whole.n);
  const ladder::Block entries = block(whole.row_start[first], part.nnz), vector = block(first, rows);
  return {block(first, rows + 1), entries, entries, vector, vector, block(0, part.ranks.rank == 0)};
}

}  // namespace npb_cg
