#pragma once
/// @file
/// Contract of lesson 04: A x = b, A sparse, symmetric and positive definite, on dense tiles. Source: work C.

#include <cstddef>

#include "common/lesson/lesson.hpp"

namespace cholesky {

/// Factorises A = L L^T in place, then solves L L^T x = b.
///
/// - The rows of A are in a good order (given/ordering.hpp), in tiles of s x s. Of the lower triangle those
///   are stored that are not empty in L: for any two rows i >= j of a tile column there is the tile (i, j).
/// - A tile is dense and column-major: element (r, c) of tile t is L[t * s * s + c * s + r].
/// - Above the diagonal of a diagonal tile there may be NaN. It is never read, and holds anything afterwards.
///   All other numbers are finite. If the factorisation leaves their range, info, L and x hold anything.
/// - No tile joins two of the parts 0, …, parts - 2; all may touch the last, the border. A part may be empty.
///   Where it does not fill its last tile, rows of the identity do: row_of is -1 there, and b is 0.
/// - info is 0, or 1 + the original row of a pivot that is not positive: A is not positive definite then, and
///   L and x hold anything. The rung returns all the same, with nothing running and all memory freed.
/// - A GPU rung allocates at most 1.1 times the bytes of L on the device, plus lists (12 bytes per tile, 16
///   per row, 1 KiB), at most device_bytes: else it throws before it starts and says how many are missing.
struct Problem {
  int n = 0;                          ///< rows, >= 1, the padding included: tile_columns * s
  int s = 0;                          ///< order of a tile, 1 to 1024
  int tile_columns = 0;               ///< >= 1
  int tiles = 0;                      ///< stored ones
  int parts = 0;                      ///< >= 1; the last one is the border
  std::size_t device_bytes = 0;       ///< that a GPU rung may allocate; 0: what the device has free
  const int* column_start = nullptr;  ///< tile_columns + 1; column k: tiles column_start[k] to [k + 1] - 1
  const int* tile_row = nullptr;      ///< tiles; the row of tile t, ascending in a column: the diagonal first
  const int* part_start = nullptr;    ///< parts + 1; part q: tile columns part_start[q] to [q + 1] - 1
  const int* row_of = nullptr;        ///< n; the row of the original matrix that became row i; -1 for padding
  const double* b = nullptr;          ///< n
  double* L = nullptr;                ///< tiles x s x s; A's lower triangle, becomes L
  double* x = nullptr;                ///< n; the result
  int* info = nullptr;                ///< 1
  bool L_stays = false;               ///< only g10, and g9 next to it: L is left in dL, *L is anything then
  double* dL = nullptr;               ///< tiles x s x s, in device memory

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("column_start", ladder::Role::in, column_start, std::size_t(tile_columns) + 1);
    visit("tile_row", ladder::Role::in, tile_row, std::size_t(tiles));
    visit("part_start", ladder::Role::in, part_start, std::size_t(parts) + 1);
    visit("row_of", ladder::Role::in, row_of, std::size_t(n));
    visit("b", ladder::Role::in, b, std::size_t(n));
    visit("L", ladder::Role::inout, L, std::size_t(tiles) * s * s);
    visit("x", ladder::Role::out, x, std::size_t(n));
    visit("info", ladder::Role::out, info, std::size_t(1));
    if (L_stays) visit("dL", ladder::Role::out_on_device, dL, std::size_t(tiles) * s * s);
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace cholesky
