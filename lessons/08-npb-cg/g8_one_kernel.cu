/// @file
/// g8: one kernel. Between two kernels of g5's graph all blocks end, and others begin: they read their vectors
/// from memory, and leave them there. Here the blocks stay from the first iteration to the last, keep d and q
/// of their rows in shared memory, and wait for each other at grid.sync(). The product takes r instead of d, so
/// that two waits per iteration are enough. Before: g5, one graph. Source: P. Eller and W. Gropp, Scalable
/// non-blocking preconditioned conjugate gradient methods, 2016, have the order of an iteration.

#include <cooperative_groups.h>

#include <algorithm>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_cg {
namespace {

constexpr int block_threads = 1024;

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

/// Row i of A v by one warp: the sum, in lane 0.
__device__ double row_times(int i, const int* row_start,               // n + 1
                            const int* columns, const double* values,  // nnz
                            const double* v) {                         // n
  double sum = 0;
  for (int k = row_start[i] + int(threadIdx.x % 32); k < row_start[i + 1]; k += 32)
    sum += values[k] * v[columns[k]];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
  return sum;
}

/// a / b, as the contract has it.
__device__ double ratio(double a, double b) {
  return b == 0 ? 0 : a / b;
}

/// The rows of a block, and where d and q of these are: element i is at i - begin.
struct Share {
  int begin, end;
  double *d, *q;  // in shared memory, or in p.d and p.q if that is too small
};

__device__ Share share_of(const Problem& p, bool on_chip) {
  extern __shared__ double shared[];
  const int rows = (p.n + gridDim.x - 1) / gridDim.x, begin = min(p.n, int(blockIdx.x) * rows);
  return {begin, min(p.n, begin + rows), on_chip ? shared : p.d + begin,
          on_chip ? shared + rows : p.q + begin};
}

/// z = d = q = 0, r = x. @return this thread's part of r . r
__device__ double start(const Problem& p, const Share& rows) {
  double part = 0;
  for (int i = rows.begin + int(threadIdx.x); i < rows.end; i += block_threads) {
    const double value = p.x[i];
    p.z[i] = rows.d[i - rows.begin] = rows.q[i - rows.begin] = 0;
    p.r[i] = value;
    part += value * value;
  }
  return part;
}

/// d = r + beta d, q = A r + beta q, which is A d. @return this thread's part of d . q
__device__ double turn(const Problem& p, const Share& rows, [[maybe_unused]] double beta) {
  double part = 0;
  for (int i = rows.begin + int(threadIdx.x / 32); i < rows.end; i += block_threads / 32) {
    [[maybe_unused]] const double row = row_times(i, p.row_start, p.columns, p.values, p.r);
    // TASK, 6 lines: Lane 0 has row i of A r: it makes this row's new elements of d and q, and a part of d . q.
  }
  return part;
}

/// z += alpha d, r -= alpha q. @return this thread's part of r . r
__device__ double advance([[maybe_unused]] const Problem& p, [[maybe_unused]] const Share& rows,  // of this block
                          [[maybe_unused]] double alpha) {                       // rho / (d . q)
  double part = 0;
  // TASK, 6 lines: The threads of the block share its rows, of which there may be more than threads.
  return part;
}

/// This thread's part of ||x - A z||^2.
__device__ double squares(const Problem& p, const Share& rows) {
  double part = 0;
  for (int i = rows.begin + int(threadIdx.x / 32); i < rows.end; i += block_threads / 32) {
    const double row = row_times(i, p.row_start, p.columns, p.values, p.z);
    const double difference = threadIdx.x % 32 == 0 ? p.x[i] - row : 0;
    part += difference * difference;
  }
  return part;
}

/// All iterations, and the norm. All blocks are resident.
__global__ void __launch_bounds__(block_threads) solve(Problem p, bool on_chip) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const Share rows = share_of(p, on_chip);
  double* sum = p.sums;          // the next one that is still zero
  [[maybe_unused]] const double* before = sum++;  // stays 0
  double* rho = sum++;
  add_block(start(p, rows), rho);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    [[maybe_unused]] double* const dq = sum++;
    // TASK, 6 lines: turn with beta, then advance with alpha: add_block adds up dq and the next rho.
    //  What does each of the two read that other blocks write? grid.sync() waits for all of them.
  }
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
  const int blocks = std::min(multiprocessors, p.n), rows = (p.n + blocks - 1) / blocks;
  [[maybe_unused]] const std::size_t vectors = 2 * rows * sizeof(double);  // d and q
  // Half of it stays for the first-level cache, through which the matrix comes.
  [[maybe_unused]] bool on_chip = vectors <= std::size_t(shared) / 2;
  ladder::check(cudaFuncSetAttribute(solve, cudaFuncAttributeMaxDynamicSharedMemorySize, shared / 2));
  ladder::check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums));
  // TASK, 3 lines: Launch `solve` so that all its blocks are resident at once, or are refused.
  //  cudaLaunchCooperativeKernel(kernel, grid, block, arguments, bytes of shared memory): `arguments` is an
  //  array of void*, each the address of one argument.
  ladder::task();  // Delete this line when you start.
}

}  // namespace npb_cg
