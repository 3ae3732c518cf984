/// @file
/// m2: halos under interiors. In m1 an operator computes its whole slab, then planes travel, then the next
/// one begins. But only the first and the last plane are sent. Here a rank computes these two first, and
/// while they travel in a stream of messages, it computes the planes between them. Before: m1, exchanges
/// between operators. Source: none.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "common/device/nccl.hpp"
#include "levels.hpp"

namespace npb_mg {
namespace {

using ladder::check;

constexpr int tile_x = 32, tile_y = 4, tile_z = 4;  // interp: points of a block, a thread for each
constexpr int march_y = 8;                          // where blocks march: rows of a block

/// The planes that a launch computes: first, first + step, …
struct Planes {
  int first, count, step;
};

/// Planes that a block marches through: 16, or as many as leave 16 blocks along z; neighbours only.
int march_of(Planes planes) {
  return planes.step > 1 ? 1 : std::clamp(planes.count / 16, 1, 16);
}

/// Blocks for all points of some planes.
dim3 blocks_for(Grid g, Planes planes) {
  return dim3((g.nx + tile_x - 1) / tile_x, (g.ny + tile_y - 1) / tile_y,
              (planes.count + tile_z - 1) / tile_z);
}

/// Blocks of 32 x 8 threads that march.
dim3 marches_for(Grid g, Planes planes) {
  const int march = march_of(planes);
  return dim3((g.nx + tile_x - 1) / tile_x, (g.ny + march_y - 1) / march_y,
              (planes.count + march - 1) / march);
}

/// The element of a point; 2^31 elements at most.
__device__ int at(Grid g, int x, int y, int z) {
  return (z * (g.ny + 2) + y) * (g.nx + 2) + x;
}

/// The point of this thread. @return whether it is a point of the grid
__device__ bool own_point(Grid g, Planes planes, int& x, int& y, int& z) {
  x = blockIdx.x * tile_x + threadIdx.x + 1;
  y = blockIdx.y * tile_y + threadIdx.y + 1;
  const int plane = blockIdx.z * tile_z + threadIdx.z;
  z = planes.first + plane * planes.step;
  return x <= g.nx && y <= g.ny && plane < planes.count;
}

/// Where this thread begins to march, and the plane at which it ends. @return whether its column is in the
/// grid
__device__ bool own_column(Grid g, Planes planes, int march, int& x, int& y, int& z, int& end) {
  x = blockIdx.x * tile_x + threadIdx.x + 1;
  y = blockIdx.y * march_y + threadIdx.y + 1;
  // BEGIN SOLUTION Block blockIdx.z has `march` of the planes, which are neighbours if they are several; the
  //  last block may have fewer.
  //| ladder::task();  // Delete this line when you start.
  const int plane = blockIdx.z * march;
  z = planes.first + plane * planes.step;
  end = z + min(march, planes.count - plane);
  // END SOLUTION
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
__global__ void resid(Grid g, Planes planes, int march, const double* u,
                      const double* v,  // g.elements() each
                      double* r) {
  int x, y, z, end;
  if (!own_column(g, planes, march, x, y, z, end)) return;
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  int i = at(g, x, y, z);
  Plane before = load_plane(u + i - dz, dy), here = load_plane(u + i, dy);
#pragma unroll 1  // unrolled, it needs more registers, and fewer warps fit
  for (; z < end; ++z, i += dz) {
    const Plane after = load_plane(u + i + dz, dy);
    const double Au = a0 * here.point + a2 * (here.corners + before.sides + after.sides) +
                      a3 * (before.corners + after.corners);
    store(g, x, y, z, v[i] - Au, r);
    before = here, here = after;
  }
}

/// u += S r, or u = S r.
__global__ void psinv(Grid g, Planes planes, int march, double c0, double c1, double c2, bool add,
                      const double* r,  // g.elements() each
                      double* u) {
  int x, y, z, end;
  if (!own_column(g, planes, march, x, y, z, end)) return;
  const int dy = g.nx + 2, dz = dy * (g.ny + 2);
  int i = at(g, x, y, z);
  Plane before = load_plane(r + i - dz, dy), here = load_plane(r + i, dy);
#pragma unroll 1
  for (; z < end; ++z, i += dz) {
    const Plane after = load_plane(r + i + dz, dy);
    const double Sr = c0 * here.point + c1 * (here.sides + before.point + after.point) +
                      c2 * (here.corners + before.sides + after.sides);
    store(g, x, y, z, add ? u[i] + Sr : Sr, u);
    before = here, here = after;
  }
}

/// s, on every other point, is a weighted mean of r.
__global__ void rprj3(Grid fine, const double* r,                          // fine.elements()
                      Grid coarse, Planes planes, int march, double* s) {  // coarse.elements()
  int x, y, z, end;
  if (!own_column(coarse, planes, march, x, y, z, end)) return;
  const int dy = fine.nx + 2, dz = dy * (fine.ny + 2);
  Plane before = load_plane(r + at(fine, 2 * x, 2 * y, 2 * z - 1), dy);
#pragma unroll 1
  for (; z < end; ++z) {
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
__global__ void interp(Grid coarse, const double* e,                     // coarse.elements()
                       Grid fine, Planes planes, bool add, double* u) {  // fine.elements()
  int x, y, z;
  if (!own_point(fine, planes, x, y, z)) return;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner)
    sum += e[at(coarse, (x + corner % 2) / 2, (y + corner / 2 % 2) / 2, (z + corner / 4) / 2)];
  const double mean = sum / 8;
  store(fine, x, y, z, add ? u[at(fine, x, y, z)] + mean : mean, u);
}

/// @name Some planes of each operator; with `add` false, u need not hold anything before.
/// @throws ladder::Error when the device refuses a launch.
/// @{
void find_residual(Grid g, const double* u, const double* v, double* r,  // g.elements(), on the device
                   Planes planes) {
  resid<<<marches_for(g, planes), dim3(tile_x, march_y)>>>(g, planes, march_of(planes), u, v, r);
  ladder::check(cudaGetLastError());
}

void smooth(const Problem& p, const Level& level, bool add, Planes planes) {
  const Grid g = level.grid;
  psinv<<<marches_for(g, planes), dim3(tile_x, march_y)>>>(g, planes, march_of(planes), p.c0, p.c1, p.c2, add,
                                                           level.r, level.u);
  ladder::check(cudaGetLastError());
}

void project(const Level& fine, const Level& coarse, Planes planes) {
  const Grid g = coarse.grid;
  rprj3<<<marches_for(g, planes), dim3(tile_x, march_y)>>>(fine.grid, fine.r, g, planes, march_of(planes),
                                                           coarse.r);
  ladder::check(cudaGetLastError());
}

void interpolate(const Level& coarse, const Level& fine, bool add, Planes planes) {
  const dim3 threads(tile_x, tile_y, tile_z), blocks = blocks_for(fine.grid, planes);
  interp<<<blocks, threads>>>(coarse.grid, coarse.u, fine.grid, planes, add, fine.u);
  ladder::check(cudaGetLastError());
}
/// @}

/// Messages between the ranks. They have a stream of their own, kernels are in the default stream, and
/// neither waits for the other unless it is told to.
class Messages {
 public:
  explicit Messages(const Problem& p)
      : ranks_(p.ranks),
        all_(ladder::communicator(std::vector<int>(p.ranks.count))),
        below_((ranks_.rank + ranks_.count - 1) % ranks_.count),
        above_((ranks_.rank + 1) % ranks_.count) {}

  /// The messages issued from now on wait for the kernels issued until now.
  void wait_for_kernels() const { order(nullptr, stream_); }
  /// The kernels issued from now on wait for the messages issued until now.
  void let_kernels_wait() const { order(stream_, nullptr); }

  /// Fills the planes before and after a slab from those of the neighbours; slabs are a ring. An operator has
  /// stored copies of the slab's own planes there, as if it were a whole grid: right on one rank only.
  void exchange(Grid slab, double* a) const {  // slab.elements()
    const std::size_t plane = slab.at(0, 0, 1);
    check(ncclGroupStart());
    check(ncclSend(a + plane, plane, ncclDouble, below_, all_, stream_));
    check(ncclSend(a + slab.nz * plane, plane, ncclDouble, above_, all_, stream_));
    check(ncclRecv(a + (slab.nz + 1) * plane, plane, ncclDouble, above_, all_, stream_));
    check(ncclRecv(a, plane, ncclDouble, below_, all_, stream_));
    check(ncclGroupEnd());
  }

  /// Every rank gets all planes of a grid, of which each has some; and the border along z.
  void gather(Grid whole, double* a) const {  // whole.elements()
    const std::size_t plane = whole.at(0, 0, 1);
    wait_for_kernels();
    check(ncclGroupStart());
    for (Ranks one{0, ranks_.count}; one.rank < one.count; ++one.rank) {
      double* const planes = a + whole.at(0, 0, 1 + one.first(whole.nz));
      const std::size_t elements = one.own(whole.nz) * plane;
      check(ncclBroadcast(planes, planes, elements, ncclDouble, one.rank, all_, stream_));
    }
    check(ncclGroupEnd());
    let_kernels_wait();
    copy_plane(a + whole.nz * plane, a, plane);
    copy_plane(a + plane, a + (whole.nz + 1) * plane, plane);
  }

 private:
  void order(cudaStream_t earlier, cudaStream_t later) const {
    check(cudaEventRecord(event_.get(), earlier));
    check(cudaStreamWaitEvent(later, event_.get()));
  }
  static void copy_plane(const double* from, double* to, std::size_t plane) {
    check(cudaMemcpyAsync(to, from, plane * sizeof *to, cudaMemcpyDeviceToDevice));
  }

  Ranks ranks_;
  ncclComm_t all_;
  int below_, above_;  // neighbours: the ranks with the planes before and after
  ladder::Stream own_stream_{cudaStreamNonBlocking, ladder::greatest_priority()};
  cudaStream_t stream_ = own_stream_.get();
  ladder::Event event_{cudaEventDisableTiming};
};

/// An operator on all planes of a slab, and the halo of its result. `launch` takes the planes that it
/// computes.
template <class Launch>
void with_halo(const Messages& messages, Grid slab, double* result, const Launch& launch) {
  const int nz = slab.nz;  // at least 2
  // BEGIN SOLUTION The first and the last plane: Planes{1, 2, nz - 1}. Then messages.exchange, and the
  //  planes between, if there are any. Which message waits for which kernel? Which kernels wait for messages?
  //| ladder::task();  // Delete this line when you start.
  launch(Planes{1, 2, nz - 1});
  messages.wait_for_kernels();
  messages.exchange(slab, result);
  if (nz > 2) launch(Planes{2, nz - 2, 1});
  messages.let_kernels_wait();
  // END SOLUTION
}

/// What a rank computes of a grid that is whole: its planes, and around them one before and one after.
Level own_planes(const Problem& p, const Level& whole) {
  const std::size_t first = whole.grid.at(0, 0, p.ranks.first(whole.grid.nz));
  const Grid own{whole.grid.nx, whole.grid.ny, p.ranks.own(whole.grid.nz)};
  return {own, whole.u + first, whole.r + first};
}

}  // namespace

/// One V-cycle, and the residual after it, over all ranks.
/// @throws ladder::Error when the device refuses a launch, or a call of NCCL fails.
void halo_under_interior(const Problem& p) {
  const Messages messages(p);
  const std::vector<Level> levels = levels_of(p);  // slabs, then whole grids
  const Level &finest = levels.front(), &coarsest = levels.back();
  const int slabs = p.ranks.slabs;
  const Level own = own_planes(p, levels[slabs]);
  const auto on = [&](int k, double* result, const auto& launch) {  // an operator on level k
    if (k < slabs)
      with_halo(messages, levels[k].grid, result, launch);
    else
      launch(Planes{1, levels[k].grid.nz, 1});
  };
  for (int k = 1; k < p.levels; ++k)
    if (k != slabs) {
      on(k, levels[k].r, [&](Planes planes) { project(levels[k - 1], levels[k], planes); });
    } else {
      project(levels[k - 1], own, Planes{1, own.grid.nz, 1});
      messages.gather(levels[k].grid, levels[k].r);
    }
  smooth(p, coarsest, false, Planes{1, coarsest.grid.nz, 1});
  for (int k = p.levels - 2; k >= 0; --k) {
    const Level &level = levels[k], &coarse = k + 1 == slabs ? own : levels[k + 1];
    const double* v = k > 0 ? level.r : p.v;
    on(k, level.u, [&](Planes planes) { interpolate(coarse, level, k == 0, planes); });
    on(k, level.r, [&](Planes planes) { find_residual(level.grid, level.u, v, level.r, planes); });
    on(k, level.u, [&](Planes planes) { smooth(p, level, true, planes); });
  }
  on(0, finest.r, [&](Planes planes) { find_residual(finest.grid, finest.u, p.v, finest.r, planes); });
}

}  // namespace npb_mg
