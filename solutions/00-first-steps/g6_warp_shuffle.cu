/// @file
/// g6: the sum of g5 with fewer barriers. The lanes of a warp hand each other their registers; only the sums
/// of the warps pass through shared memory. Before: g5. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;  // of a block
constexpr int warps = threads / 32;
constexpr unsigned all_lanes = 0xffffffff;

/// Adds `mine` over the lanes of a warp.
/// @return the sum in lane 0; other lanes get something else.
__device__ double add_lanes(double mine) {
  // BEGIN SOLUTION Five times: add what the lane 16, 8, 4, 2, 1 further has.
  //  __shfl_down_sync(all_lanes, mine, 16) is the value of `mine` in that lane. All 32 lanes must call it.
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(all_lanes, mine, distance);
  // END SOLUTION
  return mine;
}

/// A block adds row blockIdx.x.
__global__ void sum_row(int columns,
                        const float* A,  // rows x columns
                        double* sum) {   // rows
  __shared__ double part[warps];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const float* row = A + std::size_t(blockIdx.x) * columns;

  // BEGIN SOLUTION Add this thread's share as in g5, then the lanes of each warp. Lane 0 of each warp leaves
  //  its sum in part. After a barrier the first warp adds these, and its lane 0 stores the sum.
  double mine = 0;
  for (int j = t; j < columns; j += threads) mine += row[j];
  mine = add_lanes(mine);
  if (lane == 0) part[warp] = mine;
  // The first warp reads what the other seven leave.
  __syncthreads();
  if (warp > 0) return;

  mine = add_lanes(lane < warps ? part[lane] : 0.0);  // all 32 lanes take part, though 24 have nothing
  if (lane == 0) sum[blockIdx.x] = mine;
  // END SOLUTION
}

}  // namespace

/// Adds each row of the image.
/// @throws ladder::Error when the device refuses the launch.
void warp_shuffle(const Problem& p) {
  // BEGIN SOLUTION Launch one block for each row, and check the launch.
  //| ladder::task();  // Delete this line when you start.
  sum_row<<<p.rows, threads>>>(p.columns, p.A, p.sum);
  ladder::check(cudaGetLastError());
  // END SOLUTION
}

}  // namespace first_steps
