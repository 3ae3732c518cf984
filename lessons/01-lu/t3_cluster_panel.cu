/// @file
/// t3: a panel in a cluster. In t2 the blocks meet in global memory, once for each column. Here they are a
/// cluster: they write their candidates into each other's shared memory, and wait at the cluster's barrier,
/// which is hardware. Before: t2, a barrier of the grid per column. Source: none.

#include <cooperative_groups.h>

#include <algorithm>
#include <bit>

#include "common/device/cuda.hpp"
#include "once_per_device.hpp"
#include "panel_rows.cuh"
#include "problem.hpp"
#include "resident.cuh"

namespace lu {
namespace {

constexpr int outer = 256;  // columns that are eliminated before all on their right change

/// The warp that has the block's candidate, `best`, copies its row and 1 / element to shared memory.
template <int columns>
__device__ __forceinline__ void copy_candidate(const Rows<columns>& rows, const Candidate& own,
                                               double inverse, const Candidate& best,
                                               Posted<columns>& own_post) {
  const auto& [a, place] = rows;
  if (own.place == best.place) own_post.inverse = inverse;
#pragma unroll
  for (int q = 0; q < rows.count; ++q)
    if (place[q] == best.place)
#pragma unroll
      for (int c = 0; c < columns; c += 2)
        *reinterpret_cast<double2*>(own_post.row + c) = {a[q][c], a[q][c + 1]};
  __syncwarp();
}

/// Where a lane writes what its block posts. Two lanes write to each block of the cluster, half a row each.
template <int columns>
struct Target {
  Posted<columns>* posted;  // [2][max_blocks], from this block's own on, in that block's shared memory
  Candidate* best;          // the same of the candidates
};

/// Finds a lane's target, once: a loop over the blocks would lengthen every column.
template <int columns>
__device__ __forceinline__ Target<columns> find_target(
    [[maybe_unused]] Posted<columns> (&posted)[2][max_blocks],
    [[maybe_unused]] Candidate (&best)[2][max_blocks]) {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  cluster.sync();  // a block has shared memory only when it has begun
  const int thread = threadIdx.x, lane = thread % 32, target = min(lane / 2, int(gridDim.x) - 1);
  return {cluster.map_shared_rank(&posted[0][blockIdx.x], target),
          cluster.map_shared_rank(&best[0][blockIdx.x], target)};
#else
  return {};
#endif
}

/// That warp writes the block's candidate for the pivot of column j, and its row, to all blocks of a cluster.
template <int columns>
__device__ __forceinline__ void write_to_cluster([[maybe_unused]] const Posted<columns>& own_post,
                                                 [[maybe_unused]] const Candidate& best,
                                                 [[maybe_unused]] int j,
                                                 [[maybe_unused]] const Target<columns>& target) {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
  [[maybe_unused]] const int thread = threadIdx.x, half = thread % 32 % 2;
  // TASK, 10 lines: For this one warp: write own_post, the block's row and 1 / element, to target.posted, and
  //  its candidate, `best`, to target.best: for this column, columns of odd j have the second set. Two lanes
  //  write to each block, in pairs of elements, and 0 for the j columns that are done. More lanes than blocks
  //  write the same again.
#endif
}

/// Waits until all blocks of the cluster have written.
inline __device__ void wait_for_cluster() {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
  // TASK, 1 line: All blocks of the cluster must have written.
#endif
}

/// The twin: that warp posts the block's candidate for the pivot of column j in global memory, as in t2.
template <int columns>
__device__ __forceinline__ void post_candidate(const Posted<columns>& own_post, const Candidate& best, int j,
                                               Post& post) {
  const int thread = threadIdx.x, lane = thread % 32;
  if (lane < columns) post.row[lane] = lane < columns - j ? own_post.row[lane] : 0;
  if (lane == 0) post.inverse = own_post.inverse;
  if (lane == 0) post.best = best;
}

/// The twin's exchange: all blocks have posted in global memory, and each copies what they posted.
/// @param posts  [gridDim.x]
/// @param posted, best  [gridDim.x], in shared memory
template <int columns>
inline __device__ void meet_in_memory(const Post* posts, Posted<columns>* posted, Candidate* best) {
  cooperative_groups::this_grid().sync();
  const int thread = threadIdx.x;
  for (int e = thread; e < int(gridDim.x) * columns; e += int(blockDim.x))
    posted[e / columns].row[e % columns] = posts[e / columns].row[e % columns];
  if (thread < int(gridDim.x)) posted[thread].inverse = posts[thread].inverse;
  if (thread < int(gridDim.x)) best[thread] = posts[thread].best;
  __syncthreads();
}

/// Exchanges rows i and from_place, and eliminates column i below row i. @param chosen  the pivot's row
template <int columns>
__device__ __forceinline__ void eliminate(Rows<columns>& rows, const Posted<columns>& chosen, double pivot,
                                          int i, int from_place) {
  auto& [a, place] = rows;
#pragma unroll
  for (int q = 0; q < rows.count; ++q) {
    if (place[q] == from_place)
      place[q] = i;
    else if (place[q] == i)
      place[q] = from_place;
    const bool loses = place[q] > i && pivot != 0;
    const double factor = loses ? divided(a[q][0], pivot, chosen.inverse) : 0;
    const double done = loses ? factor : a[q][0];
#pragma unroll
    for (int c = 1; c < columns; ++c) a[q][c - 1] = a[q][c] - factor * chosen.row[c];
    a[q][columns - 1] = done;
  }
}

/// Stores the thread's rows where they belong now, and lists in `from` and `to` those that have moved.
template <int columns>
__device__ __forceinline__ void store_rows(const Rows<columns>& rows, const Panel& panel) {
  const auto& [a, place] = rows;
  const auto& [p, i0, width, first, even, from, to] = panel;
  const std::size_t n = p.n;
#pragma unroll
  for (int q = 0; q < rows.count; ++q) {
    const int r = first + q * blockDim.x;
    if (r >= p.n) continue;
    store_row(a[q], p.A + place[q] * n + i0, width, even);
    if (place[q] < i0 + width) from[place[q]] = r;
    if (r < i0 + width) to[r] = place[q];
  }
}

/// Factorises the panel of columns i0 to i0 + width - 1, from row i0 on. All blocks are resident; together
/// they hold all rows.
/// @tparam columns    of the panel, at least `width`; a thread has held / columns rows
/// @tparam clustered  the grid is one cluster; else a cooperative one, which meets in global memory: the twin
/// @param posts  [2][gridDim.x]; two, so that nobody writes what a late block still reads
/// @param from   [n]: row r of the panel's rows i0 to i0 + width - 1 was row from[r]
/// @param to     [n]: what was row r of these is now row to[r]
template <int columns, bool clustered>
__global__ void __launch_bounds__(most_threads)
    factor_panel(Problem p, int i0, int width, Post* posts, int* from, int* to) {
  __shared__ Candidate of_warps[32];
  __shared__ Posted<columns> own_post;
  // Two, so that nobody writes what a late block still reads.
  __shared__ Posted<columns> posted[2][max_blocks];
  __shared__ Candidate best_of_block[2][max_blocks];
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int first = i0 + blockIdx.x * (held / columns) * blockDim.x + thread;
  const Panel panel{p, i0, width, first, pairs(p), from, to};
  Rows<columns> rows;
  load_rows(rows, panel);
  [[maybe_unused]] Target<columns> target{};
  if constexpr (clustered) target = find_target(posted, best_of_block);
#pragma unroll 1
  for (int j = 0; j < width; ++j) {
    const int i = i0 + j;
    double element = 1;
    const Candidate own = largest_of_thread(rows, i, p.n, element);
    const double inverse = 1 / element;  // now, while the search goes on: later all would wait for it
    int winner = 0;
    Candidate best = largest_of_block(own, p.n, of_warps, winner);

    [[maybe_unused]] Post* const now = posts + j % 2 * gridDim.x;
    if (warp == winner) {
      copy_candidate(rows, own, inverse, best, own_post);
      if constexpr (clustered) write_to_cluster(own_post, best, j, target);
      if constexpr (!clustered) post_candidate(own_post, best, j, now[blockIdx.x]);
    }
    if constexpr (clustered) wait_for_cluster();
    if constexpr (!clustered) meet_in_memory(now, posted[j % 2], best_of_block[j % 2]);
    const Candidate of_block = lane < int(gridDim.x) ? best_of_block[j % 2][lane] : Candidate{-1, p.n};
    best = largest_of_warp(of_block);
    const int block = __ffs(__ballot_sync(~0u, of_block.place == best.place)) - 1;

    const int from_place = min(max(best.place, i), p.n - 1);  // without numbers there is no candidate
    const double pivot = posted[j % 2][block].row[0];
    eliminate(rows, posted[j % 2][block], pivot, i, from_place);
    if (blockIdx.x == 0 && thread == 0) {
      p.pivot[i] = from_place;
      if (pivot == 0 && *p.info == 0) *p.info = i + 1;
    }
  }
  store_rows(rows, panel);
}

using Kernel = void (*)(Problem, int, int, Post*, int*, int*);

/// The kernel for panels of that many columns.
template <bool clustered>
Kernel panel_kernel(int columns) {
  switch (columns) {
    case 32:
      return factor_panel<32, clustered>;
    case 16:
      return factor_panel<16, clustered>;
    case 8:
      return factor_panel<8, clustered>;
    default:
      return factor_panel<4, clustered>;
  }
}

/// @return the blocks of the largest cluster that a panel can have; 0 where the device or the program has no
/// clusters.
/// @throws ladder::Error
int asked_blocks_of_cluster() {
  int blocks = 0;
#ifndef LADDER_EXECUTOR  // which has none
  int device = 0, possible = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&possible, cudaDevAttrClusterLaunch, device));
  cudaFuncAttributes attributes{};
  ladder::check(cudaFuncGetAttributes(&attributes, panel_kernel<true>(32)));
  if (possible == 0 || attributes.ptxVersion < 90) return 0;
  for (const int columns : {32, 16, 8, 4})  // more than 8 blocks: not on every device with clusters
    ladder::check(
        cudaFuncSetAttribute(panel_kernel<true>(columns), cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = max_blocks;
  configuration.blockDim = most_threads;
  ladder::check(cudaOccupancyMaxPotentialClusterSize(&blocks, panel_kernel<true>(32), &configuration));
#endif
  return std::min(blocks, max_blocks);
}

/// The same, asked once per device.
int blocks_of_cluster() {
  return once_per_device(reinterpret_cast<const void*>(panel_kernel<true>(32)),
                         [] { return asked_blocks_of_cluster(); });
}

/// @return blocks of a panel without clusters: one on each multiprocessor, as each takes all registers.
/// @throws ladder::Error
int blocks_of_grid() {
  int device = 0, multiprocessors = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return std::min(max_blocks, multiprocessors);
}

/// Launches a kernel as one cluster of `blocks` blocks.
/// @throws ladder::Error
void launch_cluster([[maybe_unused]] Kernel kernel, [[maybe_unused]] int blocks, [[maybe_unused]] int threads,
                    [[maybe_unused]] void** arguments) {
#ifndef LADDER_EXECUTOR
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t configuration{};
  // TASK, 6 lines: Describe the launch: gridDim, blockDim, and one attribute, attrs and numAttrs. The
  //  attribute's id is cudaLaunchAttributeClusterDimension, its val.clusterDim has x, y and z.
  ladder::check(cudaLaunchKernelExC(&configuration, reinterpret_cast<const void*>(kernel), arguments));
#endif
}

}  // namespace

/// PA = LU, of a matrix that is on the device; panels in a cluster where there are such, else as in t2.
/// @throws ladder::Error when the device refuses a launch, or cannot hold a panel of four columns.
void cluster_panel(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const int of_cluster = blocks_of_cluster();
  const int resident = of_cluster > 0 ? of_cluster : blocks_of_grid();
  const ladder::PooledBuffer<Post> posts(2 * max_blocks);
  const ladder::PooledBuffer<int> from(p.n), to(p.n);
  for (int i = 0, width = 0; i < p.n; i += width) {
    const int m = p.n - i;
    int columns = held;  // half as many, and threads hold twice as many rows
    while (columns > 4 && (resident * most_threads * (held / columns) < m || i % columns != 0)) columns /= 2;
    width = std::min(columns, m);
    const int blocks =
        std::min(resident, int(std::bit_ceil(unsigned(m + 127) / 128)));  // clusters: powers of two
    const int warp_rows = blocks * 32 * (held / columns);                 // of one warp in each block
    [[maybe_unused]] const int threads = (m + warp_rows - 1) / warp_rows * 32;
    Problem q = p;
    Post* its_posts = posts.get();
    int *its_from = from.get(), *its_to = to.get();
    [[maybe_unused]] void* arguments[] = {&q, &i, &width, &its_posts, &its_from, &its_to};
    // TASK, 4 lines: Launch the panel's kernel: as a cluster where there are clusters, else cooperatively.
    ladder::task();  // Delete this line when you start.

    // The largest block of columns that ends here changes the next one of the same size, or all on its right.
    const int done = i + width, size = std::min(done & -done, outer);
    const int end = size == outer ? p.n : std::min(p.n, done + size);
    exchange(p, i, width, 0, p.n, size == width ? end : done, from.get(), to.get(), nullptr);
    if (done == p.n) break;
    if (size > width) solve(p, done - size, size, done, end, nullptr);
    subtract(p, done - size, size, {done, p.n, done, end}, nullptr);
  }
}

}  // namespace lu
