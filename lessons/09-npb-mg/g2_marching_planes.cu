/// @file
/// g2: planes march in registers. A thread of g1 loads all neighbours of its point, in three planes. Here it
/// walks through the planes along z, and keeps of the last two what is needed again: 9 loads per plane,
/// instead of all neighbours of each point. interp and comm3 are as in g1. Before: g1, a thread per point.
/// Source: none; Micikevicius, 2009, marches in this way.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "levels.hpp"

namespace npb_mg {
namespace {

constexpr int tile_x = 32, tile_y = 4, tile_z = 4;  // interp: points of a block, a thread for each
constexpr int march_y = 8;                          // where blocks march: rows of a block

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

/// The point among 1 … n that a point of the border is a copy of.
__device__ int wrapped(int i, int n) {
  return i == 0 ? n : i == n + 1 ? 1 : i;
}

/// The border, one thread for each of its elements: two faces along z, then what is left along y, along x.
__global__ void comm3(Grid g, double* a) {  // g.elements()
  const int face_z = (g.nx + 2) * (g.ny + 2), face_y = (g.nx + 2) * g.nz, face_x = g.ny * g.nz;
  int i = blockIdx.x * blockDim.x + threadIdx.x, x, y, z;
  if (i < 2 * face_z) {
    x = i % (g.nx + 2), y = i % face_z / (g.nx + 2), z = i < face_z ? 0 : g.nz + 1;
  } else if ((i -= 2 * face_z) < 2 * face_y) {
    x = i % (g.nx + 2), y = i < face_y ? 0 : g.ny + 1, z = i % face_y / (g.nx + 2) + 1;
  } else if ((i -= 2 * face_y) < 2 * face_x) {
    x = i < face_x ? 0 : g.nx + 1, y = i % face_x % g.ny + 1, z = i % face_x / g.ny + 1;
  } else {
    return;
  }
  a[at(g, x, y, z)] = a[at(g, wrapped(x, g.nx), wrapped(y, g.ny), wrapped(z, g.nz))];
}

/// What the points of a column need of one plane: the column's own point, the sum of its four neighbours that
/// differ from it along one axis, and of those that differ along two.
struct Plane {
  double point, sides, corners;
};

__device__ Plane load_plane(const double* p, int dy) {  // the point; dy: from row to row
  // TASK, 1 line: Nine loads, of which the march keeps three numbers.
  ladder::task();  // Delete this line when you start.
}

/// r = v - A u. r may be v.
__global__ void resid(Grid g, int planes, const double* u, const double* v,  // g.elements() each
                      double* r) {
  int x, y, z;
  if (!own_column(g, planes, x, y, z)) return;
  // TASK, 10 lines: March: load the plane after z, store r at z, move on. The block ends after `planes`
  //  planes, or with the grid. `#pragma unroll 1` before the loop keeps it as it is: unrolled, it needs more
  //  registers, and fewer warps fit.
  ladder::task();  // Delete this line when you start.
}

/// u += S r.
__global__ void psinv(Grid g, int planes, double c0, double c1, double c2,
                      const double* r,  // g.elements() each
                      double* u) {
  int x, y, z;
  if (!own_column(g, planes, x, y, z)) return;
  // TASK, 10 lines: March: u += S r.
  ladder::task();  // Delete this line when you start.
}

/// s, on every other point, is a weighted mean of r.
__global__ void rprj3(Grid fine, const double* r,            // fine.elements()
                      Grid coarse, int planes, double* s) {  // coarse.elements()
  int x, y, z;
  if (!own_column(coarse, planes, x, y, z)) return;
  // TASK, 11 lines: March through `planes` coarse planes. Each is two fine planes further, so the plane after
  //  this point is the plane before the next.
  ladder::task();  // Delete this line when you start.
}

/// u += the mean of the coarse points around each point.
__global__ void interp(Grid coarse, const double* e,  // coarse.elements()
                       Grid fine, double* u) {        // fine.elements()
  int x, y, z;
  if (!own_point(fine, x, y, z)) return;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner)
    sum += e[at(coarse, (x + corner % 2) / 2, (y + corner / 2 % 2) / 2, (z + corner / 4) / 2)];
  u[at(fine, x, y, z)] += sum / 8;
}

/// @name Each operator on a whole grid, with the border of its result.
/// @throws ladder::Error when the device refuses a launch.
/// @{
void fill_border(Grid g, double* a) {  // g.elements(), on the device
  const int faces = 2 * ((g.nx + 2) * (g.ny + 2) + (g.nx + 2) * g.nz + g.ny * g.nz);
  comm3<<<(faces + 255) / 256, 256>>>(g, a);
  ladder::check(cudaGetLastError());
}

void find_residual(Grid g, const double* u, const double* v, double* r) {  // g.elements(), on the device
  resid<<<marches_for(g), dim3(tile_x, march_y)>>>(g, planes_of(g), u, v, r);
  ladder::check(cudaGetLastError());
  fill_border(g, r);
}

void smooth(const Problem& p, const Level& level) {
  const Grid g = level.grid;
  psinv<<<marches_for(g), dim3(tile_x, march_y)>>>(g, planes_of(g), p.c0, p.c1, p.c2, level.r, level.u);
  ladder::check(cudaGetLastError());
  fill_border(g, level.u);
}

void project(const Level& fine, const Level& coarse) {
  const Grid g = coarse.grid;
  rprj3<<<marches_for(g), dim3(tile_x, march_y)>>>(fine.grid, fine.r, g, planes_of(g), coarse.r);
  ladder::check(cudaGetLastError());
  fill_border(g, coarse.r);
}

void interpolate(const Level& coarse, const Level& fine) {
  interp<<<blocks_for(fine.grid), dim3(tile_x, tile_y, tile_z)>>>(coarse.grid, coarse.u, fine.grid, fine.u);
  ladder::check(cudaGetLastError());
  fill_border(fine.grid, fine.u);
}

void set_zero(const Level& level) {
  ladder::check(cudaMemsetAsync(level.u, 0, level.grid.elements() * sizeof *level.u));
}
/// @}

}  // namespace

/// One V-cycle, and the residual after it.
/// @throws ladder::Error when the device refuses a launch.
void marching_planes(const Problem& p) {
  const std::vector<Level> levels = levels_of(p);
  const Level &finest = levels.front(), &coarsest = levels.back();
  for (int k = 1; k < p.levels; ++k) project(levels[k - 1], levels[k]);
  set_zero(coarsest);
  smooth(p, coarsest);
  for (int k = p.levels - 2; k >= 0; --k) {
    const Level& level = levels[k];
    if (k > 0) set_zero(level);
    interpolate(levels[k + 1], level);
    find_residual(level.grid, level.u, k > 0 ? level.r : p.v, level.r);
    smooth(p, level);
  }
  find_residual(finest.grid, finest.u, p.v, finest.r);
}

}  // namespace npb_mg
