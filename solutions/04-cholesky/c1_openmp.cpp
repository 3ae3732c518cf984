/// @file
/// c1: OpenMP tasks. The baseline works on one tile at a time. Here every call is a task that begins when the tiles it
/// reads are finished: tiles of one column, and columns of parts that do not touch, are worked on at the same time.
/// Source: work C, where OpenMP threads share the tiles; its figure 2 varies their number.

#include <atomic>

#include "tiles.hpp"

namespace cholesky {

/// Solves A x = b by all threads of the team; also in the triangular solves.
void openmp(const Problem& p) {
  std::atomic<int> info{0};
  // BEGIN SOLUTION The baseline's loops, walked through by one thread of the team, which makes a task of each call.
  //  A task must wait for those that write the tiles it reads, and for those that change its own tile: depend(in: …),
  //  depend(inout: …). When a pivot is not positive, info keeps the first one that was found, and the tasks that are
  //  left compute nothing.
  //| ladder::task();  // Delete this line when you start.
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    double* const L11 = tile(p, diagonal);
#pragma omp task depend(inout : L11[0])
    if (info == 0) {
      int none = 0;
      if (const int row = factorise_tile(L11, p.s)) info.compare_exchange_strong(none, info_of(p, k, row));
    }
    for (int t = diagonal + 1; t < end; ++t) {
      double* const L21 = tile(p, t);
#pragma omp task depend(in : L11[0]) depend(inout : L21[0])
      if (info == 0) solve_tile(L11, L21, p.s);
    }
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t) {
        const double* const A = tile(p, t);
        const double* const B = tile(p, u);
        double* const C = tile(p, find(p, p.tile_row[t], p.tile_row[u]));
#pragma omp task depend(in : A[0], B[0]) depend(inout : C[0])
        if (info == 0) update_tile(A, B, C, p.s);
      }
  }
  // END SOLUTION
  *p.info = info;
  if (info == 0) solve_by_parts(p);
}

}  // namespace cholesky
