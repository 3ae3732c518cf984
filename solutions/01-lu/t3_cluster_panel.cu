/// @file
/// t3: a panel in a cluster. In t2 the blocks meet in global memory, once for each column. Here they are a cluster: they
/// write their candidates into each other's shared memory, and its barrier is the hardware's.
/// Before: t2, a wait of the grid per column. Source: none.

#include <cooperative_groups.h>

#include <algorithm>
#include <bit>

#include "common/device/cuda.hpp"
#include "lu.hpp"
#include "resident.cuh"

namespace lu {
namespace {

constexpr int held = 32;           // elements of a panel in a thread: one row of 32 columns, two rows of 16, ...
constexpr int most_threads = 512;  // 128 registers for each
constexpr int most_blocks = 16;
constexpr int outer = 128;  // columns that are eliminated before all on their right change

/// What a block says about a column: its largest element, and the row with it.
struct Post {
  double row[most_columns];
  Candidate best;
};

/// Factorises the panel of columns i0 to i0 + width - 1, from row i0 on. All blocks are resident, and have all of its rows.
/// @tparam columns    of the panel, at least `width`; a thread has held / columns rows
/// @tparam clustered  the grid is one cluster; else a cooperative one, which meets in global memory
/// @param posts  [2][gridDim.x]; two, so that nobody writes what a late block still reads
/// @param from   [n]: row r of the panel's rows i0 to i0 + width - 1 was row from[r]
/// @param to     [n]: what was row r of these is now row to[r]
template <int columns, bool clustered>
__global__ void __launch_bounds__(most_threads)
    factor_panel(Problem p, int i0, int width, Post* posts, int* from, int* to) {
  constexpr int rows = held / columns;
  __shared__ Candidate of_warps[32];
  __shared__ double row_of_warp[most_threads / 32][columns];
  __shared__ double row_of_block[2][most_blocks][columns];  // two, so that nobody writes what a late block still reads
  __shared__ Candidate best_of_block[2][most_blocks];
  const std::size_t n = p.n;
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int first = i0 + blockIdx.x * rows * blockDim.x + thread;  // the thread's rows are blockDim.x apart
  double a[rows][columns];
  int place[rows];  // where the row is after the exchanges so far; n: no row
#pragma unroll
  for (int q = 0; q < rows; ++q) {
    const int r = first + q * blockDim.x;
    place[q] = min(r, p.n);
#pragma unroll
    for (int c = 0; c < columns; ++c) a[q][c] = r < p.n && c < width ? p.A[r * n + i0 + c] : 0;
  }
#pragma unroll
  for (int j = 0; j < columns; ++j) {
    if (j >= width) break;
    const int i = i0 + j;
    Candidate own{-1, p.n};
#pragma unroll
    for (int q = 0; q < rows; ++q)
      if (place[q] >= i && place[q] < p.n) own = larger(own, {fabs(a[q][j]), place[q]});
    Candidate best = largest_of_warp(own);
    if (lane == 0) of_warps[warp] = best;
#pragma unroll
    for (int q = 0; q < rows; ++q)
      if (place[q] == best.place && best.place < p.n)
#pragma unroll
        for (int c = j; c < columns; ++c) row_of_warp[warp][c] = a[q][c];
    __syncthreads();
    const Candidate its = lane < int(blockDim.x) / 32 ? of_warps[lane] : Candidate{-1, p.n};
    best = largest_of_warp(its);
    const int winner = __ffs(__ballot_sync(~0u, its.place == best.place)) - 1;
    // Every block gets the best candidate of every other one, and its row.
    if constexpr (clustered) {
#if !defined LADDER_EXECUTOR && __CUDA_ARCH__ >= 900
      const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
      if (j == 0) cluster.sync();  // a block has shared memory once it has begun
      for (int b = warp; b < int(gridDim.x); b += blockDim.x / 32) {
        double* const its_row = cluster.map_shared_rank(row_of_block[j % 2][blockIdx.x], b);
        if (lane >= j && lane < columns) its_row[lane] = row_of_warp[winner][lane];
        if (lane == 0) *cluster.map_shared_rank(&best_of_block[j % 2][blockIdx.x], b) = best;
      }
      cluster.sync();
#endif
    } else {
      Post* const now = posts + j % 2 * gridDim.x;
      if (thread >= j && thread < columns) now[blockIdx.x].row[thread] = row_of_warp[winner][thread];
      if (thread == 0) now[blockIdx.x].best = best;
      cooperative_groups::this_grid().sync();
      for (int e = thread; e < int(gridDim.x) * columns; e += int(blockDim.x))
        if (e % columns >= j) row_of_block[j % 2][e / columns][e % columns] = now[e / columns].row[e % columns];
      if (thread < int(gridDim.x)) best_of_block[j % 2][thread] = now[thread].best;
      __syncthreads();
    }
    const Candidate of_block = lane < int(gridDim.x) ? best_of_block[j % 2][lane] : Candidate{-1, p.n};
    best = largest_of_warp(of_block);
    const int block = __ffs(__ballot_sync(~0u, of_block.place == best.place)) - 1;
    const double* const pivot_row = row_of_block[j % 2][block];
    const double pivot = pivot_row[j];
    const int chosen = min(best.place, p.n - 1);
#pragma unroll
    for (int q = 0; q < rows; ++q) {
      if (place[q] == chosen)
        place[q] = i;
      else if (place[q] == i)
        place[q] = chosen;
      if (place[q] <= i || pivot == 0) continue;
      a[q][j] /= pivot;
#pragma unroll
      for (int c = j + 1; c < columns; ++c) a[q][c] -= a[q][j] * pivot_row[c];
    }
    if (blockIdx.x == 0 && thread == 0) {
      p.pivot[i] = chosen;
      if (pivot == 0 && *p.info == 0) *p.info = i + 1;
    }
  }
#pragma unroll
  for (int q = 0; q < rows; ++q) {
    const int r = first + q * blockDim.x;
    if (r >= p.n) continue;
#pragma unroll
    for (int c = 0; c < columns; ++c)
      if (c < width) p.A[place[q] * n + i0 + c] = a[q][c];
    if (place[q] < i0 + width) from[place[q]] = r;
    if (r < i0 + width) to[r] = place[q];
  }
}

using Kernel = void (*)(Problem, int, int, Post*, int*, int*);

/// The kernel for panels of so many columns.
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

/// @return how many blocks a panel may have: those of the largest cluster, 0 where the device or the program has none.
int cluster_blocks() {
  int device = 0, possible = 0, blocks = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&possible, cudaDevAttrClusterLaunch, device));
#ifndef LADDER_EXECUTOR
  cudaFuncAttributes attributes{};
  ladder::check(cudaFuncGetAttributes(&attributes, panel_kernel<true>(32)));
  if (possible == 0 || attributes.ptxVersion < 90) return 0;
  for (const int columns : {32, 16, 8, 4})  // 8 blocks are allowed everywhere
    ladder::check(cudaFuncSetAttribute(panel_kernel<true>(columns),
                                       cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = most_blocks;
  configuration.blockDim = most_threads;
  ladder::check(cudaOccupancyMaxPotentialClusterSize(&blocks, panel_kernel<true>(32), &configuration));
#endif
  return std::min(blocks, most_blocks);
}

/// Launches a kernel of one cluster.
void launch_cluster([[maybe_unused]] Kernel kernel, [[maybe_unused]] int blocks, [[maybe_unused]] int threads,
                    [[maybe_unused]] void** arguments) {
#ifndef LADDER_EXECUTOR
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {unsigned(blocks), 1, 1};
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = blocks;
  configuration.blockDim = threads;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  ladder::check(cudaLaunchKernelExC(&configuration, reinterpret_cast<const void*>(kernel), arguments));
#endif
}

}  // namespace

void cluster_panel(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  int device = 0, multiprocessors = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const int of_cluster = cluster_blocks();
  const int resident = of_cluster > 0 ? of_cluster : std::min(most_blocks, multiprocessors);
  const ladder::DeviceBuffer<Post> posts(2 * most_blocks);
  const ladder::DeviceBuffer<int> from(p.n), to(p.n);
  for (int o = 0; o < p.n; o += outer) {
    const int end = std::min(p.n, o + outer);
    for (int i0 = o, width = 0; i0 < end; i0 += width) {
      const int m = p.n - i0;
      int columns = held;
      while (resident * most_threads * (held / columns) < m) columns /= 2;
      width = std::min(columns, end - i0);
      const int blocks = std::min(resident, int(std::bit_ceil(unsigned(m + 127) / 128)));
      const int rows = held / columns;
      const int threads = (m + blocks * rows * 32 - 1) / (blocks * rows * 32) * 32;
      Problem q = p;
      Post* its_posts = posts.get();
      int *its_from = from.get(), *its_to = to.get();
      void* arguments[] = {&q, &i0, &width, &its_posts, &its_from, &its_to};
      if (of_cluster > 0)
        launch_cluster(panel_kernel<true>(columns), blocks, threads, arguments);
      else
        ladder::check(cudaLaunchCooperativeKernel(panel_kernel<false>(columns), blocks, threads, arguments));
      if (const int strips = strips_beside(p.n, i0, width); strips > 0)
        exchange_and_solve<<<strips, strip_threads>>>(p.n, i0, width, end, p.A, from.get(), to.get());
      ladder::check(cudaGetLastError());
      subtract(p, i0, width, i0 + width, i0 + width, end, nullptr);
    }
    if (end == p.n) break;
    solve(p, o, outer, nullptr);
    subtract(p, o, outer, end, end, p.n, nullptr);
  }
}

}  // namespace lu
