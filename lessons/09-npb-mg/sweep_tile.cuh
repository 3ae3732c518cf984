#pragma once
/// @file
/// Given, for g6: the columns of a tile and of two more on each side, two for each thread, and what stencils
/// take of a plane.

#include "fused_tile.cuh"

namespace npb_mg {

constexpr int sweep_x = 32, sweep_y = 32;  // columns of the smoothed u for a block
constexpr int sweep_row = sweep_x + 4;     // of u + interp: two columns more on either side
constexpr int sweep_columns = sweep_row * (sweep_y + 4);
constexpr int sweep_threads = sweep_columns / 2;
static_assert(sweep_y % 2 == 0 && sweep_threads <= 1024, "a thread has a column in each of two rows");

/// The first of this thread's two columns, in neighbouring rows. y is odd, so both exist or neither.
/// @param depth  how deep each is in the tile: at 0 there is u + interp only, from 1 on r as well, from 2 on
///   the smoothed u; negative: nothing
/// @return where the first one is in a plane of shared memory
__device__ inline int sweep_column(Grid g, int& x, int& y, int depth[2]) {
  const int i = threadIdx.x % sweep_row, j = threadIdx.x / sweep_row * 2;
  x = blockIdx.x * sweep_x + i - 1;
  y = blockIdx.y * sweep_y + j - 1;
  for (int k = 0; k < 2; ++k) {
    const int to_end = min(g.nx + 2 - x, g.ny + 2 - y - k);
    depth[k] = min(to_end, min(min(i, sweep_x + 3 - i), min(j + k, sweep_y + 3 - j - k)));
  }
  x = inside(x, g.nx), y = inside(y, g.ny);
  return j * sweep_row + i;
}

/// The coarse points around two columns in a coarse plane: in the row before the second one, and in its own.
struct Coarse {
  double before[2], row[2];
};

/// @param e  the first one's place in plane 0, of coarse.elements(). @param dx  from there to the next along
/// x
__device__ inline Coarse load_coarse(Grid coarse, const double* e, int dx, int z) {
  const int dy = coarse.nx + 2;
  e += inside(z, coarse.nz) * dy * (coarse.ny + 2);
  return {{e[0], e[dx]}, {e[dy], e[dx + dy]}};
}

/// The sum of the four around column k.
__device__ inline double sum_of(const Coarse& e, int k) {
  const double row = e.row[0] + e.row[1];
  return k == 0 ? e.before[0] + e.before[1] + row : 2 * row;
}

/// As load_plane(), for both columns: 10 loads from shared memory. @param own  the thread's at p, and a row
/// on
__device__ inline void load_planes(const double* p, const double own[2], const int depth[2],
                                   Plane planes[2]) {
  const double* next = p + sweep_row;
  // At the tile's edge a row of the thread takes the place of one that is not there. Nobody uses these sums.
  const double* before = p - (depth[0] > 0 ? sweep_row : 0);
  const double* after = next + (depth[1] > 0 ? sweep_row : 0);
  const double first = p[-1] + p[1], second = next[-1] + next[1];
  planes[0] = {own[0], first + before[0] + own[1], before[-1] + before[1] + second};
  planes[1] = {own[1], second + own[0] + after[0], first + after[-1] + after[1]};
}

/// Planes of u' and of r in shared memory, which take turns.
struct SweepPlanes {
  double u[4][sweep_columns], r[2][sweep_columns];
};

}  // namespace npb_mg
