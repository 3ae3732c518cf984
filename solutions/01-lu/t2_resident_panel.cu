/// @file
/// t2: a panel in registers. The matrix is on the device before and after. The blocks of one cooperative kernel keep all rows
/// of a panel in registers, from its first pivot to its last. Rows do not move there: each knows its place.
/// Before: g8, whose panel is one work-group's, in global memory. Source: none.

#include <cooperative_groups.h>

#include <algorithm>

#include "common/device/cuda.hpp"
#include "lu.hpp"
#include "resident.cuh"

namespace lu {
namespace {

constexpr int held = 32;  // elements of a panel in a thread: one row of 32 columns, two rows of 16, ...
constexpr int most_threads = 512;  // 128 registers for each
constexpr int most_blocks = 16;
constexpr int outer = 128;  // columns that are eliminated before all on their right change

/// What a block says about a column: its largest element, and the row with it.
struct Post {
  double row[most_columns];
  Candidate best;
};

/// Factorises the panel of columns i0 to i0 + width - 1, from row i0 on. All blocks are resident; together they hold all rows.
/// @tparam columns  of the panel, at least `width`; a thread has held / columns rows
/// @param posts  [2][gridDim.x]; two, so that nobody writes what a late block still reads
/// @param from   [n]: row r of the panel's rows i0 to i0 + width - 1 was row from[r]
/// @param to     [n]: what was row r of these is now row to[r]
template <int columns>
__global__ void __launch_bounds__(most_threads)
    factor_panel(Problem p, int i0, int width, Post* posts, int* from, int* to) {
  constexpr int rows = held / columns;
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  __shared__ Candidate of_warps[32];
  __shared__ double row_of_warp[most_threads / 32][columns];
  __shared__ double row_of_block[most_blocks][columns];
  const std::size_t n = p.n;
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int first = i0 + blockIdx.x * rows * blockDim.x + thread;  // the thread's rows are blockDim.x apart
  double a[rows][columns];  // only constants index it, in unrolled loops: so it stays in registers
  int place[rows];          // where the row is after the exchanges so far; n: no row
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
    // BEGIN SOLUTION Let `own` be the largest |element| of column j in this thread's rows that are no pivot's yet, with its
    //  row's place: larger(a, b) compares.
#pragma unroll
    for (int q = 0; q < rows; ++q)
      if (place[q] >= i && place[q] < p.n) own = larger(own, {fabs(a[q][j]), place[q]});
    // END SOLUTION
    Candidate best = largest_of_warp(own);
    if (lane == 0) of_warps[warp] = best;
#pragma unroll
    for (int q = 0; q < rows; ++q)
      if (place[q] == best.place && best.place < p.n)
#pragma unroll
        for (int c = j; c < columns; ++c) row_of_warp[warp][c] = a[q][c];
    __syncthreads();
    const Candidate its = lane < int(blockDim.x) / 32 ? of_warps[lane] : Candidate{-1, p.n};
    best = largest_of_warp(its);  // of the block: every warp compares all warps
    const int winner = __ffs(__ballot_sync(~0u, its.place == best.place)) - 1;

    Post* const now = posts + j % 2 * gridDim.x;
    // BEGIN SOLUTION Post the block's candidate, `best`, and its row, row_of_warp[winner], to now[blockIdx.x]. When all blocks
    //  have posted, copy the rows of all posts into row_of_block, and let `of_block` be the candidate of block `lane`, where
    //  there is one. Each element is copied by another thread.
    //| ladder::task();  // Delete this line when you start.
    //| [[maybe_unused]] winner, now, grid, row_of_block;
    //| const Candidate of_block{-1, p.n};
    if (thread >= j && thread < columns) now[blockIdx.x].row[thread] = row_of_warp[winner][thread];
    if (thread == 0) now[blockIdx.x].best = best;
    grid.sync();  // the only wait of the grid for this column
    for (int e = thread; e < int(gridDim.x) * columns; e += int(blockDim.x))
      if (e % columns >= j) row_of_block[e / columns][e % columns] = now[e / columns].row[e % columns];
    const Candidate of_block = lane < int(gridDim.x) ? now[lane].best : Candidate{-1, p.n};
    __syncthreads();
    // END SOLUTION
    best = largest_of_warp(of_block);
    const int block = __ffs(__ballot_sync(~0u, of_block.place == best.place)) - 1;

    const double* const pivot_row = row_of_block[block];
    const double pivot = pivot_row[j];
    const int chosen = min(best.place, p.n - 1);  // an element that is no number is never the largest
    // BEGIN SOLUTION Rows i and `chosen` exchange their places. Then each row that is no pivot's yet gets its factor, a[q][j], and
    //  loses that multiple of pivot_row in the columns after j; nothing, if the pivot is 0.
    //| [[maybe_unused]] pivot_row, block, rows;
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
    // END SOLUTION
    if (blockIdx.x == 0 && thread == 0) {
      p.pivot[i] = chosen;
      if (pivot == 0 && *p.info == 0) *p.info = i + 1;
    }
  }
#pragma unroll
  for (int q = 0; q < rows; ++q) {
    const int r = first + q * blockDim.x;
    if (r >= p.n) continue;
      // BEGIN SOLUTION Store the row where it belongs now, and its part of `from` and `to`. Why may a thread write to a row of A that
      //  another one has loaded?
#pragma unroll
    for (int c = 0; c < columns; ++c)
      if (c < width) p.A[place[q] * n + i0 + c] = a[q][c];
    if (place[q] < i0 + width) from[place[q]] = r;
    if (r < i0 + width) to[r] = place[q];
    // END SOLUTION
  }
}

using Kernel = void (*)(Problem, int, int, Post*, int*, int*);

/// The kernel for panels of so many columns.
Kernel panel_kernel(int columns) {
  switch (columns) {
    case 32:
      return factor_panel<32>;
    case 16:
      return factor_panel<16>;
    case 8:
      return factor_panel<8>;
    default:
      return factor_panel<4>;
  }
}

/// @return blocks of a panel: one on each multiprocessor, as each takes all registers.
/// @throws ladder::Error
int blocks_of_panel() {
  int device = 0, multiprocessors = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return std::min(most_blocks, multiprocessors);
}

}  // namespace

