/// @file
/// m2: CG over GPUs. Each rank has some rows of A, and its pieces of the vectors, in the memory of its GPU. A
/// product needs the pieces of all ranks, and a dot product is a sum over the ranks, for which all wait. With
/// d = r + beta d, A d is A r + beta q: the product takes r, and while it runs, the sum that beta needs is in
/// flight. Before: g4, fused dot products. Source: P. Eller and W. Gropp, Scalable non-blocking
/// preconditioned conjugate gradient methods, 2016: the method of Gropp, without a preconditioner.

#include <vector>

#include "common/device/cuda.hpp"
#include "common/device/nccl.hpp"
#include "problem.hpp"

namespace npb_cg {
namespace {

using ladder::check;

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

/// z = d = q = 0, r = x, and zeros where the piece of r is longer; adds x . x to *sum.
__global__ void start(int rows, int piece, const double* x, double* z, double* d, double* q,  // rows each
                      double* r,                                                              // piece
                      double* sum) {                                                          // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double value = i < rows ? x[i] : 0;
  if (i < rows) z[i] = d[i] = q[i] = 0;
  if (i < piece) r[i] = value;
  add_block(value * value, sum);
}

/// Row i of the rank's rows, times v, by one warp: the sum, in lane 0.
__device__ double row_times(int i, const int* row_start,               // rows + 1; of A's entries
                            const int* columns, const double* values,  // the rank's
                            const double* v) {                         // n, of all ranks
  const int first = row_start[0], end = row_start[i + 1] - first;
  double sum = 0;
  for (int k = row_start[i] - first + int(threadIdx.x % 32); k < end; k += 32)
    sum += values[k] * v[columns[k]];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
  return sum;
}

/// w = A r, in the rank's rows.
__global__ void multiply(int rows, const int* row_start,            // rows + 1
                         const int* columns, const double* values,  // the rank's
                         const double* r, double* w) {              // n, of all ranks; rows
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= rows) return;  // the whole warp
  const double row = row_times(i, row_start, columns, values, r);
  if (threadIdx.x % 32 == 0) w[i] = row;
}

/// d = r + beta d, q = w + beta q, which is A d; adds d . q to *sum.
__global__ void turn(int rows, const double* rho, const double* before,  // 1 each; rho, and the one before it
                     const double* r, const double* w,                   // rows each; w = A r
                     double* d, double* q,                               // rows each
                     double* sum) {                                      // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // BEGIN SOLUTION Both vectors turn by the same beta: that of the first direction is 0.
  //| ladder::task();  // Delete this line when you start.
  //| [[maybe_unused]] i;
  double part = 0;
  if (i < rows) {
    const double beta = *before == 0 ? 0 : *rho / *before;
    const double direction = r[i] + beta * d[i], product = w[i] + beta * q[i];
    d[i] = direction;
    q[i] = product;
    part = direction * product;
  }
  add_block(part, sum);
  // END SOLUTION
}

/// z += alpha d, r -= alpha q; adds r . r to *sum.
__global__ void advance(int n, const double* rho, const double* dq,  // 1 each
                        const double* d, const double* q,            // n each, of this rank
                        double* z, double* r,                        // n each, of this rank
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

/// Adds ||x - A z||^2 to *sum.
__global__ void measure(int rows, const int* row_start,            // rows + 1
                        const int* columns, const double* values,  // the rank's
                        const double* x, const double* z,          // rows; n, of all ranks
                        double* sum) {                             // 1; zero
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const double row = i < rows ? row_times(i, row_start, columns, values, z) : 0;
  const double difference = i < rows && threadIdx.x % 32 == 0 ? x[i] - row : 0;
  add_block(difference * difference, sum);
}

__global__ void take_root(const double* sum, double* norm) {  // 1 each
  *norm = sqrt(*sum);
}

/// Messages between all ranks. They have a stream of their own, kernels are in the default stream, and
/// neither waits for the other unless it is told to.
class Messages {
 public:
  explicit Messages(int ranks) : all_(ladder::communicator(std::vector<int>(ranks))) {}

  /// The messages issued from now on wait for the kernels issued until now.
  void wait_for_kernels() const { order(nullptr, stream_.get()); }
  /// The kernels issued from now on wait for the messages issued until now.
  void let_kernels_wait() const { order(stream_.get(), nullptr); }

  /// Every rank gets the sum of what the ranks have there.
  void add_up(double* sum) const {  // 1
    check(ncclAllReduce(sum, sum, 1, ncclDouble, ncclSum, all_, stream_.get()));
  }
  /// Every rank gets the pieces of all ranks. Its own one is in its place already.
  void gather(const Problem& p, double* v) const {  // ranks x piece
    // BEGIN SOLUTION ncclAllGather(from, to, elements of a piece, ncclDouble, communicator, stream).
    //  Pieces have one length for all ranks. Row i of A is then element i of v: why?
    //| ladder::task();  // Delete this line when you start.
    const std::size_t piece = p.ranks.piece(p.n);
    check(ncclAllGather(v + p.ranks.rank * piece, v, piece, ncclDouble, all_, stream_.get()));
    // END SOLUTION
  }

 private:
  void order(cudaStream_t earlier, cudaStream_t later) const {
    check(cudaEventRecord(event_.get(), earlier));
    check(cudaStreamWaitEvent(later, event_.get()));
  }

  ncclComm_t all_;
  ladder::Stream stream_{cudaStreamNonBlocking, ladder::greatest_priority()};
  ladder::Event event_{cudaEventDisableTiming};
};

}  // namespace

/// 25 iterations, and the norm of what is left, over all ranks.
/// @throws ladder::Error when the device refuses a launch, or a call of NCCL fails.
void sum_under_product(const Problem& p) {
  const int rows = p.ranks.rows(p.n), piece = p.ranks.piece(p.n);
  const int blocks = blocks_for(piece), row_blocks = blocks_for_rows(piece);
  const Messages messages(p.ranks.count);
  const ladder::PooledBuffer<double> w(piece);                // A r
  double* const r = p.r + std::size_t(p.ranks.rank) * piece;  // the rank's piece
  double* sum = p.sums;                                       // the next one that is still zero
  check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums));
  const double* before = sum++;  // stays 0
  double* rho = sum++;
  start<<<blocks, block_threads>>>(rows, piece, p.x, p.z, p.d, p.q, r, rho);
  check(cudaGetLastError());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double* const dq = sum++;
    // BEGIN SOLUTION Gather r, add up rho, then the kernels multiply and turn, and add up dq.
    //  rho and dq are this rank's parts until all are added up. Messages run in the order in which they are
    //  issued. Which kernel needs the gathered r, which one rho, and which message must wait for a kernel?
    //| ladder::task();  // Delete this line when you start.
    messages.wait_for_kernels();
    messages.gather(p, p.r);
    messages.let_kernels_wait();
    messages.add_up(rho);
    multiply<<<row_blocks, block_threads>>>(rows, p.row_start, p.columns, p.values, p.r, w.get());
    check(cudaGetLastError());
    messages.let_kernels_wait();
    turn<<<blocks, block_threads>>>(rows, rho, before, r, w.get(), p.d, p.q, dq);
    check(cudaGetLastError());
    messages.wait_for_kernels();
    messages.add_up(dq);
    messages.let_kernels_wait();
    // END SOLUTION
    before = rho;
    rho = sum++;
    advance<<<blocks, block_threads>>>(rows, before, dq, p.d, p.q, p.z, r, rho);
    check(cudaGetLastError());
  }
  check(cudaMemcpyAsync(r, p.z, rows * sizeof *r, cudaMemcpyDeviceToDevice));
  messages.wait_for_kernels();
  messages.gather(p, p.r);
  messages.let_kernels_wait();
  measure<<<row_blocks, block_threads>>>(rows, p.row_start, p.columns, p.values, p.x, p.r, sum);
  check(cudaGetLastError());
  messages.wait_for_kernels();
  messages.add_up(sum);
  messages.let_kernels_wait();
  if (p.ranks.rank > 0) return;
  take_root<<<1, 1>>>(sum, p.norm);
  check(cudaGetLastError());
}

}  // namespace npb_cg
