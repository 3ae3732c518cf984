#pragma once
/// @file
/// Given: orders of the rows that lead to bordered block-diagonal form, and what they make of L.

#include <cstdint>
#include <vector>

#include "symmetric.hpp"

namespace cholesky {

/// Rows in a new order, in parts: the last part is the border, and no entry joins two others.
struct Ordering {
  std::vector<int> order;  ///< order[i]: the old row that becomes row i
  std::vector<int> rows;   ///< of each part; some may be 0
};

/// Nested dissection by METIS: halves and a separator, again and again; the separators of the first cuts are
/// the border. Inside of a part METIS goes on.
/// @param blocks  parts next to the border: a power of two
Ordering nested_dissection(const Symmetric& A, int blocks);

/// A number of blocks for n rows in tiles of order s: a block has four to eight tile columns. In larger
/// blocks columns that have nothing to do with each other share tiles, which are stored and multiplied with
/// all their zeros.
constexpr int blocks_for(int n, int s) {
  int blocks = 1;
  while (2 * blocks <= n / (4 * s)) blocks *= 2;
  return blocks;
}

/// The source's other order, parallel sections of a level structure: rows by their distance from an outermost
/// one; entries join equal or neighbouring levels only, so every level between two sections separates them.
/// Those levels are the border.
/// @param blocks  sections, at most; fewer where there are not enough levels
Ordering parallel_sections(const Symmetric& A, int blocks);

/// Entries of L, and the operations of its factorisation.
struct Fill {
  std::int64_t nnz = 0;  ///< of L, the diagonal included
  double flops = 0;      ///< sum of the squares of L's column counts, as CHOLMOD counts
};

/// What an order makes of L, entry by entry: before tiles.
Fill fill_of(const Symmetric& A, const std::vector<int>& order);

}  // namespace cholesky
