/// @file
/// t2: a panel in registers. The matrix is on the device before and after. The blocks of one cooperative
/// kernel keep all rows of a panel in registers, from its first pivot to its last. Rows do not move there:
/// each knows its place. Before: g8, whose panel is one work-group's, in global memory. Source: none.

#include <cooperative_groups.h>

#include <algorithm>

#include "common/device/cuda.hpp"
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

/// That warp posts the block's candidate for the pivot of column j of the panel, and its row.
template <int columns>
__device__ __forceinline__ void post_candidate([[maybe_unused]] const Posted<columns>& own_post,
                                               [[maybe_unused]] const Candidate& best, [[maybe_unused]] int j,
                                               [[maybe_unused]] Post& post) {
  [[maybe_unused]] const int thread = threadIdx.x, lane = thread % 32;
  // TASK, 3 lines: Write the block's candidate, `best`, and own_post, its row and 1 / element, to `post`. The
  //  last j elements of the row belong to columns that are done: 0.
}

/// Waits until all blocks have posted. @return the candidate of block `lane`. @param posted  [gridDim.x]
template <int columns>
__device__ __forceinline__ Candidate read_posts([[maybe_unused]] const cooperative_groups::grid_group& grid,
                                                [[maybe_unused]] const Post* posts,
                                                int n, [[maybe_unused]] Posted<columns>* posted) {
  [[maybe_unused]] const int thread = threadIdx.x, lane = thread % 32;
  // TASK, 7 lines: When all blocks have posted, copy the rows and the `inverse` of all posts into `posted`,
  //  each element by a thread of its own. Return the candidate of block `lane`, where there is one.
  ladder::task();  // Delete this line when you start.
  return {-1, n};
}

/// Exchanges rows i and from_place, and eliminates column i below row i. @param chosen  the pivot's row
template <int columns>
__device__ __forceinline__ void eliminate(Rows<columns>& rows, const Posted<columns>& chosen,
                                          [[maybe_unused]] double pivot,
                                          [[maybe_unused]] int i, [[maybe_unused]] int from_place) {
  [[maybe_unused]] auto& [a, place] = rows;
  // TASK, 13 lines: Rows i and from_place exchange their places. Then each row that is no pivot's yet gets
  //  its factor, divided(a[q][0], pivot, chosen.inverse), or 0 if the pivot is 0. It loses that multiple of
  //  chosen.row. And all rows turn:
  //  a[q][0], a factor now or an element of U, becomes a[q][columns - 1], and a[q][c] becomes a[q][c - 1].
}

/// Stores the thread's rows where they belong now, and lists in `from` and `to` those that have moved.
template <int columns>
__device__ __forceinline__ void store_rows(const Rows<columns>& rows, const Panel& panel) {
  [[maybe_unused]] const auto& [a, place] = rows;
  const auto& [p, i0, width, first, even, from, to] = panel;
  [[maybe_unused]] const std::size_t n = p.n;
#pragma unroll
  for (int q = 0; q < rows.count; ++q) {
    const int r = first + q * blockDim.x;
    if (r >= p.n) continue;
    // TASK, 3 lines: Store the row where it belongs now: store_row(a[q], where, width, even); and its part of
    //  `from` and `to`. Why may a thread write to a row of A that another one has loaded?
  }
}

/// Factorises the panel of columns i0 to i0 + width - 1, from row i0 on. All blocks are resident; together
/// they hold all rows.
/// @tparam columns  of the panel, at least `width`; a thread has held / columns rows
/// @param posts  [2][gridDim.x]; two, so that nobody writes what a late block still reads
/// @param from   [n]: row r of the panel's rows i0 to i0 + width - 1 was row from[r]
/// @param to     [n]: what was row r of these is now row to[r]
template <int columns>
__global__ void __launch_bounds__(most_threads)
    factor_panel(Problem p, int i0, int width, Post* posts, int* from, int* to) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  __shared__ Candidate of_warps[32];
  __shared__ Posted<columns> own_post;
  __shared__ Posted<columns> posted[max_blocks];
  const int thread = threadIdx.x, warp = thread / 32;
  const int first = i0 + blockIdx.x * (held / columns) * blockDim.x + thread;
  const Panel panel{p, i0, width, first, pairs(p), from, to};
  Rows<columns> rows;
  load_rows(rows, panel);
#pragma unroll 1
  for (int j = 0; j < width; ++j) {
    const int i = i0 + j;
    double element = 1;
    const Candidate own = largest_of_thread(rows, i, p.n, element);
    const double inverse = 1 / element;  // now, while the search goes on: later all would wait for it
    int winner = 0;
    Candidate best = largest_of_block(own, p.n, of_warps, winner);

    Post* const now = posts + j % 2 * gridDim.x;
    if (warp == winner) {
      copy_candidate(rows, own, inverse, best, own_post);
      post_candidate(own_post, best, j, now[blockIdx.x]);
    }
    const Candidate of_block = read_posts(grid, now, p.n, posted);
    best = largest_of_warp(of_block);
    const int block = __ffs(__ballot_sync(~0u, of_block.place == best.place)) - 1;

    const int from_place = min(max(best.place, i), p.n - 1);  // without numbers there is no candidate
    const double pivot = posted[block].row[0];
    eliminate(rows, posted[block], pivot, i, from_place);
    if (blockIdx.x == 0 && thread == 0) {
      p.pivot[i] = from_place;
      if (pivot == 0 && *p.info == 0) *p.info = i + 1;
    }
  }
  store_rows(rows, panel);
}

using Kernel = void (*)(Problem, int, int, Post*, int*, int*);

/// The kernel for panels of that many columns.
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
  return std::min(max_blocks, multiprocessors);
}

}  // namespace

/// PA = LU, of a matrix that is on the device.
/// @throws ladder::Error when the device refuses a launch, or cannot hold a panel of four columns.
void resident_panel(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const int resident = blocks_of_panel();
  const ladder::PooledBuffer<Post> posts(2 * max_blocks);
  const ladder::PooledBuffer<int> from(p.n), to(p.n);
  for (int i = 0, width = 0; i < p.n; i += width) {
    const int m = p.n - i;
    int columns = held;  // half as many, and threads hold twice as many rows
    while (columns > 4 && (resident * most_threads * (held / columns) < m || i % columns != 0)) columns /= 2;
    width = std::min(columns, m);
    const int blocks = std::min(resident, (m + 127) / 128);
    const int warp_rows = blocks * 32 * (held / columns);  // of one warp in each block
    [[maybe_unused]] const int threads = (m + warp_rows - 1) / warp_rows * 32;
    // TASK, 5 lines: Launch panel_kernel(columns) with cudaLaunchCooperativeKernel(kernel, grid, block,
    //  arguments), so that all its blocks are resident at once. `arguments` is an array of void*, each the
    //  address of one argument.
    ladder::task();  // Delete this line when you start.

    // The largest block of columns that ends here changes the next one of the same size, or all on its right.
    const int done = i + width, size = std::min(done & -done, outer);
    const int end = size == outer ? p.n : std::min(p.n, done + size);
    exchange(p, i, width, 0, p.n, size == width ? end : done, from.get(), to.get(), nullptr);
    if (done == p.n) break;
    if (size > width) solve(p, done - size, size, done, end, nullptr);
    // TASK, 1 line: The rows from `done` on lose, in the columns from `done` to `end` - 1, the product of L
    //  and U of this block: subtract(p, first column of L and row of U, how many, {row, last row, column,
    //  last column}, nullptr).
  }
}

}  // namespace lu
