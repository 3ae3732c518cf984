// verdict WRONG
// must line 23
// must nothing orders the two
// not tiles.hpp
// Updates of the border under a mutex, but it is a variable of the loop: each thread locks its own.
#include <atomic>
#include <mutex>

#include "tiles.hpp"

namespace cholesky {
namespace {

int finish(const Problem& p, int k) {
  int d = p.column_start[k];
  if (int row = factorise_tile(tile(p, d), p.s)) return info_of(p, k, row);
  for (int t = d + 1; t < p.column_start[k + 1]; ++t) solve_tile(tile(p, d), tile(p, t), p.s);
  return 0;
}

void update(const Problem& p, int k, int u) {
  for (int t = u; t < p.column_start[k + 1]; ++t)
    update_tile(tile(p, t), tile(p, u), tile(p, find(p, p.tile_row[t], p.tile_row[u])), p.s);
}

}  // namespace

void openmp(const Problem& p) {
  int border = p.part_start[p.parts - 1];
  std::atomic<int> info{0};
#pragma omp parallel for schedule(dynamic)
  for (int q = 0; q < p.parts - 1; ++q) {
    std::mutex turn;
    for (int k = p.part_start[q]; k < p.part_start[q + 1] && info == 0; ++k) {
      if (int bad = finish(p, k)) {
        info = bad;
        break;
      }
      for (int u = p.column_start[k] + 1; u < p.column_start[k + 1]; ++u) {
        if (p.tile_row[u] < border) {
          update(p, k, u);
          continue;
        }
        std::lock_guard<std::mutex> lock(turn);
        update(p, k, u);
      }
    }
  }
#pragma omp parallel
#pragma omp single
  for (int k = border; k < p.tile_columns; ++k) {
    double* own = tile(p, p.column_start[k]);
#pragma omp task depend(inout : own[0]) shared(info)
    if (info == 0)
      if (int bad = finish(p, k)) info = bad;
    for (int u = p.column_start[k] + 1; u < p.column_start[k + 1]; ++u) {
      double* other = tile(p, p.column_start[p.tile_row[u]]);
#pragma omp task depend(in : own[0]) depend(inout : other[0]) shared(info)
      if (info == 0) update(p, k, u);
    }
  }
  *p.info = info;
  if (info == 0) solve_by_parts(p);
}

}  // namespace cholesky
