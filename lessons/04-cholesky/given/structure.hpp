#pragma once
/// @file
/// Given: which tiles of L are not empty, and A in tiles.

#include <cstddef>
#include <vector>

#include "ordering.hpp"
#include "problem.hpp"

namespace cholesky {

/// The arrays of a Problem but for the numbers.
struct Structure {
  int s = 0, tile_columns = 0;
  std::vector<int> column_start, tile_row, part_start;
  std::vector<int> row_of;  ///< tile_columns * s; -1: padding
  std::vector<int> place;   ///< of an original row: where it is now

  int tiles() const { return int(tile_row.size()); }
  int n() const { return tile_columns * s; }
  /// Bytes of the tiles.
  std::size_t bytes() const { return sizeof(double) * tile_row.size() * s * s; }
  /// Operations that a factorisation by tiles makes: potrf s^3 / 3, trsm s^3, an update 2 s^3, on a diagonal
  /// tile s^3.
  double flops() const;
};

/// Symbolic factorisation on tiles: each part begins with a new tile; a tile is stored when A or the
/// elimination of an earlier column puts an entry there.
Structure structure_of(const Symmetric& A, const Ordering& ordering, int s);

/// The scalars of a problem of that structure.
Problem shape_of(const Structure& structure);

/// Fills column_start, tile_row, part_start and row_of.
void fill_structure(const Structure& structure, const Problem& p);

/// Fills L with A's lower triangle, and rows of the identity for the padding.
/// @param above  what the elements above the diagonal, which nobody may read, get
void fill_tiles(const Structure& structure, const Symmetric& A, double above, const Problem& p);

/// The values that fill_tiles() has put into L. @param pattern  of A
Symmetric matrix_in_tiles(const Structure& structure, const Symmetric& pattern, const Problem& p);

}  // namespace cholesky
