/// @file
/// g2: partial sums once per row. Threads of g1 that are neighbours along x add the same neighbours in
/// planes y and z. Here each sum is made once, and kept in shared memory. All else is as in g1. Before: g1,
/// a thread per point. Source: none; NPB's sequential program keeps such sums of a row, too.

#include "common/device/cuda.hpp"
#include "levels.hpp"

namespace npb_mg {
namespace {

constexpr int tile_x = 32, tile_y = 4, tile_z = 4;  // points of a block, a thread for each

/// Blocks for all points of a grid.
dim3 blocks_for(Grid g) {
  return dim3((g.nx + tile_x - 1) / tile_x, (g.ny + tile_y - 1) / tile_y, (g.nz + tile_z - 1) / tile_z);
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

/// Sums of the neighbours of a point that differ from it along one axis, two, three; `y` and `z` are how far
/// apart neighbours along these axes are.
__device__ double one_axis(const double* p, int y, int z) {  // the point
  return p[-1] + p[1] + p[-y] + p[y] + p[-z] + p[z];
}
__device__ double two_axes(const double* p, int y, int z) {  // the point
  return p[-y - 1] + p[-y + 1] + p[y - 1] + p[y + 1] + p[-z - 1] + p[-z + 1] + p[z - 1] + p[z + 1] +
         p[-z - y] + p[-z + y] + p[z - y] + p[z + y];
}
__device__ double three_axes(const double* p, int y, int z) {  // the point
  return p[-z - y - 1] + p[-z - y + 1] + p[-z + y - 1] + p[-z + y + 1] + p[z - y - 1] + p[z - y + 1] +
         p[z + y - 1] + p[z + y + 1];
}

/// What neighbouring points have in common: of the points of a tile's rows, and of the column at either end,
/// the sum of the four neighbours in the plane x = const that differ along one axis, and along two.
struct Tile {
  double faces[tile_y * tile_z][tile_x + 2];
  double diagonals[tile_y * tile_z][tile_x + 2];
};

/// Stores both sums of one point; column 0 is the one before the tile.
__device__ void add_neighbours(Grid g, const double* a,  // g.elements()
                               int row, int column, Tile& tile) {
  const int x = blockIdx.x * tile_x + column, y = blockIdx.y * tile_y + row % tile_y + 1;
  const int z = blockIdx.z * tile_z + row / tile_y + 1;
  if (x > g.nx + 1 || y > g.ny || z > g.nz) return;
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  const double* p = a + at(g, x, y, z);
  tile.faces[row][column] = p[-dy] + p[dy] + p[-dz] + p[dz];
  tile.diagonals[row][column] = p[-dz - dy] + p[-dz + dy] + p[dz - dy] + p[dz + dy];
}

/// The tile's sums, by all threads of the block, which wait for each other.
__device__ void fill_tile(Grid g, const double* a, Tile& tile) {  // g.elements()
  // BEGIN SOLUTION Each thread makes the sums of its own point, column threadIdx.x + 1, and one warp those of
  //  the two columns at the ends: 16 rows with two ends are 32. Until all have stored, nobody may read.
  //| ladder::task();  // Delete this line when you start.
  const int row = threadIdx.z * tile_y + threadIdx.y, lane = threadIdx.x;
  add_neighbours(g, a, row, lane + 1, tile);
  if (row == 0) add_neighbours(g, a, lane / 2, lane % 2 * (tile_x + 1), tile);
  __syncthreads();
  // END SOLUTION
}

/// r = v - A u. r may be v.
__global__ void resid(Grid g, const double* u, const double* v,  // g.elements() each
                      double* r) {
  __shared__ Tile tile;
  fill_tile(g, u, tile);
  // BEGIN SOLUTION r = v - A u from the tile: two neighbouring columns, and this one.
  //| ladder::task();  // Delete this line when you start.
  int x, y, z;
  if (!own_point(g, x, y, z)) return;
  const int i = at(g, x, y, z), row = threadIdx.z * tile_y + threadIdx.y, column = threadIdx.x + 1;
  const double *faces = &tile.faces[row][column], *diagonals = &tile.diagonals[row][column];
  r[i] = v[i] - a0 * u[i] - a2 * (diagonals[0] + faces[-1] + faces[1]) - a3 * (diagonals[-1] + diagonals[1]);
  // END SOLUTION
}

/// u += S r.
__global__ void psinv(Grid g, double c0, double c1, double c2, const double* r,  // g.elements() each
                      double* u) {
  __shared__ Tile tile;
  fill_tile(g, r, tile);
  // BEGIN SOLUTION u += S r from the tile; r at the two neighbours along x is in no sum.
  //| ladder::task();  // Delete this line when you start.
  int x, y, z;
  if (!own_point(g, x, y, z)) return;
  const int i = at(g, x, y, z), row = threadIdx.z * tile_y + threadIdx.y, column = threadIdx.x + 1;
  const double *faces = &tile.faces[row][column], *diagonals = &tile.diagonals[row][column];
  u[i] += c0 * r[i] + c1 * (r[i - 1] + r[i + 1] + faces[0]) + c2 * (diagonals[0] + faces[-1] + faces[1]);
  // END SOLUTION
}

/// s, on every other point, is a weighted mean of r.
__global__ void rprj3(Grid fine, const double* r,  // fine.elements()
                      Grid coarse, double* s) {    // coarse.elements()
  int x, y, z;
  if (!own_point(coarse, x, y, z)) return;
  const int dy = fine.nx + 2, dz = dy * (fine.ny + 2);
  const double* p = r + at(fine, 2 * x, 2 * y, 2 * z);
  s[at(coarse, x, y, z)] =
      *p / 2 + one_axis(p, dy, dz) / 4 + two_axes(p, dy, dz) / 8 + three_axes(p, dy, dz) / 16;
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
  resid<<<blocks_for(g), dim3(tile_x, tile_y, tile_z)>>>(g, u, v, r);
  ladder::check(cudaGetLastError());
  fill_border(g, r);
}

void smooth(const Problem& p, const Level& level) {
  psinv<<<blocks_for(level.grid), dim3(tile_x, tile_y, tile_z)>>>(level.grid, p.c0, p.c1, p.c2, level.r,
                                                                  level.u);
  ladder::check(cudaGetLastError());
  fill_border(level.grid, level.u);
}

void project(const Level& fine, const Level& coarse) {
  rprj3<<<blocks_for(coarse.grid), dim3(tile_x, tile_y, tile_z)>>>(fine.grid, fine.r, coarse.grid, coarse.r);
  ladder::check(cudaGetLastError());
  fill_border(coarse.grid, coarse.r);
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
void shared_sums(const Problem& p) {
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
