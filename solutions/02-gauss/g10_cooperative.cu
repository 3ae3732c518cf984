/// @file
/// g10: one kernel. All blocks stay on the device from the first pivot to the last and wait for each other at
/// grid.sync(), once for two pivots. For that all of them must be resident at the same time: a cooperative
/// launch refuses a larger grid. Before: g9, two kernels for two pivots. Source: work B tried a barrier of
/// the whole grid and dropped it.

#include <cooperative_groups.h>

#include <algorithm>

#include "common/device/cuda.hpp"
#include "problem.hpp"
#include "take_pair.cuh"

namespace gauss {
namespace {

/// Solves A x = b. Any grid of whole warps, all of it resident.
/// @tparam most  threads that a block may have: the fewer, the more registers each thread has
template <int most>
__global__ void __launch_bounds__(most) solve(Problem p, int* row_of) {  // row_of: [n], the row of each pivot
  __shared__ Used used;  // each block has its own list, and all lists are the same
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int word = threadIdx.x; word <= p.n / 32; word += blockDim.x) used.bits[word] = 0;
  __syncthreads();
  // BEGIN SOLUTION Take all pivots, two at a time, let all blocks finish, and let the first block substitute.
  //  Where does the whole grid have to wait?
  //  take_pair reads what every block has changed for the pairs before, and changes nothing that another
  //  block reads for this pair: one wait per pair is enough. When it returns false, A is singular and *info
  //  is set: all blocks return, at the same pair.
  for (int i = 0; i < p.n; i += 2) {
    if (!take_pair(p, i, row_of, used)) return;  // all blocks: none waits forever
    grid.sync();                                 // this pair is subtracted from every row
  }
  finish_second_rows(p, row_of);
  grid.sync();
  if (blockIdx.x == 0) back_substitute(p, row_of);
  // END SOLUTION
}

/// One block on each multiprocessor. More blocks would only choose more often.
/// @throws ladder::Error
int usual_blocks() {
  int device = 0, multiprocessors = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return multiprocessors;
}

}  // namespace

/// Solves A x = b with partial pivoting, with the grid that the problem imposes, or its own.
/// @throws ladder::Error when the grid is larger than what the device holds at once.
void cooperative(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int blocks = p.blocks > 0 ? p.blocks : std::min(p.n, usual_blocks());
  const auto kernel = threads > usual_threads ? solve<most_threads> : solve<usual_threads>;
  const ladder::PooledBuffer<int> row_of(p.n);
  // BEGIN SOLUTION Launch `kernel` with cudaLaunchCooperativeKernel(kernel, grid, block, arguments), so that
  //  all its blocks are resident at once, or are refused. `arguments` is an array of void*, each the address
  //  of one argument.
  //| ladder::task();  // Delete this line when you start.
  Problem q = p;
  int* rows = row_of.get();
  void* arguments[] = {&q, &rows};
  // An ordinary launch would let blocks begin that wait for others which find no place: forever.
  ladder::check(cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments));
  // END SOLUTION
}

}  // namespace gauss
