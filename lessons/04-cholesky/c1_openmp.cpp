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
  // TASK The baseline's loops, walked through by one thread of the team, which makes a task of each call.
  //  A task must wait for those that write the tiles it reads, and for those that change its own tile: depend(in: …),
  //  depend(inout: …). When a pivot is not positive, info keeps the first one that was found, and the tasks that are
  //  left compute nothing.
  ladder::task();  // Delete this line when you start.
  *p.info = info;
  if (info == 0) solve_by_parts(p);
}

}  // namespace cholesky
