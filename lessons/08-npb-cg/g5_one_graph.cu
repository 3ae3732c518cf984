/// @file
/// g5: one graph. All launches of a call are recorded once, and one call of the host starts them. The graph
/// is kept: NPB solves 15 or 75 times with the same arrays, and only their contents change. Before: g4, three
/// launches per iteration. Source: none.

#include <optional>

#include "common/device/cuda.hpp"
#include "common/device/cuda_graph.hpp"
#include "problem.hpp"

namespace npb_cg {
namespace {

constexpr int block_threads = 256;

/// Blocks with a thread for each of n elements.
int blocks_for(int n) {
  return (n + block_threads - 1) / block_threads;
}

/// Blocks with a warp for each of n rows.
int blocks_for_rows(int n) {
  return (n + block_threads / 32 - 1) / (block_threads / 32);
}

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

/// z = 0, r = d = x; adds x . x to *sum.
__global__ void start(int n, const double* x, double* z, double* r, double* d,  // n each
                      double* sum) {                                            // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double value = i < n ? x[i] : 0;
  if (i < n) z[i] = 0, r[i] = d[i] = value;
  add_block(value * value, sum);
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

/// q = A d; adds d . q to *sum.
__global__ void multiply(int n, const int* row_start,               // n + 1
                         const int* columns, const double* values,  // nnz
                         const double* d, double* q,                // n each
                         double* sum) {                             // 1; zero
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  double part = 0;
  if (i < n) {  // the whole warp
    const double row = row_times(i, row_start, columns, values, d);
    if (lane == 0) {
      q[i] = row;
      part = d[i] * row;
    }
  }
  add_block(part, sum);
}

/// z += alpha d, r -= alpha q; adds r . r to *sum.
__global__ void advance(int n, const double* rho, const double* dq,  // 1 each
                        const double* d, const double* q,            // n each
                        double* z, double* r,                        // n each
                        double* sum) {                               // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double part = 0;
  if (i < n) {
    const double alpha = *dq == 0 ? 0 : *rho / *dq;
    z[i] += alpha * d[i];
    const double left = r[i] - alpha * q[i];
    r[i] = left;
    part = left * left;
  }
  add_block(part, sum);
}

/// d = r + beta d.
__global__ void turn(int n, const double* rho, const double* before,  // 1 each; rho, and the one before it
                     const double* r, double* d) {                    // n each
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double beta = *before == 0 ? 0 : *rho / *before;
  d[i] = r[i] + beta * d[i];
}

/// Adds ||x - A z||^2 to *sum.
__global__ void measure(int n, const int* row_start,               // n + 1
                        const int* columns, const double* values,  // nnz
                        const double* x, const double* z,          // n each
                        double* sum) {                             // 1; zero
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const double row = i < n ? row_times(i, row_start, columns, values, z) : 0;
  const double difference = i < n && threadIdx.x % 32 == 0 ? x[i] - row : 0;
  add_block(difference * difference, sum);
}

__global__ void take_root(const double* sum, double* norm) {  // 1 each
  *norm = sqrt(*sum);
}

/// Puts a call's work into the stream.
/// @throws ladder::Error when the device refuses a launch.
void enqueue(const Problem& p, cudaStream_t stream) {
  const int blocks = blocks_for(p.n), row_blocks = blocks_for_rows(p.n);
  double* sum = p.sums;  // the next one that is still zero
  ladder::check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums, stream));
  double* rho = sum++;
  start<<<blocks, block_threads, 0, stream>>>(p.n, p.x, p.z, p.r, p.d, rho);
  ladder::check(cudaGetLastError());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double* const dq = sum++;
    multiply<<<row_blocks, block_threads, 0, stream>>>(p.n, p.row_start, p.columns, p.values, p.d, p.q, dq);
    ladder::check(cudaGetLastError());
    const double* const before = rho;
    rho = sum++;
    advance<<<blocks, block_threads, 0, stream>>>(p.n, before, dq, p.d, p.q, p.z, p.r, rho);
    ladder::check(cudaGetLastError());
    turn<<<blocks, block_threads, 0, stream>>>(p.n, rho, before, p.r, p.d);
    ladder::check(cudaGetLastError());
  }
  measure<<<row_blocks, block_threads, 0, stream>>>(p.n, p.row_start, p.columns, p.values, p.x, p.z, sum);
  ladder::check(cudaGetLastError());
  take_root<<<1, 1, 0, stream>>>(sum, p.norm);
  ladder::check(cudaGetLastError());
}

/// A graph of a call's work, ready to be launched.
/// @throws ladder::Error when the device refuses a call.
ladder::GraphExec record(const Problem& p) {
  const ladder::Stream recording;  // the default stream cannot be captured
  // TASK, 8 lines: Capture what `enqueue` puts into the stream, and make an executable graph of it.
  //  cudaStreamBeginCapture(stream, mode), with the mode cudaStreamCaptureModeThreadLocal: launches into the
  //  stream are recorded and do not run. cudaStreamEndCapture(stream, &captured) gives a cudaGraph_t, of
  //  which cudaGraphInstantiate(&ready, captured, 0) makes a cudaGraphExec_t. ladder::Graph and
  //  ladder::GraphExec own the two.
  ladder::task();  // Delete this line when you start.
  enqueue(p, recording.get());
  return ladder::GraphExec(nullptr);
}

/// A graph, and the arguments that it repeats.
struct Recorded {
  Problem problem;
  ladder::GraphExec executable;
};

}  // namespace

/// 25 iterations, and the norm of what is left.
/// @throws ladder::Error when the device refuses a call.
void one_graph(const Problem& p) {
  static std::optional<Recorded> recorded;  // by the latest call that needed a new graph
  // TASK, 2 lines: Launch the graph with cudaGraphLaunch(executable, stream), in the default stream.
  //  A graph repeats the arguments that were captured. When is the one of an earlier call good for this call,
  //  and when must a new one be recorded?
  ladder::task();  // Delete this line when you start.
}

}  // namespace npb_cg
