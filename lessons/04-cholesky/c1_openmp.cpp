/// @file
/// c1: OpenMP. The baseline works on one tile at a time. Here every thread eliminates blocks of its own,
/// which no entry joins; only in the border they meet, and take turns at its columns. The border itself is
/// shared out as tasks, each of which begins when the columns that it reads are finished. Source: work C,
/// where OpenMP threads share the parts of the bordered form; its figure 2 varies their number.

#include <atomic>
#include <mutex>
#include <vector>

#include "tiles.hpp"

namespace cholesky {
namespace {

/// Calls work(t) for tiles first to end - 1: of large tiles each is a task, small ones are done sooner than a
/// task is made.
template <class Work>
void for_tiles(const Problem& p, int first, int end, Work work) {
  if (p.s < 64 || first == end) {  // clang 14 makes a taskloop of no rounds an endless one
    for (int t = first; t < end; ++t) work(t);
    return;
  }
#pragma omp taskloop grainsize(1)
  for (int t = first; t < end; ++t) work(t);
}

/// Factorises the diagonal tile of column k and solves the tiles below it. @return what `info` becomes
int finish_column(const Problem& p, int k) {
  const int diagonal = p.column_start[k];
  if (const int row = factorise_tile(tile(p, diagonal), p.s)) return info_of(p, k, row);
  for_tiles(p, diagonal + 1, p.column_start[k + 1],
            [&](int t) { solve_tile(tile(p, diagonal), tile(p, t), p.s); });
  return 0;
}

/// Subtracts from another column what column k takes from it: tile u of column k is in that column's row.
void update_column(const Problem& p, int k, int u) {
  for_tiles(p, u, p.column_start[k + 1], [&](int t) {
    update_tile(tile(p, t), tile(p, u), tile(p, find(p, p.tile_row[t], p.tile_row[u])), p.s);
  });
}

}  // namespace

/// Solves A x = b by all threads of the team; also in the triangular solves.
void openmp(const Problem& p) {
  const int blocks = p.parts - 1, border = p.part_start[blocks];
  std::atomic<int> info{0};  // the first bad pivot that was found; then nobody computes any more
  const auto finish = [&](int k) {
    int none = 0;
    if (const int bad = finish_column(p, k)) info.compare_exchange_strong(none, bad);
  };
  // TASK, 13 lines: The blocks: a loop that is shared by the threads, with the baseline's loops over the
  //  columns inside. Columns of the border are changed by all blocks: one thread at a time.
  ladder::task();  // Delete this line when you start.
  // TASK, 12 lines: The border: one thread of the team walks through its columns, and makes a task of
  //  finishing a column and of each update of another one. depend(in: …) and depend(inout: …) with the first
  //  element of a column's diagonal tile say which column a task reads, and which it changes.
  *p.info = info;
  if (info == 0) solve_by_parts(p);
}

}  // namespace cholesky
