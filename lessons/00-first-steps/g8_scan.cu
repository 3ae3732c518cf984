/// @file
/// g8: a scan. Each element learns how many elements before it in its row are bright: that is its place in a
/// list of them. Lanes scan by shuffles, warps leave their sums in shared memory, and a block sweeps over its
/// row. Before: g6, where many numbers became one; here each thread needs the sum of those before it. Source:
/// none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;  // of a block
constexpr int warps = threads / 32;
constexpr unsigned all_lanes = 0xffffffff;

/// The scan of a warp.
/// @return in lane l the sum of `mine` over lanes 0 to l.
__device__ int scan_lanes(int mine) {
  // TASK, 6 lines: Five times: add what the lane 1, 2, 4, 8, 16 to the left has, if there is such a lane.
  //  __shfl_up_sync(all_lanes, mine, 4) is the value of `mine` 4 lanes to the left. All 32 lanes must call
  //  it.
  return mine;
}

/// A block computes the places of row blockIdx.x, 256 elements per sweep.
__global__ void find_places(int columns, float limit,
                            const float* A,  // rows x columns
                            int* place) {    // rows x columns
  __shared__ int part[warps];                // of this sweep: the bright elements of each warp
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  A += std::size_t(blockIdx.x) * columns;  // from here on: the block's row
  place += std::size_t(blockIdx.x) * columns;

  int before = 0;  // bright elements of the sweeps before this one
  for (int first = 0; first < columns; first += threads) {
    const int j = first + t;
    // TASK, 11 lines: Is A[j] bright? Threads past the end of the row have nothing bright, but stay:
    //  scan_lanes and barriers need them all. Scan the warp; its last lane leaves the warp's sum in part.
    //  After a barrier, the place is `before`, plus the parts of the warps before this one, plus the bright
    //  lanes before this one. Add all parts to `before`. A second barrier is needed. Say what would go wrong
    //  without each.
  }
}

}  // namespace

/// Finds the place of each element among the bright ones of its row.
/// @throws ladder::Error when the device refuses the launch.
void scan(const Problem& p) {
  // TASK, 2 lines: Launch one block for each row, and check the launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace first_steps
