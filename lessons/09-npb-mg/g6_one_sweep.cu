/// @file
/// g6: on the way up one kernel per large grid. A block marches once through the planes of its tile: u +
/// interp, the residual a plane behind it, the smoothed u three planes behind it. Only that is stored.
/// Before: g5, the residual fused with its means. Source: none.

#include <algorithm>
#include <optional>

#include "common/device/cuda.hpp"
#include "copy_meanwhile.hpp"
#include "levels.hpp"
#include "sweep_tile.cuh"

namespace npb_mg {
namespace {

constexpr int tile_x = 32, march_y = 8;     // resid and rprj3: columns of a block that marches
constexpr int small_points = 16 * 16 * 16;  // of a grid that one block does
constexpr int small_threads = 1024;         // of that block

/// Planes that a block marches through: 16, or as many as leave 16 blocks along z.
int planes_of(Grid g) {
  return std::clamp(g.nz / 16, 1, 16);
}

/// Blocks of 32 x 8 threads that march.
dim3 marches_for(Grid g) {
  const int planes = planes_of(g);
  return dim3((g.nx + tile_x - 1) / tile_x, (g.ny + march_y - 1) / march_y, (g.nz + planes - 1) / planes);
}

/// The element of a point; 2^31 elements at most.
__device__ int at(Grid g, int x, int y, int z) {
  return (z * (g.ny + 2) + y) * (g.nx + 2) + x;
}

/// Where this thread begins to march. @return whether its column is in the grid
__device__ bool own_column(Grid g, int planes, int& x, int& y, int& z) {
  x = blockIdx.x * tile_x + threadIdx.x + 1;
  y = blockIdx.y * march_y + threadIdx.y + 1;
  z = blockIdx.z * planes + 1;
  return x <= g.nx && y <= g.ny;
}

/// From point i of an axis to its copy in the border, in points; 0: it has no copy.
__device__ int to_copy(int i, int n) {
  return i == 1 ? n : i == n ? -n : 0;
}

/// Stores a point, and its copies in the border: one of a face's point, three of an edge's, seven of a
/// corner's.
__device__ void store(Grid g, int x, int y, int z, double value, double* a) {  // g.elements()
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  const int i = at(g, x, y, z);
  const int to_x = to_copy(x, g.nx), to_y = to_copy(y, g.ny) * dy, to_z = to_copy(z, g.nz) * dz;
  a[i] = value;
  if (to_x == 0 && to_y == 0 && to_z == 0) return;
  for (int copy = 1; copy < 8; ++copy) {
    const bool x_too = copy % 2 == 1, y_too = copy / 2 % 2 == 1, z_too = copy / 4 == 1;
    if ((x_too && to_x == 0) || (y_too && to_y == 0) || (z_too && to_z == 0)) continue;
    a[i + x_too * to_x + y_too * to_y + z_too * to_z] = value;
  }
}

__device__ Plane load_plane(const double* p, int dy) {  // the point; dy: from row to row
  return {p[0], p[-1] + p[1] + p[-dy] + p[dy], p[-dy - 1] + p[-dy + 1] + p[dy - 1] + p[dy + 1]};
}

/// @name A u, S r and the mean of r at a point, from its three planes.
/// @{
__device__ double times_A(Plane before, Plane here, Plane after) {
  return a0 * here.point + a2 * (here.corners + before.sides + after.sides) +
         a3 * (before.corners + after.corners);
}
__device__ double times_S(double c0, double c1, double c2, Plane before, Plane here, Plane after) {
  return c0 * here.point + c1 * (here.sides + before.point + after.point) +
         c2 * (here.corners + before.sides + after.sides);
}
__device__ double mean_of(Plane before, Plane here, Plane after) {
  return here.point / 2 + (here.sides + before.point + after.point) / 4 +
         (here.corners + before.sides + after.sides) / 8 + (before.corners + after.corners) / 16;
}
/// @}

/// The mean of the coarse points around a fine one.
__device__ double mean_around(Grid coarse, const double* e, int x, int y, int z) {  // coarse.elements()
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner)
    sum += e[at(coarse, (x + corner % 2) / 2, (y + corner / 2 % 2) / 2, (z + corner / 4) / 2)];
  return sum / 8;
}

/// r = v - A u. r may be v.
__global__ void resid(Grid g, int planes, const double* u, const double* v,  // g.elements() each
                      double* r) {
  int x, y, z;
  if (!own_column(g, planes, x, y, z)) return;
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  int i = at(g, x, y, z);
  Plane before = load_plane(u + i - dz, dy), here = load_plane(u + i, dy);
#pragma unroll 1  // unrolled, it needs more registers, and fewer warps fit
  for (const int end = min(z + planes, g.nz + 1); z < end; ++z, i += dz) {
    const Plane after = load_plane(u + i + dz, dy);
    store(g, x, y, z, v[i] - times_A(before, here, after), r);
    before = here, here = after;
  }
}

/// s, on every other point, is a weighted mean of r.
__global__ void rprj3(Grid fine, const double* r,            // fine.elements()
                      Grid coarse, int planes, double* s) {  // coarse.elements()
  int x, y, z;
  if (!own_column(coarse, planes, x, y, z)) return;
  const int dy = fine.nx + 2, dz = dy * (fine.ny + 2);
  Plane before = load_plane(r + at(fine, 2 * x, 2 * y, 2 * z - 1), dy);
#pragma unroll 1
  for (const int end = min(z + planes, coarse.nz + 1); z < end; ++z) {
    const double* p = r + at(fine, 2 * x, 2 * y, 2 * z);
    const Plane here = load_plane(p, dy), after = load_plane(p + dz, dy);
    store(coarse, x, y, z, mean_of(before, here, after), s);
    before = after;
  }
}

/// s, on every other point, is a weighted mean of v - A u.
__global__ void __launch_bounds__(fused_threads, 2)
    resid_rprj3(Grid g, const double* u, const double* v,  // g.elements() each
                Grid coarse, int planes, double* s) {      // coarse.elements()
  __shared__ double rs[2][residual_x * residual_y];        // two planes of r, which take turns
  const int dz = (g.nx + 2) * (g.ny + 2);
  const int first = 2 * planes * blockIdx.z + 1, last = min(first + 2 * planes, g.nz + 1);
  int rows[fused_rows + 2], coarse_x, coarse_y, middle;
  const bool computes = residual_columns(g, rows), stores = mean_column(coarse, coarse_x, coarse_y, middle);
  Residuals r;
  const auto plane_of = [&](const double* a, int z) { return a + inside(z, g.nz) * dz; };
  if (computes) {
#pragma unroll
    for (int z = first - 1; z <= first; ++z) {
      r.load_u(plane_of(u, z), rows);
#pragma unroll
      for (int k = 0; k < fused_rows; ++k) r.next(k);
    }
    r.load_u(plane_of(u, first + 1), rows);
    r.load_v(plane_of(v, first), rows);
  }
  double sum = 0;
#pragma unroll 1
  for (int z = first; z <= last; ++z) {
    double* plane = rs[z % 2];
    if (computes) {
#pragma unroll
      for (int k = 0; k < fused_rows; ++k) plane[residual_place() + k * residual_x] = r.next(k);
      if (z < last) {  // this arrives while threads wait at the barrier and compute means
        r.load_u(plane_of(u, z + 2), rows);
        r.load_v(plane_of(v, z + 1), rows);
      }
    }
    // The other plane may be overwritten after this barrier: all have finished reading it.
    __syncthreads();
    if (!stores) continue;
    const Plane around = load_plane(plane + middle, residual_x);
    const double part = around.point / 4 + around.sides / 8 + around.corners / 16;
    if (z % 2 == 0) {
      sum += 2 * part;
    } else {
      if (z > first) store(coarse, coarse_x, coarse_y, z / 2, sum + part, s);
      sum = part;
    }
  }
}

/// smoothed = u' + S (v - A u'), where u' is u and the mean of the coarse points around a point, or without u
/// that mean alone. Blocks read u and v around their tiles, so neither may be the array smoothed.
__global__ void __launch_bounds__(sweep_threads, 1)
    sweep(Grid g, int planes, double c0, double c1, double c2,  //
          const double* u, const double* v, double* smoothed,   // g.elements() each
          Grid coarse, const double* e) {                       // coarse.elements()
  extern __shared__ SweepPlanes shared[];
  auto& [us, rs] = shared[0];
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  const int first = planes * blockIdx.z + 1, end = min(first + planes, g.nz + 1);
  int x, y, depth[2];
  const int place = sweep_column(g, x, y, depth), column = at(g, x, y, 0), from = at(coarse, x / 2, y / 2, 0);
  double next_u[2] = {}, next_v[2] = {}, r[2] = {};  // of the planes z, z - 1 and z - 2
  double below[2] = {};                              // sums of the coarse plane at z or below it
  Coarse next_coarse = {};                           // points of the one above
  Stencil A[2], S[2];
  // TASK, 42 lines: March. Put u' of plane z into us, at `place` and a row further. When all of it is there,
  //  a column of depth 1 or more can have r of plane z - 1: put that into rs. When can a column of depth 2
  //  have which plane of the smoothed u? arrive() takes one plane after the other. Load u, v and coarse
  //  points before the barrier that comes before their use, so that they arrive while threads wait. Along z
  //  the grids are periodic: inside().
  ladder::task();  // Delete this line when you start.
}

/// Small levels, finest first, and before them the one whose r they begin with.
struct SmallLevels {
  int count;        // with that one
  Level levels[5];  // 16^3, 8^3, 4^3 and 2^3 points are four
};

/// Point i of a grid, x innermost. @return whether there is one
__device__ bool point_of(Grid g, int i, int& x, int& y, int& z) {
  x = i % g.nx + 1, y = i / g.nx % g.ny + 1, z = i / (g.nx * g.ny) + 1;
  return z <= g.nz;
}

/// @name Each operator on a small grid, by all threads of one block.
/// @{
__device__ void block_rprj3(const Level& fine, const Level& coarse) {
  const int dy = fine.grid.nx + 2, dz = dy * (fine.grid.ny + 2);
  for (int i = threadIdx.x, x, y, z; point_of(coarse.grid, i, x, y, z); i += small_threads) {
    const double* p = fine.r + at(fine.grid, 2 * x, 2 * y, 2 * z);
    const Plane before = load_plane(p - dz, dy), here = load_plane(p, dy), after = load_plane(p + dz, dy);
    store(coarse.grid, x, y, z, mean_of(before, here, after), coarse.r);
  }
}

__device__ void block_interp(const Level& coarse, const Level& fine) {
  for (int i = threadIdx.x, x, y, z; point_of(fine.grid, i, x, y, z); i += small_threads)
    store(fine.grid, x, y, z, mean_around(coarse.grid, coarse.u, x, y, z), fine.u);
}

__device__ void block_resid(const Level& level) {  // its r is v
  const Grid g = level.grid;
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  for (int i = threadIdx.x, x, y, z; point_of(g, i, x, y, z); i += small_threads) {
    const double* p = level.u + at(g, x, y, z);
    const Plane before = load_plane(p - dz, dy), here = load_plane(p, dy), after = load_plane(p + dz, dy);
    store(g, x, y, z, level.r[at(g, x, y, z)] - times_A(before, here, after), level.r);
  }
}

__device__ void block_psinv(double c0, double c1, double c2, const Level& level, bool add) {
  const Grid g = level.grid;
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  for (int i = threadIdx.x, x, y, z; point_of(g, i, x, y, z); i += small_threads) {
    const double* p = level.r + at(g, x, y, z);
    const Plane before = load_plane(p - dz, dy), here = load_plane(p, dy), after = load_plane(p + dz, dy);
    const double Sr = times_S(c0, c1, c2, before, here, after);
    store(g, x, y, z, add ? level.u[at(g, x, y, z)] + Sr : Sr, level.u);
  }
}
/// @}

/// The part of a V-cycle below small.levels[0].
__global__ void __launch_bounds__(small_threads)
    small_cycle(SmallLevels small, double c0, double c1, double c2) {
  for (int k = 1; k < small.count; ++k) {
    block_rprj3(small.levels[k - 1], small.levels[k]);
    __syncthreads();
  }
  block_psinv(c0, c1, c2, small.levels[small.count - 1], false);
  __syncthreads();
  for (int k = small.count - 2; k > 0; --k) {
    block_interp(small.levels[k + 1], small.levels[k]);
    __syncthreads();
    block_resid(small.levels[k]);
    __syncthreads();
    block_psinv(c0, c1, c2, small.levels[k], true);
    __syncthreads();
  }
}

/// @name Each operator on a whole grid; with `add` false, u need not hold anything before.
/// @throws ladder::Error when the device refuses a launch.
/// @{
void find_residual(Grid g, const double* u, const double* v, double* r) {  // g.elements(), on the device
  resid<<<marches_for(g), dim3(tile_x, march_y)>>>(g, planes_of(g), u, v, r);
  ladder::check(cudaGetLastError());
}

void project(const Level& fine, const Level& coarse) {
  const Grid g = coarse.grid;
  rprj3<<<marches_for(g), dim3(tile_x, march_y)>>>(fine.grid, fine.r, g, planes_of(g), coarse.r);
  ladder::check(cudaGetLastError());
}

/// r of the level below v - A u, which is not stored.
void project_residual(const Level& fine, const double* v, const Level& coarse) {
  const Grid g = coarse.grid;
  // A block marches far, since it computes one plane of r more and loads three of u.
  const int planes = std::clamp(g.nz / 4, 1, 32);
  const dim3 blocks((fine.grid.nx + fused_x - 1) / fused_x, (fine.grid.ny + fused_y - 1) / fused_y,
                    (g.nz + planes - 1) / planes);
  resid_rprj3<<<blocks, fused_threads>>>(fine.grid, fine.u, v, g, planes, coarse.r);
  ladder::check(cudaGetLastError());
}

/// u of a level from that of the coarser one: interp, resid and psinv. @param u  to add to; nullptr: nothing
void climb(const Problem& p, const Level& coarse, const Level& level, const double* u, const double* v) {
  const Grid g = level.grid;
  // A block marches far, since it loads four planes of u more than it has results.
  const int planes = std::clamp(g.nz / 8, 4, 64);
  const dim3 blocks((g.nx + sweep_x - 1) / sweep_x, (g.ny + sweep_y - 1) / sweep_y,
                    (g.nz + planes - 1) / planes);
  ladder::require_shared_memory(sizeof(SweepPlanes));
  ladder::check(
      cudaFuncSetAttribute(sweep, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(SweepPlanes)));
  sweep<<<blocks, sweep_threads, sizeof(SweepPlanes)>>>(g, planes, p.c0, p.c1, p.c2, u, v, level.u,
                                                        coarse.grid, coarse.u);
  ladder::check(cudaGetLastError());
}
/// @}

}  // namespace

/// One V-cycle, and the residual after it or before it.
/// @throws ladder::Error when the device refuses a launch.
void one_sweep(const Problem& p) {
  const std::vector<Level> levels = levels_of(p);
  const Level& finest = levels.front();
  [[maybe_unused]] std::optional<CopyMeanwhile> copy;
  // TASK, 22 lines: As in g5 down to the small levels, then climb() from level to level. The finest u is read
  //  from its copy in r of level 0. From when on does nobody need that r any more? copy.emplace(finest) makes
  //  it from then on, and something must wait for it. If level 1 is small, only copy_u(finest, nullptr) after
  //  small_cycle is left.
  ladder::task();  // Delete this line when you start.
  if (!p.residual_first) find_residual(finest.grid, finest.u, p.v, finest.r);
}

}  // namespace npb_mg
