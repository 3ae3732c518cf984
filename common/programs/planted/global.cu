/// @file
/// Planted mistakes: races on global memory, between blocks and inside one.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "planted.hpp"

namespace {

namespace cg = cooperative_groups;
using planted::Array;

__global__ void one_element(int* x, int n, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[right ? i : i / 64] = i;  // here: one-element
}
void blocks_write_one_element(bool right) {
  Array<int> x(128);
  one_element<<<4, 32>>>(x.get(), 128, right);
  x.at(0);
}

__global__ void global_histogram(const int* x, unsigned* bins, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (right)
    atomicAdd(&bins[x[i] % 4], 1u);
  else
    bins[x[i] % 4] = bins[x[i] % 4] + 1;  // here: global-count
}
void global_count_without_atomic(bool right) {
  Array<int> x(128);
  Array<unsigned> bins(4);
  global_histogram<<<4, 32>>>(x.get(), bins.get(), right);
  bins.at(0);
}

__global__ void block_sums(const double* x, double* sum, bool right) {
  __shared__ double part[64];
  const int t = threadIdx.x;
  part[t] = x[blockIdx.x * 64 + t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t != 0) return;
  if (right)
    atomicAdd(sum, part[0]);
  else
    *sum += part[0];  // here: sum-of-blocks
}
void sum_of_blocks(bool right) {
  Array<double> x(256), sum(1);
  block_sums<<<4, 64>>>(x.get(), sum.get(), right);
  sum.at(0);
}

__global__ void smooth(const double* x, double* y, double* z, int n, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i];  // here: smooth-write
  if (right)
    cg::this_grid().sync();
  else
    __syncthreads();
  z[i] = y[i] + y[(i + 1) % n];  // here: smooth-read
}
void block_barrier_for_a_grid(bool right) {
  Array<double> x(128), y(128), z(128);
  double *dx = x.get(), *dy = y.get(), *dz = z.get();
  int n = 128;
  void* arguments[] = {&dx, &dy, &dz, &n, &right};
  cudaLaunchCooperativeKernel((void*)smooth, dim3(4), dim3(32), arguments, 0, nullptr);
  z.at(0);
}

/// The last block to finish adds what all have written.
__global__ void last_adds(const double* x, double* parts, double* sum, unsigned* ticket, bool fence) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = x[blockIdx.x];  // here: part-write
    if (fence) __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    double total = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) total += parts[i];  // here: part-read
    *sum = total;
  }
}
void ticket_without_fence(bool right) {
  Array<double> x(8), parts(8), sum(1);
  Array<unsigned> ticket(1, 0u);
  last_adds<<<8, 32>>>(x.get(), parts.get(), sum.get(), ticket.get(), right);
  sum.at(0);
}

/// As above, but every thread of a block writes a part.
__global__ void last_adds_all(const double* x, double* parts, double* sum, unsigned* ticket, bool right) {
  __shared__ bool last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  parts[i] = x[i];  // here: all-parts-write
  __threadfence();
  if (right) __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    double total = 0;
    for (unsigned k = 0; k < gridDim.x * blockDim.x; ++k) total += parts[k];  // here: all-parts-read
    *sum = total;
  }
}
void ticket_without_barrier(bool right) {
  Array<double> x(128), parts(128), sum(1);
  Array<unsigned> ticket(1, 0u);
  last_adds_all<<<4, 32>>>(x.get(), parts.get(), sum.get(), ticket.get(), right);
  sum.at(0);
}

__global__ void stencil(const double* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;  // here: in-place
}
void stencil_in_place(bool right) {
  Array<double> x(128), y(128);
  stencil<<<4, 32>>>(x.get(), right ? y.get() : x.get(), 128);
  y.at(0);
}

__global__ void reversed_in_block(double* x, bool right) {
  const int t = threadIdx.x;
  const double value = x[63 - t];  // here: reverse-read
  if (right) __syncthreads();
  x[t] = value;  // here: reverse-write
}
void reverse_inside_a_block(bool right) {
  Array<double> x(64);
  reversed_in_block<<<1, 64>>>(x.get(), right);
  x.at(0);
}

/// Locked, every thread adds in turn.
__global__ void locked_sum(double* sum, int* lock, bool right) {
  if (threadIdx.x != 0) return;
  if (right)
    while (atomicCAS(lock, 0, 1) != 0) {
    }
  __threadfence();
  *sum += blockIdx.x;  // here: locked-sum
  __threadfence();
  if (right) atomicExch(lock, 0);
}
void lock_forgotten(bool right) {
  Array<double> sum(1);
  Array<int> lock(1, 0);
  locked_sum<<<8, 32>>>(sum.get(), lock.get(), right);
  sum.at(0);
}

__global__ void mixed(unsigned* counter, unsigned* seen, bool right) {
  if (threadIdx.x == 0) {
    atomicAdd(counter, 1u);                                        // here: atomic-side
    seen[blockIdx.x] = right ? atomicAdd(counter, 0u) : *counter;  // here: plain-side
  }
}
void atomic_and_plain(bool right) {
  Array<unsigned> counter(1), seen(8);
  mixed<<<8, 32>>>(counter.get(), seen.get(), right);
  seen.at(0);
}

__global__ void mark(int* found, const int* x, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] % 32 != 5) return;
  if (right)
    atomicExch(found, 1);
  else
    *found = 1;  // here: same-value-global
}
void same_value_of_blocks(bool right) {
  Array<int> x(128), found(1);
  mark<<<4, 32>>>(found.get(), x.get(), right);
  found.at(0);
}

const planted::Case cases[] = {
    {"blocks-write-one-element", blocks_write_one_element},
    {"global-count-without-atomic", global_count_without_atomic},
    {"sum-of-blocks", sum_of_blocks},
    {"block-barrier-for-a-grid", block_barrier_for_a_grid},
    {"ticket-without-fence", ticket_without_fence},
    {"ticket-without-barrier", ticket_without_barrier},
    {"stencil-in-place", stencil_in_place},
    {"reverse-inside-a-block", reverse_inside_a_block},
    {"lock-forgotten", lock_forgotten},
    {"atomic-and-plain", atomic_and_plain},
    {"same-value-of-blocks", same_value_of_blocks},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}
