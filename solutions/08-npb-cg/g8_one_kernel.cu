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
__device__ void load_entries(const Problem& p, const Share& rows) {
  // BEGIN SOLUTION Entry e of the block is entry rows.first + e of the matrix. How many are there?
  //| [[maybe_unused]] p, rows;
  const int count = min(rows.room.entries, p.row_start[rows.end] - rows.first);
  for (int e = threadIdx.x; e < count; e += block_threads) {
    rows.values[e] = p.values[rows.first + e];
    rows.columns[e] = p.columns[rows.first + e];
  }
  // END SOLUTION
}

/// Copies the vector of all rows, if there is room.
/// @return what the block multiplies by
__device__ const double* load_vector(const Share& rows, const double* vector) {  // n
  if (rows.room.elements == 0) return vector;
  // BEGIN SOLUTION All threads copy, and each warp reads what others have copied.
  //| [[maybe_unused]] vector;
  for (int j = threadIdx.x; j < rows.room.elements; j += block_threads)
    __pipeline_memcpy_async(&rows.vector[j], &vector[j], sizeof(double));
  __pipeline_commit();
  __pipeline_wait_prior(0);  // this thread's copies have arrived
  __syncthreads();           // so have all others'
  // END SOLUTION
  return rows.vector;
}

/// Row i of A v by one warp: the sum, in lane 0.
__device__ double row_times(int i, const Problem& p, const Share& rows, const double* v) {  // n
  const int* const row_start = rows.row_start + (i - rows.begin);
  const int begin = row_start[0] - rows.first;
  const int end = row_start[1] - rows.first;
  // BEGIN SOLUTION sum_of, with the entries in shared memory if all of the row's are there.
  //| [[maybe_unused]] p, v, begin, end;
  //| return 0;
  if (end <= rows.room.entries) return sum_of(begin, end, rows.columns, rows.values, v);
  return sum_of(begin, end, p.columns + rows.first, p.values + rows.first, v);
  // END SOLUTION
}

/// d = r + beta d, q = A r + beta q, which is A d. @return this thread's part of d . q
__device__ double turn(const Problem& p, const Share& rows,  // of this block
                       double rho, double before) {          // beta is their ratio
  const double* const v = load_vector(rows, p.r);
  const double beta = ratio(rho, before);  // only here: the copy does not wait for the two numbers
  double part = 0;
  for (int i = rows.begin + int(threadIdx.x / 32); i < rows.end; i += warps) {
    const double row = row_times(i, p, rows, v);
    // BEGIN SOLUTION Lane 0 has row i of A r: it makes this row's new elements of d and q, and a part of d .
    //  q.
    //| [[maybe_unused]] row, beta;
    if (threadIdx.x % 32 == 0) {
      double &d = rows.d[i - rows.begin], &q = rows.q[i - rows.begin];
      d = rows.r[i - rows.begin] + beta * d;
      q = row + beta * q;
      part += d * q;
    }
    // END SOLUTION
  }
  return part;
}

/// z += alpha d, r -= alpha q with alpha = rho / (d . q). @return this thread's part of r . r
__device__ double advance(const Problem& p, const Share& rows, double alpha) {
  double part = 0;
  // BEGIN SOLUTION The threads of the block share its rows. Who needs the new r?
  //| [[maybe_unused]] p, rows, alpha;
  for (int i = rows.begin + int(threadIdx.x); i < rows.end; i += block_threads) {
    const int at = i - rows.begin;
    rows.z[at] += alpha * rows.d[at];
    const double left = rows.r[at] - alpha * rows.q[at];
    p.r[i] = rows.r[at] = left;
    part += left * left;
  }
  // END SOLUTION
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
  const double* before = sum++;  // stays 0
  double* rho = sum++;
  add_block(start(p, rows), rho);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double* const dq = sum++;
    // BEGIN SOLUTION turn with beta, then advance with alpha: add_block adds up dq and the next rho.
    //  What does each of the two read that other blocks write? grid.sync() waits for all of them.
    //| [[maybe_unused]] before, dq;
    grid.sync();  // r of all blocks is stored, and rho is complete
    add_block(turn(p, rows, *rho, *before), dq);
    grid.sync();  // dq is complete, and nobody multiplies by r any more
    before = rho;
    rho = sum++;
    add_block(advance(p, rows, ratio(*before, *dq)), rho);
    // END SOLUTION
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
  Room room = room_in(shared - warps * sizeof(double), p, blocks);  // the rest is add_block's
  ladder::check(cudaFuncSetAttribute(solve, cudaFuncAttributeMaxDynamicSharedMemorySize, int(room.bytes())));
  ladder::check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums));
  // BEGIN SOLUTION Launch `solve` so that all its blocks are resident at once, or are refused.
  //  cudaLaunchCooperativeKernel(kernel, grid, block, arguments, bytes of shared memory): `arguments` is an
  //  array of void*, each the address of one argument.
  //| ladder::task();  // Delete this line when you start.
  //| [[maybe_unused]] room;
  Problem problem = p;
  void* arguments[] = {&problem, &room};
  // An ordinary launch would let blocks begin that wait for others which find no place: forever.
  ladder::check(cudaLaunchCooperativeKernel(solve, blocks, block_threads, arguments, room.bytes()));
  // END SOLUTION
}

}  // namespace npb_cg
