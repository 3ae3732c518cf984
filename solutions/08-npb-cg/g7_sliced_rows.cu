/// @file
/// g7: the matrix in the order in which a product reads it. In g6 a row's entries in a piece begin anywhere
/// in a sector, lanes beyond the last of them have none, and each row waits for its bounds first. Here a call
/// sorts the rows of a block by length and rewrites the matrix in slices of eight rows, which a warp reads
/// from one end to the other; a column within a piece takes 16 bits. Before: g6, column blocks. Source: none;
/// sliced ELLPACK (Kreutzer and others, 2014) does this without pieces.

#include <optional>

#include "common/device/cuda.hpp"
#include "common/device/cuda_graph.hpp"
#include "problem.hpp"
#include "sliced_pieces.cuh"

namespace npb_cg {
namespace {

constexpr int block_threads = 256;     // of kernels for vectors
constexpr int product_threads = 1024;  // of products
constexpr int warps = product_threads / warp_lanes;
constexpr int steps_at_once = 8;  // that a lane loads before it multiplies

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

/// Writes the entries of each row where a product reads them. Grid: the blocks of a product x pieces.
__global__ void fill(Division v, const int* bounds,             // (pieces + 1) x n
                     const int* columns, const double* values,  // nnz each
                     Slices slices) {
  const int begin = blockIdx.x * v.rows, rows = min(v.rows, v.n - begin);
  const int* const starts = slices.starts_of(blockIdx.x, blockIdx.y);
  const std::uint16_t* const order = slices.order_of(blockIdx.x, blockIdx.y);
  const int lane = threadIdx.x % warp_lanes;
  for (int slice = threadIdx.x / warp_lanes; slice < slices.per_part; slice += warps) {
    // This lane's first entry. Places behind the last row have none.
    const int place = slice * slice_rows + lane / row_lanes;
    int k = 0;
    int end = 0;
    if (place < rows) {
      const int* const bound = bounds + (long long)(blockIdx.y) * v.n + begin + order[place];
      k = bound[0] + lane % row_lanes, end = bound[v.n];
    }
    // BEGIN SOLUTION In each step a lane moves an entry, or 0 if its row has no more. Where does it go?
    //  Columns count from the first of the piece, blockIdx.y * v.length.
    //| ladder::task();  // Delete this line when you start.
    //| [[maybe_unused]] starts, columns, values, k, end;
    for (int step = starts[slice]; step < starts[slice + 1]; ++step, k += row_lanes) {
      const std::size_t to = std::size_t(step) * warp_lanes + lane;
      slices.values[to] = k < end ? values[k] : 0;
      slices.columns[to] = k < end ? columns[k] - blockIdx.y * v.length : 0;
    }
    // END SOLUTION
  }
}

/// A lane's share of a slice.
/// @param begin  the first step
/// @param end    behind the last one
__device__ double share_of(int begin, int end, const std::uint16_t* columns,
                           const double* values,   // 32 x steps
                           const double* piece) {  // length
  const int lane = threadIdx.x % warp_lanes;
  double sum = 0;
  // BEGIN SOLUTION Load this lane's entries of `steps_at_once` steps, then multiply them.
  //  The last steps may be fewer.
  //| ladder::task();  // Delete this line when you start.
  //| [[maybe_unused]] begin, end, columns, values, piece, lane;
  for (int first = begin; first < end; first += steps_at_once) {
    int column[steps_at_once];
    double value[steps_at_once];
    for (int e = 0; e < steps_at_once; ++e) {
      const std::size_t k = std::size_t(first + e) * warp_lanes + lane;
      column[e] = first + e < end ? columns[k] : 0;
      value[e] = first + e < end ? values[k] : 0;
    }
    for (int e = 0; e < steps_at_once; ++e) sum += value[e] * piece[column[e]];
  }
  // END SOLUTION
  return sum;
}

/// A v for the rows of this block.
/// @return their sums, in shared memory, for all threads of the block
__device__ const double* times(Division v, const Slices& slices, const double* vector) {  // n
  extern __shared__ double shared[];
  double *const piece = shared, *const sums = shared + v.length;
  const int rows = min(v.rows, v.n - int(blockIdx.x) * v.rows);
  const int lane = threadIdx.x % warp_lanes;
  for (int i = threadIdx.x; i < v.rows; i += product_threads) sums[i] = 0;
  for (int now = 0; now < v.pieces; ++now) {
    const int first = now * v.length;
    __syncthreads();
    for (int j = threadIdx.x; j < min(v.length, v.n - first); j += product_threads)
      piece[j] = vector[first + j];
    __syncthreads();
    const int* const starts = slices.starts_of(blockIdx.x, now);
    const std::uint16_t* const order = slices.order_of(blockIdx.x, now);
    for (int slice = threadIdx.x / warp_lanes; slice < slices.per_part; slice += warps) {
      double sum = share_of(starts[slice], starts[slice + 1], slices.columns, slices.values, piece);
      // BEGIN SOLUTION Four lanes add up what a row has here, and the first of them adds it to the row's sum.
      //  Which row of the block is it? Not every place of the last slice has one.
      //| ladder::task();  // Delete this line when you start.
      //| [[maybe_unused]] order, sum, rows, lane;
      for (int other = row_lanes / 2; other > 0; other /= 2)
        sum += __shfl_down_sync(~0u, sum, other, row_lanes);
      const int place = slice * slice_rows + lane / row_lanes;
      if (place < rows && lane % row_lanes == 0) sums[order[place]] += sum;
      // END SOLUTION
    }
  }
  __syncthreads();
  return sums;
}

/// q = A d; adds d . q to *sum.
__global__ void __launch_bounds__(product_threads)
    multiply(Division v, Slices slices, const double* d, double* q,  // n each
             double* sum) {                                          // 1; zero
  const double* const rows = times(v, slices, d);
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
    measure(Division v, Slices slices, const double* x, const double* z,  // n each
            double* sum) {                                                // 1; zero
  const double* const rows = times(v, slices, z);
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

/// Puts the iterations of a call into the stream. The matrix may have changed since the last call, so its
/// slices are filled again.
/// @param bounds  (v.pieces + 1) x v.n, on the device
/// @throws ladder::Error when the device refuses a launch.
void enqueue(const Problem& p, Division v, const int* bounds, const Slices& slices, cudaStream_t stream) {
  const int blocks = blocks_for(p.n);
  const std::size_t shared = v.shared_bytes();
  double* sum = p.sums;  // the next one that is still zero
  ladder::check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums, stream));
  fill<<<dim3(v.blocks, v.pieces), product_threads, 0, stream>>>(v, bounds, p.columns, p.values, slices);
  ladder::check(cudaGetLastError());
  double* rho = sum++;
  start<<<blocks, block_threads, 0, stream>>>(p.n, p.x, p.z, p.r, p.d, rho);
  ladder::check(cudaGetLastError());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double* const dq = sum++;
    multiply<<<v.blocks, product_threads, shared, stream>>>(v, slices, p.d, p.q, dq);
    ladder::check(cudaGetLastError());
    const double* const before = rho;
    rho = sum++;
    advance<<<blocks, block_threads, 0, stream>>>(p.n, before, dq, p.d, p.q, p.z, p.r, rho);
    ladder::check(cudaGetLastError());
    turn<<<blocks, block_threads, 0, stream>>>(p.n, rho, before, p.r, p.d);
    ladder::check(cudaGetLastError());
  }
  measure<<<v.blocks, product_threads, shared, stream>>>(v, slices, p.x, p.z, sum);
  ladder::check(cudaGetLastError());
  take_root<<<1, 1, 0, stream>>>(sum, p.norm);
  ladder::check(cudaGetLastError());
}

/// A graph of a call's work, ready to be launched.
/// @param bounds  (v.pieces + 1) x v.n, on the device
/// @throws ladder::Error when the device refuses a call.
ladder::GraphExec record(const Problem& p, Division v, const int* bounds, const Slices& slices) {
  for (const auto kernel : {reinterpret_cast<const void*>(multiply), reinterpret_cast<const void*>(measure)})
    ladder::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(v.shared_bytes())));
  const ladder::Stream recording;  // the default stream cannot be captured
  ladder::check(cudaStreamBeginCapture(recording.get(), cudaStreamCaptureModeThreadLocal));
  enqueue(p, v, bounds, slices, recording.get());
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
  Slices slices;
  ladder::GraphExec executable;
};

}  // namespace

/// 25 iterations, and the norm of what is left.
/// @throws ladder::Error when the device refuses a call, or has too little memory.
void sliced_rows(const Problem& p) {
  static std::optional<Recorded> recorded;  // by the latest call that needed a new graph
  const Division v = division_of(p);
  // As a rule the pool gives a call the memory that the call before has returned.
  const Layout layout(p, v);
  const int* const bounds = layout.bounds.get();
  if (!recorded || recorded->problem != p || recorded->bounds != bounds || recorded->slices != layout.slices)
    recorded = Recorded{p, bounds, layout.slices, record(p, v, bounds, layout.slices)};
  ladder::check(cudaGraphLaunch(recorded->executable.get(), nullptr));
}

}  // namespace npb_cg
