/// @file
/// g3: borders inside. After each operator of g2 comm3 copies the border, and memset clears what interp adds
/// to. Here the thread that computes a point stores its copies as well, and where nothing was before, an
/// operator stores instead of adding. Before: g2, planes that march, and comm3. Source: none.

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

/// From point i of an axis to its copy in the border, in points; 0: it has no copy.
__device__ int to_copy(int i, int n) {
  return i == 1 ? n : i == n ? -n : 0;
}

/// Stores a point, and its copies in the border.
__device__ void store(Grid g, int x, int y, int z, double value, double* a) {  // g.elements()
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  // TASK, 9 lines: The point, and whatever can be reached from it along the axes where it has a copy: along
  //  one of them, two, or three. to_copy counts points: a row is dy elements further, a plane dz.
  ladder::task();  // Delete this line when you start.
}

/// What the points of a column need of one plane: the column's own point, the sum of its four neighbours that
/// differ from it along one axis, and of those that differ along two.
struct Plane {
  double point, sides, corners;
};

__device__ Plane load_plane(const double* p, int dy) {  // the point; dy: from row to row
  return {p[0], p[-1] + p[1] + p[-dy] + p[dy], p[-dy - 1] + p[-dy + 1] + p[dy - 1] + p[dy + 1]};
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
    const double Au = a0 * here.point + a2 * (here.corners + before.sides + after.sides) +
                      a3 * (before.corners + after.corners);
    store(g, x, y, z, v[i] - Au, r);
    before = here, here = after;
  }
}

/// u += S r, or u = S r.
__global__ void psinv(Grid g, int planes, double c0, double c1, double c2, bool add,
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
    const double Sr = c0 * here.point + c1 * (here.sides + before.point + after.point) +
                      c2 * (here.corners + before.sides + after.sides);
    // TASK, 1 line: u at the point and its copies; if nothing is added, u may hold anything.
    ladder::task();  // Delete this line when you start.
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
    const double mean = here.point / 2 + (here.sides + before.point + after.point) / 4 +
                        (here.corners + before.sides + after.sides) / 8 +
                        (before.corners + after.corners) / 16;
    store(coarse, x, y, z, mean, s);
    before = after;
  }
}

/// u += the mean of the coarse points around each point, or u = the mean.
__global__ void interp(Grid coarse, const double* e,      // coarse.elements()
                       Grid fine, bool add, double* u) {  // fine.elements()
  int x, y, z;
  if (!own_point(fine, x, y, z)) return;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner)
    sum += e[at(coarse, (x + corner % 2) / 2, (y + corner / 2 % 2) / 2, (z + corner / 4) / 2)];
  // TASK, 2 lines: As in psinv. The mean is sum / 8.
  ladder::task();  // Delete this line when you start.
}

/// @name Each operator on a whole grid; with `add` false, u need not hold anything before.
/// @throws ladder::Error when the device refuses a launch.
/// @{
void find_residual(Grid g, const double* u, const double* v, double* r) {  // g.elements(), on the device
  resid<<<marches_for(g), dim3(tile_x, march_y)>>>(g, planes_of(g), u, v, r);
  ladder::check(cudaGetLastError());
}

void smooth(const Problem& p, const Level& level, bool add) {
  const Grid g = level.grid;
  psinv<<<marches_for(g), dim3(tile_x, march_y)>>>(g, planes_of(g), p.c0, p.c1, p.c2, add, level.r, level.u);
  ladder::check(cudaGetLastError());
}

void project(const Level& fine, const Level& coarse) {
  const Grid g = coarse.grid;
  rprj3<<<marches_for(g), dim3(tile_x, march_y)>>>(fine.grid, fine.r, g, planes_of(g), coarse.r);
  ladder::check(cudaGetLastError());
}

void interpolate(const Level& coarse, const Level& fine, bool add) {
  const dim3 threads(tile_x, tile_y, tile_z);
  interp<<<blocks_for(fine.grid), threads>>>(coarse.grid, coarse.u, fine.grid, add, fine.u);
  ladder::check(cudaGetLastError());
}
/// @}

}  // namespace

/// One V-cycle, and the residual after it.
/// @throws ladder::Error when the device refuses a launch.
void borders_inside(const Problem& p) {
  const std::vector<Level> levels = levels_of(p);
  const Level &finest = levels.front(), &coarsest = levels.back();
  for (int k = 1; k < p.levels; ++k) project(levels[k - 1], levels[k]);
  // TASK, 7 lines: The upward half of g2 without set_zero: which operators find something to add to?
  ladder::task();  // Delete this line when you start.
  find_residual(finest.grid, finest.u, p.v, finest.r);
}

}  // namespace npb_mg
