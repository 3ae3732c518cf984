/// @file
/// g8: one kernel. All blocks stay on the device from the first pivot to the last and wait for each other at grid.sync(),
/// once for two pivots. For that all of them must be resident at the same time: a cooperative launch refuses a larger grid.
/// Before: g7, whose graph had a kernel for each two. Source: work B tried a wait of the whole grid and dropped it,
/// since blocks that are not resident yet are waited for for ever.

#include <cooperative_groups.h>

#include <algorithm>

#include "common/device/cuda.hpp"
#include "gauss.hpp"
#include "two_pivots.cuh"

namespace gauss {
namespace {

/// Solves A x = b. Any grid of whole warps, all of it resident.
/// @tparam most  threads that a block may have: the fewer, the more registers has each
template <int most>
__global__ void __launch_bounds__(most) solve(Problem p, int* row_of, double2* columns) {  // n; 2 x n
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  leave_first_columns(p, columns);
  // TASK, 8 lines: Take all pivots, two at a time, let all blocks finish, and let the first block substitute. Where does
  //  the whole grid have to wait?
  //  take_pivots reads what every block left in columns for pivots i and i + 1, and changes what every block read for
  //  the two before. One wait a pair is enough. When it returns false A is singular and *info is set: all blocks
  //  return, at the same pivot.
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
  const ladder::DeviceBuffer<int> row_of(p.n);
  const ladder::DeviceBuffer<double2> columns(2 * std::size_t(p.n));
  // TASK, 5 lines: Launch `solve` so that all its blocks are resident at once, or are refused.
  ladder::task();  // Delete this line when you start.
}

}  // namespace gauss
