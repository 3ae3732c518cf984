/// @file
/// g5: residual and restriction fused. Only rprj3 reads the residual that a cycle begins with. Here the
/// kernel that computes it keeps two planes of it in shared memory, and stores weighted means alone. Before:
/// g4, small levels in one block. Source: none.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "fused_tile.cuh"
#include "levels.hpp"

namespace npb_mg {
namespace {

constexpr int tile_x = 32, tile_y = 4, tile_z = 4;  // interp: points of a block, a thread for each
constexpr int march_y = 8;                          // where blocks march: rows of a block
constexpr int small_points = 16 * 16 * 16;          // of a grid that one block does
constexpr int small_threads = 1024;                 // of that block

/// Blocks for all points of a grid.
dim3 blocks_for(Grid g) {
  return dim3((g.nx + tile_x - 1) / tile_x, (g.ny + tile_y - 1) / tile_y, (g.nz + tile_z - 1) / tile_z);
}

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

/// The point of this thread. @return whether it is a point of the grid
__device__ bool own_point(Grid g, int& x, int& y, int& z) {
  x = blockIdx.x * tile_x + threadIdx.x + 1;
  y = blockIdx.y * tile_y + threadIdx.y + 1;
  z = blockIdx.z * tile_z + threadIdx.z + 1;
  return x <= g.nx && y <= g.ny && z <= g.nz;
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

/// u += S r.
__global__ void psinv(Grid g, int planes, double c0, double c1, double c2,
                      const double* r,  // g.elements() each
                      double* u) {
  int x, y, z;
  if (!own_column(g, planes, x, y, z)) return;
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  int i = at(g, x, y, z);
  Plane before = load_plane(r + i - dz, dy), here = load_plane(r + i, dy);
#pragma unroll 1
  for (const int end = min(z + planes, g.nz + 1); z < end; ++z, i += dz) {
    const Plane after = load_plane(r + i + dz, dy);
    store(g, x, y, z, u[i] + times_S(c0, c1, c2, before, here, after), u);
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

/// u += the mean of the coarse points around each point, or u = the mean.
__global__ void interp(Grid coarse, const double* e,      // coarse.elements()
                       Grid fine, bool add, double* u) {  // fine.elements()
  int x, y, z;
  if (!own_point(fine, x, y, z)) return;
  const double mean = mean_around(coarse, e, x, y, z);
  store(fine, x, y, z, add ? u[at(fine, x, y, z)] + mean : mean, u);
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
  // BEGIN SOLUTION Two planes of u arrive before the march through the planes first to last. A thread that
  //  computes puts r of its columns into rs, from residual_place() on, and loads what it needs next: before
  //  or after it waits? A thread that stores finds nine of r around middle there. Planes 2 z - 1, 2 z and
  //  2 z + 1 are in the mean of coarse plane z: what has to be kept of them? Where is a barrier needed, if
  //  the planes of rs take turns?
  //| [[maybe_unused]] r, plane_of, first, computes;
  //| ladder::task();  // Delete this line when you start.
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
  // END SOLUTION
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

void smooth(const Problem& p, const Level& level) {
  const Grid g = level.grid;
  psinv<<<marches_for(g), dim3(tile_x, march_y)>>>(g, planes_of(g), p.c0, p.c1, p.c2, level.r, level.u);
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

void interpolate(const Level& coarse, const Level& fine, bool add) {
  const dim3 threads(tile_x, tile_y, tile_z);
  interp<<<blocks_for(fine.grid), threads>>>(coarse.grid, coarse.u, fine.grid, add, fine.u);
  ladder::check(cudaGetLastError());
}
/// @}

}  // namespace

/// One V-cycle, and the residual after it or before it.
/// @throws ladder::Error when the device refuses a launch.
void fused_residual(const Problem& p) {
  const std::vector<Level> levels = levels_of(p);
  const Level& finest = levels.front();
  // BEGIN SOLUTION As in g4. But if the residual comes first and level 1 is not small, make r of level 1
  //  without that of level 0. If level 1 is small, its rprj3 is done by small_cycle, which needs the r above.
  //| ladder::task();  // Delete this line when you start.
  int first = 1;
  for (; first < p.levels - 1; ++first) {
    const Grid g = levels[first].grid;
    if (g.nx * g.ny * g.nz <= small_points) break;
  }
  const bool fused = p.residual_first && first > 1;
  if (fused)
    project_residual(finest, p.v, levels[1]);
  else if (p.residual_first)
    find_residual(finest.grid, finest.u, p.v, finest.r);
  for (int k = fused ? 2 : 1; k < first; ++k) project(levels[k - 1], levels[k]);
  SmallLevels small{p.levels - first + 1, {}};
  std::copy(levels.begin() + first - 1, levels.end(), small.levels);
  small_cycle<<<1, small_threads>>>(small, p.c0, p.c1, p.c2);
  ladder::check(cudaGetLastError());
  for (int k = first - 1; k >= 0; --k) {
    const Level& level = levels[k];
    interpolate(levels[k + 1], level, k == 0);
    find_residual(level.grid, level.u, k > 0 ? level.r : p.v, level.r);
    smooth(p, level);
  }
  // END SOLUTION
  if (!p.residual_first) find_residual(finest.grid, finest.u, p.v, finest.r);
}

}  // namespace npb_mg