/// PA = LU, of a matrix that is on the device.
/// @throws ladder::Error when the device refuses a launch, or cannot hold a panel of four columns.
void resident_panel(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const int resident = blocks_of_panel();
  const ladder::DeviceBuffer<Post> posts(2 * most_blocks);
  const ladder::DeviceBuffer<int> from(p.n), to(p.n);
  for (int o = 0; o < p.n; o += outer) {
    const int end = std::min(p.n, o + outer);
    for (int i0 = o, width = 0; i0 < end; i0 += width) {
      const int m = p.n - i0;
      int columns = held;  // half as many, and threads hold twice as many rows
      while (columns > 4 && resident * most_threads * (held / columns) < m) columns /= 2;
      width = std::min(columns, end - i0);
      const int blocks = std::min(resident, (m + 127) / 128);
      const int warp_rows = blocks * 32 * (held / columns);  // of one warp in each block
      const int threads = (m + warp_rows - 1) / warp_rows * 32;
      // BEGIN SOLUTION Launch panel_kernel(columns) with cudaLaunchCooperativeKernel(kernel, grid, block, arguments), so that all
      //  its blocks are resident at once. `arguments` is an array of void*, each the address of one argument.
      //| ladder::task();  // Delete this line when you start.
      //| [[maybe_unused]] threads;
      Problem q = p;
      Post* its_posts = posts.get();
      int *its_from = from.get(), *its_to = to.get();
      void* arguments[] = {&q, &i0, &width, &its_posts, &its_from, &its_to};
      ladder::check(cudaLaunchCooperativeKernel(panel_kernel(columns), blocks, threads, arguments));
      // END SOLUTION
      exchange(p, i0, width, end, from.get(), to.get(), nullptr);
      // BEGIN SOLUTION The columns after the panel, up to `end`, need the product of the panel's L and of the rows of U that
      //  exchange() has made. subtract(p, i, terms, row, column, end, stream) subtracts it.
      subtract(p, i0, width, i0 + width, i0 + width, end, nullptr);
      // END SOLUTION
    }
    if (end == p.n) break;
    solve(p, o, outer, nullptr);
    subtract(p, o, outer, end, end, p.n, nullptr);
  }
}

}  // namespace lu
