/// @file
/// g6: column blocks. In g5 each entry of the matrix needs an element of the vector from wherever its column
/// is, and with it a sector of which it uses a quarter. Here a block keeps one piece of the vector in shared
/// memory after the other, and multiplies the entries of its rows whose columns are in that piece. Before:
/// g5, one graph. Source: none.

#include <optional>

#include "column_pieces.cuh"
#include "common/device/cuda.hpp"
#include "common/device/cuda_graph.hpp"
#include "problem.hpp"

namespace npb_cg {
namespace {

constexpr int block_threads = 256;     // of kernels for vectors
constexpr int product_threads = 1024;  // of products

/// Blocks with a thread for each of n elements.
int blocks_for(int n) {
  return up(n, block_threads);
}

/// Adds the values of all threads of the block to *sum, by one atomic addition.
__device__ void add_block(double value, double* sum) {  // 1
  __shared__ double parts[product_threads / 32];
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < blockDim.x / 32; ++warp) value += parts[warp];
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

/// A lane's share of a row in a piece of the vector.
/// @param begin  this lane's first entry
/// @param end    behind the row's last entry in the piece
/// @param first  the first column of the piece
__device__ double share_of([[maybe_unused]] int begin, [[maybe_unused]] int end,
                           [[maybe_unused]] const int* columns,
                           [[maybe_unused]] const double* values,  // nnz each
                           [[maybe_unused]] const double* piece, [[maybe_unused]] int first) {  // length
  double sum = 0;
  // TASK, 10 lines: Entries begin, begin + lanes, …: load `at_once` of them, then multiply them.
  //  All loads are in flight before the first product waits for one. Which are past the end?
  ladder::task();  // Delete this line when you start.
  return sum;
}

/// A v for the rows of this block.
/// @return their sums, in shared memory, for all threads of the block
__device__ const double* times(Division v, const int* bounds,             // (pieces + 1) x n
                               const int* columns, const double* values,  // nnz each
                               const double* vector) {                    // n
  extern __shared__ double shared[];
  [[maybe_unused]] double *const piece = shared, *const sums = shared + v.length;
  const int begin = blockIdx.x * v.rows, end = min(v.n, begin + v.rows);
  const int lane = threadIdx.x % lanes, group = threadIdx.x / lanes;
  for (int i = threadIdx.x; i < v.rows; i += product_threads) sums[i] = 0;
  for (int now = 0; now < v.pieces; ++now) {
    const int first = now * v.length;
    // TASK, 4 lines: The block copies the piece that begins at column `first`.
    //  Who may still read the piece before, and who must not read this one yet? The last piece may be
    //  shorter.
    ladder::task();  // Delete this line when you start.
    for (int base = begin; base < end; base += product_threads / lanes) {
      const int i = base + group;  // the row of these lanes
      const int* const bound = bounds + (long long)(now)*v.n + i;
      double sum = i < end ? share_of(bound[0] + lane, bound[v.n], columns, values, piece, first) : 0;
      for (int other = lanes / 2; other > 0; other /= 2) sum += __shfl_down_sync(~0u, sum, other, lanes);
      if (i < end && lane == 0) sums[i - begin] += sum;
    }
  }
  __syncthreads();
  return sums;
}

/// q = A d; adds d . q to *sum.
__global__ void __launch_bounds__(product_threads)
    multiply(Division v, const int* bounds,             // (pieces + 1) x n
             const int* columns, const double* values,  // nnz each
             const double* d, double* q,                // n each
             double* sum) {                             // 1; zero
  const double* const rows = times(v, bounds, columns, values, d);
  const int begin = blockIdx.x * v.rows, end = min(v.n, begin + v.rows);
  double part = 0;
  for (int i = begin + int(threadIdx.x); i < end; i += product_threads) {
    q[i] = rows[i - begin];
    part += d[i] * rows[i - begin];
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
__global__ void __launch_bounds__(product_threads)
    measure(Division v, const int* bounds,             // (pieces + 1) x n
            const int* columns, const double* values,  // nnz each
            const double* x, const double* z,          // n each
            double* sum) {                             // 1; zero
  const double* const rows = times(v, bounds, columns, values, z);
  const int begin = blockIdx.x * v.rows, end = min(v.n, begin + v.rows);
  double part = 0;
  for (int i = begin + int(threadIdx.x); i < end; i += product_threads) {
    const double difference = x[i] - rows[i - begin];
    part += difference * difference;
  }
  add_block(part, sum);
}

__global__ void take_root(const double* sum, double* norm) {  // 1 each
  *norm = sqrt(*sum);
}

/// Puts a call's work into the stream. The matrix may have changed since the last call, so it is divided
/// again.
/// @param bounds  (v.pieces + 1) x v.n, on the device
/// @throws ladder::Error when the device refuses a launch.
void enqueue(const Problem& p, Division v, int* bounds, cudaStream_t stream) {
  const int blocks = blocks_for(p.n);
  const std::size_t shared = v.shared_bytes();
  double* sum = p.sums;  // the next one that is still zero
  ladder::check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums, stream));
  divide<<<blocks, block_threads, 0, stream>>>(v, p.row_start, p.columns, bounds);
  ladder::check(cudaGetLastError());
  double* rho = sum++;
  start<<<blocks, block_threads, 0, stream>>>(p.n, p.x, p.z, p.r, p.d, rho);
  ladder::check(cudaGetLastError());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double* const dq = sum++;
    multiply<<<v.blocks, product_threads, shared, stream>>>(v, bounds, p.columns, p.values, p.d, p.q, dq);
    ladder::check(cudaGetLastError());
    const double* const before = rho;
    rho = sum++;
    advance<<<blocks, block_threads, 0, stream>>>(p.n, before, dq, p.d, p.q, p.z, p.r, rho);
    ladder::check(cudaGetLastError());
    turn<<<blocks, block_threads, 0, stream>>>(p.n, rho, before, p.r, p.d);
    ladder::check(cudaGetLastError());
  }
  measure<<<v.blocks, product_threads, shared, stream>>>(v, bounds, p.columns, p.values, p.x, p.z, sum);
  ladder::check(cudaGetLastError());
  take_root<<<1, 1, 0, stream>>>(sum, p.norm);
  ladder::check(cudaGetLastError());
}

/// A graph of a call's work, ready to be launched.
/// @param bounds  (v.pieces + 1) x v.n, on the device
/// @throws ladder::Error when the device refuses a call.
ladder::GraphExec record(const Problem& p, Division v, int* bounds) {
  for (const auto kernel : {reinterpret_cast<const void*>(multiply), reinterpret_cast<const void*>(measure)})
    ladder::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(v.shared_bytes())));
  const ladder::Stream recording;  // the default stream cannot be captured
  ladder::check(cudaStreamBeginCapture(recording.get(), cudaStreamCaptureModeThreadLocal));
  enqueue(p, v, bounds, recording.get());
  cudaGraph_t captured = nullptr;
  ladder::check(cudaStreamEndCapture(recording.get(), &captured));
  const ladder::Graph graph(captured);
  cudaGraphExec_t ready = nullptr;
  ladder::check(cudaGraphInstantiate(&ready, graph.get(), 0));
  return ladder::GraphExec(ready);
}

/// A graph, and the arguments that it repeats.
struct Recorded {
  Problem problem;
  const int* bounds;
  ladder::GraphExec executable;
};

}  // namespace

/// 25 iterations, and the norm of what is left.
/// @throws ladder::Error when the device refuses a call, or has too little memory.
void column_blocks(const Problem& p) {
  static std::optional<Recorded> recorded;  // by the latest call that needed a new graph
  const Division v = division_of(p);
  // As a rule the pool gives a call the memory that the call before has returned.
  const ladder::PooledBuffer<int> bounds(std::size_t(v.pieces + 1) * v.n);
  if (!recorded || recorded->problem != p || recorded->bounds != bounds.get())
    recorded = Recorded{p, bounds.get(), record(p, v, bounds.get())};
  ladder::check(cudaGraphLaunch(recorded->executable.get(), nullptr));
}

}  // namespace npb_cg
