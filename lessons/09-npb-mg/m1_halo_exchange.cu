/// @file
/// m1: a V-cycle over GPUs. Each rank has a slab of each large grid, neighbouring planes, in the memory of
/// its GPU. An operator needs one plane of each neighbour: after each operator the ranks send each other the
/// first and the last plane of its result. Small grids are gathered, and every rank does all of them. Before:
/// g3, whose operators are unchanged. Source: none; NPB's own MPI program divides the cube along all three
/// axes.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "common/device/nccl.hpp"
#include "levels.hpp"

namespace npb_mg {
namespace {

using ladder::check;

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
    store(g, x, y, z, add ? u[i] + Sr : Sr, u);
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
  const double mean = sum / 8;
  store(fine, x, y, z, add ? u[at(fine, x, y, z)] + mean : mean, u);
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

/// Messages between the ranks, in the default stream: they wait for the kernels issued before, and those
/// issued after wait for them.
class Messages {
 public:
  explicit Messages(const Problem& p)
      : ranks_(p.ranks),
        all_(ladder::communicator(std::vector<int>(p.ranks.count))),
        below_((ranks_.rank + ranks_.count - 1) % ranks_.count),
        above_((ranks_.rank + 1) % ranks_.count) {}

  /// Fills the planes before and after a slab from those of the neighbours; slabs are a ring. An operator has
  /// stored copies of the slab's own planes there, as if it were a whole grid: right on one rank only.
  void exchange(Grid slab, double* a) const {  // slab.elements()
    const std::size_t plane = slab.at(0, 0, 1);
    // TASK, 6 lines: ncclSend(from, elements, ncclDouble, peer, communicator, stream), ncclRecv(to, …): the
    //  first own plane to below_, the last one to above_. All four in a group: alone, a send may wait for its
    //  receive. Two ranks are each other's neighbours on both sides, and messages between them keep their
    //  order.
    ladder::task();  // Delete this line when you start.
  }

  /// Every rank gets all planes of a grid, of which each has some; and the border along z.
  void gather(Grid whole, double* a) const {  // whole.elements()
    const std::size_t plane = whole.at(0, 0, 1);
    check(ncclGroupStart());
    for (Ranks one{0, ranks_.count}; one.rank < one.count; ++one.rank) {
      double* const planes = a + whole.at(0, 0, 1 + one.first(whole.nz));
      // TASK, 2 lines: ncclBroadcast(from, to, elements, ncclDouble, root, communicator, stream), in place.
      //  Not ncclAllGather: that wants the same number of elements from each rank.
      ladder::task();  // Delete this line when you start.
    }
    check(ncclGroupEnd());
    copy_plane(a + whole.nz * plane, a, plane);
    copy_plane(a + plane, a + (whole.nz + 1) * plane, plane);
  }

 private:
  static void copy_plane(const double* from, double* to, std::size_t plane) {
    check(cudaMemcpyAsync(to, from, plane * sizeof *to, cudaMemcpyDeviceToDevice));
  }

  Ranks ranks_;
  ncclComm_t all_;
  int below_, above_;              // neighbours: the ranks with the planes before and after
  cudaStream_t stream_ = nullptr;  // the default stream
};

/// What a rank computes of a grid that is whole: its planes, and around them one before and one after.
Level own_planes(const Problem& p, const Level& whole) {
  const std::size_t first = whole.grid.at(0, 0, p.ranks.first(whole.grid.nz));
  const Grid own{whole.grid.nx, whole.grid.ny, p.ranks.own(whole.grid.nz)};
  return {own, whole.u + first, whole.r + first};
}

}  // namespace

/// One V-cycle, and the residual after it, over all ranks.
/// @throws ladder::Error when the device refuses a launch, or a call of NCCL fails.
void halo_exchange(const Problem& p) {
  const Messages messages(p);
  const std::vector<Level> levels = levels_of(p);  // slabs, then whole grids
  const Level &finest = levels.front(), &coarsest = levels.back();
  const int slabs = p.ranks.slabs;
  const Level own = own_planes(p, levels[slabs]);
  // TASK, 5 lines: The downward half of g3. On levels above `slabs` a plane of each neighbour is needed. To
  //  level `slabs` a rank projects its own planes; then all ranks gather its r. Below it nothing is sent.
  ladder::task();  // Delete this line when you start.
  smooth(p, coarsest, false);
  for (int k = p.levels - 2; k >= 0; --k) {
    const Level& level = levels[k];
    // TASK, 6 lines: The loop of g3: where is the coarser grid of level slabs - 1? Which results need planes
    //  of the neighbours?
    ladder::task();  // Delete this line when you start.
  }
  find_residual(finest.grid, finest.u, p.v, finest.r);
  messages.exchange(finest.grid, finest.r);
}

}  // namespace npb_mg
