/// @file
/// g3: dot products without a wait. The host of g2 copies each sum, because it computes alpha and beta. Here
/// the kernels that need these compute them from the sums in device memory, and the host enqueues all 25
/// iterations. Before: g2, a warp per row. Source: none.

#include "common/device/cuda.hpp"
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

/// z = 0, r = d = x.
__global__ void start(int n, const double* x, double* z, double* r, double* d) {  // n each
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  z[i] = 0;
  r[i] = d[i] = x[i];
}

/// y = A v.
__global__ void multiply(int n, const int* row_start,               // n + 1
                         const int* columns, const double* values,  // nnz
                         const double* v, double* y) {              // n each
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (i >= n) return;  // the whole warp
  double sum = 0;
  for (int k = row_start[i] + lane; k < row_start[i + 1]; k += 32) sum += values[k] * v[columns[k]];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
  if (lane == 0) y[i] = sum;
}

/// Adds a . b to *sum.
__global__ void dot(int n, const double* a, const double* b,  // n each
                    double* sum) {                            // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  add_block(i < n ? a[i] * b[i] : 0, sum);
}

/// z += alpha d, r -= alpha q.
__global__ void advance(int n, const double* rho, const double* dq,  // 1 each
                        const double* d, const double* q,            // n each
                        double* z, double* r) {                      // n each
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // BEGIN SOLUTION Each thread computes alpha by itself, rho / dq or 0, and updates its elements.
  //| ladder::task();  // Delete this line when you start.
  const double alpha = *dq == 0 ? 0 : *rho / *dq;
  z[i] += alpha * d[i];
  r[i] -= alpha * q[i];
  // END SOLUTION
}

/// d = r + beta d.
__global__ void turn(int n, const double* rho, const double* before,  // 1 each; rho, and the one before it
                     const double* r, double* d) {                    // n each
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // BEGIN SOLUTION Likewise with beta: rho / before, or 0.
  //| ladder::task();  // Delete this line when you start.
  const double beta = *before == 0 ? 0 : *rho / *before;
  d[i] = r[i] + beta * d[i];
  // END SOLUTION
}

/// Adds ||x - y||^2 to *sum.
__global__ void squares(int n, const double* x, const double* y,  // n each
                        double* sum) {                            // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double difference = i < n ? x[i] - y[i] : 0;
  add_block(difference * difference, sum);
}

__global__ void take_root(const double* sum, double* norm) {  // 1 each
  *norm = sqrt(*sum);
}

}  // namespace

/// 25 iterations, and the norm of what is left.
/// @throws ladder::Error when the device refuses a launch.
void dots_on_device(const Problem& p) {
  const int blocks = blocks_for(p.n);
  double* sum = p.sums;  // the next one that is still zero
  ladder::check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums));
  start<<<blocks, block_threads>>>(p.n, p.x, p.z, p.r, p.d);
  ladder::check(cudaGetLastError());
  double* rho = sum++;
  dot<<<blocks, block_threads>>>(p.n, p.r, p.r, rho);
  ladder::check(cudaGetLastError());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    // BEGIN SOLUTION Enqueue the five kernels of g2. Which sum does each of them write, and which ones does
    //  it read?
    //| ladder::task();  // Delete this line when you start.
    multiply<<<blocks_for_rows(p.n), block_threads>>>(p.n, p.row_start, p.columns, p.values, p.d, p.q);
    ladder::check(cudaGetLastError());
    double* const dq = sum++;
    dot<<<blocks, block_threads>>>(p.n, p.d, p.q, dq);
    ladder::check(cudaGetLastError());
    advance<<<blocks, block_threads>>>(p.n, rho, dq, p.d, p.q, p.z, p.r);
    ladder::check(cudaGetLastError());
    const double* const before = rho;
    rho = sum++;
    dot<<<blocks, block_threads>>>(p.n, p.r, p.r, rho);
    ladder::check(cudaGetLastError());
    turn<<<blocks, block_threads>>>(p.n, rho, before, p.r, p.d);
    ladder::check(cudaGetLastError());
    // END SOLUTION
  }
  multiply<<<blocks_for_rows(p.n), block_threads>>>(p.n, p.row_start, p.columns, p.values, p.z, p.q);
  ladder::check(cudaGetLastError());
  squares<<<blocks, block_threads>>>(p.n, p.x, p.q, sum);
  ladder::check(cudaGetLastError());
  take_root<<<1, 1>>>(sum, p.norm);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_cg
