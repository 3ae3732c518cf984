/// @file
/// g8: one kernel, and the matrix stays on the chip. Between two kernels of g5's graph all blocks end, and
/// others begin: whatever they had in shared memory is gone, so each product loads the matrix again. Here the
/// blocks stay from the first iteration to the last, keep entries and vectors of their rows in shared memory,
/// and wait for each other at grid.sync(). The product takes r instead of d, so that two waits per iteration
/// are enough. Before: g5, one graph. Source: P. Eller and W. Gropp, Scalable non-blocking preconditioned
/// conjugate gradient methods, 2016, have the order of an iteration.

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>

#include <algorithm>

#include "common/device/cuda.hpp"
#include "problem.hpp"
#include "resident_rows.cuh"

namespace npb_cg {
namespace {

/// Adds the values of all threads of the block to *sum, by one atomic addition.
__device__ void add_block(double value, double* sum) {  // 1
  __shared__ double parts[block_threads / 32];
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < block_threads / 32; ++warp) value += parts[warp];
  atomicAdd(sum, value);
}

/// Copies the entries of the block's rows, as many as there is room for.
__device__ void load_entries([[maybe_unused]] const Problem& p, [[maybe_unused]] const Share& rows) {
  // TASK, 5 lines: Entry e of the block is entry rows.first + e of the matrix. How many are there?
}

/// Copies the vector of all rows, if there is room.
/// @return what the block multiplies by
__device__ const double* load_vector(const Share& rows, [[maybe_unused]] const double* vector) {  // n
  if (rows.room.elements == 0) return vector;
  // TASK, 5 lines: All threads copy, and each warp reads what others have copied.
  return rows.vector;
}

/// Row i of A v by one warp: the sum, in lane 0.
__device__ double row_times(int i, [[maybe_unused]] const Problem& p, const Share& rows,
                            [[maybe_unused]] const double* v) {  // n
  const int* const row_start = rows.row_start + (i - rows.begin);
  [[maybe_unused]] const int begin = row_start[0] - rows.first;
  [[maybe_unused]] const int end = row_start[1] - rows.first;
  // TASK, 2 lines: sum_of, with the entries in shared memory if all of the row's are there.
  return 0;
}

/// d = r + beta d, q = A r + beta q, which is A d. @return this thread's part of d . q
__device__ double turn(const Problem& p, const Share& rows,  // of this block
                       double rho, double before) {          // beta is their ratio
  const double* const v = load_vector(rows, p.r);
  // only here: the copy does not wait for the two numbers
  [[maybe_unused]] const double beta = ratio(rho, before);
  double part = 0;
  for (int i = rows.begin + int(threadIdx.x / 32); i < rows.end; i += warps) {
    [[maybe_unused]] const double row = row_times(i, p, rows, v);
    // TASK, 6 lines: Lane 0 has row i of A r: it makes this row's new elements of d and q, and a part of d .
    //  q.
  }
  return part;
}

/// z += alpha d, r -= alpha q with alpha = rho / (d . q). @return this thread's part of r . r
__device__ double advance([[maybe_unused]] const Problem& p, [[maybe_unused]] const Share& rows,
                          [[maybe_unused]] double alpha) {
  double part = 0;
  // TASK, 7 lines: The threads of the block share its rows. Who needs the new r?
  return part;
}

/// This thread's part of ||x - A z||^2.
__device__ double squares(const Problem& p, const Share& rows) {
  const double* const v = load_vector(rows, p.z);
  double part = 0;
  for (int i = rows.begin + int(threadIdx.x / 32); i < rows.end; i += warps) {
    const double row = row_times(i, p, rows, v);
    const double difference = threadIdx.x % 32 == 0 ? p.x[i] - row : 0;
    part += difference * difference;
  }
  return part;
}

/// All iterations, and the norm. All blocks are resident.
__global__ void __launch_bounds__(block_threads) solve(Problem p, Room room) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const Share rows = share_of(p, room);
  load_entries(p, rows);
  double* sum = p.sums;          // the next one that is still zero
  [[maybe_unused]] const double* before = sum++;  // stays 0
  double* rho = sum++;
  add_block(start(p, rows), rho);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    [[maybe_unused]] double* const dq = sum++;
    // TASK, 6 lines: turn with beta, then advance with alpha: add_block adds up dq and the next rho.
    //  What does each of the two read that other blocks write? grid.sync() waits for all of them.
  }
  for (int i = rows.begin + int(threadIdx.x); i < rows.end; i += block_threads)
    p.z[i] = rows.z[i - rows.begin];
  grid.sync();  // z of all blocks is stored
  add_block(squares(p, rows), sum);
  grid.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) *p.norm = sqrt(*sum);
}

}  // namespace

/// 25 iterations, and the norm of what is left.
/// @throws ladder::Error when the device refuses a call.
void one_kernel(const Problem& p) {
  int device = 0, multiprocessors = 0, shared = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  ladder::check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  // One block on each multiprocessor: a wait takes longer with more of them.
  const int blocks = std::min(multiprocessors, p.n);
  // the rest is add_block's
  [[maybe_unused]] Room room = room_in(shared - warps * sizeof(double), p, blocks);
  ladder::check(cudaFuncSetAttribute(solve, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room.bytes())));
  ladder::check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums));
  // TASK, 3 lines: Launch `solve` so that all its blocks are resident at once, or are refused.
  //  cudaLaunchCooperativeKernel(kernel, grid, block, arguments, bytes of shared memory): `arguments` is an
  //  array of void*, each the address of one argument.
  ladder::task();  // Delete this line when you start.
}

}  // namespace npb_cg
