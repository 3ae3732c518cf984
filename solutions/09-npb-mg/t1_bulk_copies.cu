/// @file
/// t1: bulk copies. In resid of g2 each thread loads nine numbers of a plane itself, and waits for them.
/// Here one warp keeps several planes in flight: the TMA, a unit that copies, brings them to a ring in
/// shared memory. Barriers there say which planes have arrived, and which may be overwritten. All else is as
/// in g2. Before: g2, planes that march. Source: NVIDIA's CUDA C++ Programming Guide, asynchronous data
/// copies using TMA.

#include <algorithm>

#include "bulk_copies.cuh"
#include "common/device/cuda.hpp"
#include "levels.hpp"

namespace npb_mg {
namespace {

constexpr int tile_x = 32, tile_y = 4, tile_z = 4;  // interp: points of a block, a thread for each
constexpr int march_y = 8;                          // where blocks march: rows of a block
constexpr int ring_width = tile_x + 2, ring_height = march_y + 2;  // of a tile, with the points around it
constexpr int stages = 4;                                          // planes in flight

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
  return {p[0], p[-1] + p[1] + p[-dy] + p[dy], p[-dy - 1] + p[-dy + 1] + p[dy - 1] + p[dy + 1]};
}

/// Planes in shared memory, which take turns: plane k of a march is in stage k % stages, in round k / stages.
struct Ring {
  alignas(16) double tiles[stages][ring_height * ring_width];
  CopyBarrier full[stages], empty[stages];  // phase n of each is round n
};

/// For all threads of a block.
__device__ void begin(Ring& ring) {
  if (threadIdx.x == 0 && threadIdx.y == 0)
    for (int stage = 0; stage < stages; ++stage)
      begin(ring.full[stage], 1), begin(ring.empty[stage], march_y);
  __syncthreads();
}

/// Copies tiles of `count` planes of a to the ring, plane z first. For one warp.
__device__ void copy_planes(Grid g, const double* a, int z, int count, Ring& ring) {  // g.elements()
  const int x = blockIdx.x * tile_x, y = blockIdx.y * march_y;  // of the tile's first point
  // BEGIN SOLUTION For each plane wait until its stage has been read in the round before, say how many bytes
  //  it will get, and copy row after row. The grid's last tiles have fewer rows, and shorter ones.
  //| ladder::task();  // Delete this line when you start.
  const int height = min(ring_height, g.ny + 2 - y);
  const unsigned bytes = min(ring_width, g.nx + 2 - x) * sizeof *a;
  for (int k = 0; k < count; ++k) {
    const int stage = k % stages;
    wait(ring.empty[stage], k / stages - 1);
    expect(ring.full[stage], height * bytes);
    for (int j = 0; j < height; ++j)
      copy(ring.tiles[stage] + j * ring_width, a + at(g, x, y + j, z + k), bytes, ring.full[stage]);
  }
  // END SOLUTION
}

/// What this thread's column needs of plane k of the march. For the warps that compute.
__device__ Plane next_plane(Ring& ring, int k) {
  const int point = (threadIdx.y + 1) * ring_width + threadIdx.x + 1;  // in a tile
  // BEGIN SOLUTION Wait until the plane is there, load nine numbers, and say that this warp has read its
  //  part.
  //| ladder::task();  // Delete this line when you start.
  const int stage = k % stages;
  wait(ring.full[stage], k / stages);
  const Plane plane = load_plane(ring.tiles[stage] + point, ring_width);
  arrive(ring.empty[stage]);
  return plane;
  // END SOLUTION
}

/// r = v - A u. r may be v.
__global__ void resid(Grid g, int planes, const double* u, const double* v,  // g.elements() each
                      double* r) {
  __shared__ Ring ring;
  begin(ring);
  int x, y, z;
  const bool computes = own_column(g, planes, x, y, z);
  const int count = min(planes, g.nz + 1 - z), dz = (g.nx + 2) * (g.ny + 2);
  // BEGIN SOLUTION The last warp copies planes z - 1 to z + count. The others march as in g2, but take each
  //  plane from the ring. Warps with no column wait and arrive, too. v is best loaded before the wait for a
  //  plane of u.
  //| ladder::task();  // Delete this line when you start.
  if (threadIdx.y == march_y) return copy_planes(g, u, z - 1, count + 2, ring);
  int i = at(g, x, y, z);
  Plane before = next_plane(ring, 0), here = next_plane(ring, 1);
#pragma unroll 1
  for (int k = 0; k < count; ++k, i += dz) {
    const double old = computes ? v[i] : 0;
    const Plane after = next_plane(ring, k + 2);
    if (computes)
      r[i] = old - a0 * here.point - a2 * (here.corners + before.sides + after.sides) -
             a3 * (before.corners + after.corners);
    before = here, here = after;
  }
  // END SOLUTION
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
    u[i] += c0 * here.point + c1 * (here.sides + before.point + after.point) +
            c2 * (here.corners + before.sides + after.sides);
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
    s[at(coarse, x, y, z)] = here.point / 2 + (here.sides + before.point + after.point) / 4 +
                             (here.corners + before.sides + after.sides) / 8 +
                             (before.corners + after.corners) / 16;
    before = after;
  }
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
  // One warp more than in g2 copies.
  const dim3 threads(tile_x, march_y + 1);
  resid<<<marches_for(g), threads>>>(g, planes_of(g), u, v, r);
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
void bulk_copies(const Problem& p) {
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
