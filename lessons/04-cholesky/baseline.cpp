/// @file
/// Baseline: sequential factorisation, tile by tile. Given complete; read it first.
/// Source: work C, (4) to (6), as loops over the tiles that are not empty.

#include "tiles.hpp"

namespace cholesky {
namespace {

/// A = L L^T in place. @return what `info` becomes.
int factorise(const Problem& p) {
  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    if (const int row = factorise_tile(tile(p, diagonal), p.s)) return info_of(p, k, row);
    for (int t = diagonal + 1; t < end; ++t) solve_tile(tile(p, diagonal), tile(p, t), p.s);
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t)  // tile (i, j) loses L(i, k) L(j, k)^T
        update_tile(tile(p, t), tile(p, u), tile(p, find(p, p.tile_row[t], p.tile_row[u])), p.s);
  }
  return 0;
}

}  // namespace

/// Solves A x = b by one thread.
void baseline(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve(p);
}

}  // namespace cholesky
