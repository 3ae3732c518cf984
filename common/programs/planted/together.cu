/// @file
/// Planted mistakes: barriers and warp functions that not all threads reach.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "planted.hpp"

namespace {

namespace cg = cooperative_groups;
using planted::Array;

__global__ void branches(double* x, bool right) {
  if (right) {
    __syncthreads();
  } else if (threadIdx.x < 32) {
    __syncthreads();  // here: barrier-of-the-branch
  } else {
    x[threadIdx.x] = 1;
    __syncthreads();  // here: barrier-in-a-branch
  }
}
void barrier_in_a_branch(bool right) {
  Array<double> x(64);
  branches<<<1, 64>>>(x.get(), right);
  x.at(0);
}

__global__ void waits_for_each_other(double* x, bool right) {
  if (threadIdx.x < 16 && !right) {
    __syncthreads();  // here: barrier-divergence
  } else {
    __syncwarp();
    if (right) __syncthreads();
  }
  x[threadIdx.x] = 1;
}
void barrier_divergence(bool right) {
  Array<double> x(32);
  waits_for_each_other<<<1, 32>>>(x.get(), right);
  x.at(0);
}

__global__ void early_return(double* x, int n, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!right && i >= n) return;
  if (i < n) x[i] = 2 * x[i];
  __syncthreads();  // here: exited-before-barrier
  if (i < n) x[i] += 1;
}
void exited_before_barrier(bool right) {
  Array<double> x(100);
  early_return<<<2, 64>>>(x.get(), 100, right);
  x.at(0);
}

__global__ void strided(double* x, int n, bool right) {
  const int end = right ? (n + 63) / 64 * 64 : n;
  for (int i = threadIdx.x; i < end; i += 64) {
    if (i < n) x[i] += 1;
    __syncthreads();  // here: barrier-in-a-loop
  }
}
void barrier_in_a_loop(bool right) {
  Array<double> x(100);
  strided<<<1, 64>>>(x.get(), 100, right);
  x.at(0);
}

__global__ void half_warp(double* x, bool right) {
  double value = x[threadIdx.x];
  const unsigned mask = right ? 0x0000ffffu : 0xffffffffu;
  if (threadIdx.x < 16) value += __shfl_down_sync(mask, value, 8, right ? 16 : 32);  // here: exited-lane
  x[threadIdx.x] = value;
}
void shuffle_from_inactive_lane(bool right) {
  Array<double> x(32);
  half_warp<<<1, 32>>>(x.get(), right);
  x.at(0);
}

__global__ void wrong_source(double* x, bool right) {
  if (threadIdx.x < 16)
    x[threadIdx.x] = __shfl_sync(0x0000ffffu, x[threadIdx.x], right ? 3 : 20);  // here: lane-outside-mask
}
void shuffle_outside_mask(bool right) {
  Array<double> x(32);
  wrong_source<<<1, 32>>>(x.get(), right);
  x.at(0);
}

__global__ void wrong_mask(double* x, bool right) {
  x[threadIdx.x] = __ballot_sync(right ? 0xffffffffu : 1u, 1);  // here: mask-without-caller
}
void mask_without_caller(bool right) {
  Array<double> x(32);
  wrong_mask<<<1, 32>>>(x.get(), right);
  x.at(0);
}

__global__ void partial_block(double* x, bool right) {
  const double other = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], right ? 1 : 16);  // here: partial-warp
  x[threadIdx.x] += other;
}
void shuffle_beyond_the_block(bool right) {
  Array<double> x(64);
  partial_block<<<1, 48>>>(x.get(), right);
  x.at(0);
}

__global__ void meets(double* x) {
  x[blockIdx.x] = 1;
  cg::this_grid().sync();  // here: grid-sync
  x[blockIdx.x] += 1;
}
void grid_barrier_without_cooperative(bool right) {
  Array<double> x(4);
  double* data = x.get();
  void* arguments[] = {&data};
  if (right)
    cudaLaunchCooperativeKernel((void*)meets, dim3(4), dim3(1), arguments, 0, nullptr);
  else
    meets<<<4, 1>>>(x.get());
  x.at(0);
}

/// Half of each block goes around the grid's barrier.
__global__ void half_meets(double* x, double* y, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
  if (right || threadIdx.x < 32) cg::this_grid().sync();  // here: grid-sync-for-some
  y[i] = x[(i + 32) % 128];
}
void half_a_block_skips_the_grids_barrier(bool right) {
  Array<double> x(128), y(128);
  double *dx = x.get(), *dy = y.get();
  void* arguments[] = {&dx, &dy, &right};
  cudaLaunchCooperativeKernel((void*)half_meets, dim3(2), dim3(64), arguments, 0, nullptr);
  y.at(0);
}

/// The same, and those that skip it have nothing more to do.
__global__ void half_leaves(double* x, bool right) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (!right && threadIdx.x >= 32) return;
  cg::this_grid().sync();  // here: grid-sync-of-the-rest
}
void half_a_block_leaves_before_the_grids_barrier(bool right) {
  Array<double> x(128);
  double* dx = x.get();
  void* arguments[] = {&dx, &right};
  cudaLaunchCooperativeKernel((void*)half_leaves, dim3(2), dim3(64), arguments, 0, nullptr);
  x.at(0);
}

__global__ void tree_sum(double* x, bool right) {
  __shared__ double part[64];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) part[t] += part[t + s];
    if (right || t < 48) __syncthreads();  // here: half-a-warp-skips
  }
  if (t == 0) x[0] = part[0];
}
void half_a_warp_skips_a_barrier(bool right) {
  Array<double> x(64);
  tree_sum<<<1, 64>>>(x.get(), right);
  x.at(0);
}

__global__ void early_result(double* x, double* y, int n, bool right) {
  const int t = threadIdx.x;
  double value = 0;
  if (right || t < n) {
    value = t < n ? x[t] : 0;
    __syncthreads();  // here: barrier-for-some
  }
  y[t] = value;
}
void barrier_for_some(bool right) {
  Array<double> x(64), y(64);
  early_result<<<1, 64>>>(x.get(), y.get(), 40, right);
  y.at(0);
}

const planted::Case cases[] = {
    {"half-a-warp-skips-a-barrier", half_a_warp_skips_a_barrier},
    {"barrier-for-some", barrier_for_some},
    {"half-a-block-skips-the-grids-barrier", half_a_block_skips_the_grids_barrier},
    {"half-a-block-leaves-before-the-grids-barrier", half_a_block_leaves_before_the_grids_barrier},
    {"barrier-in-a-branch", barrier_in_a_branch},
    {"barrier-divergence", barrier_divergence},
    {"exited-before-barrier", exited_before_barrier},
    {"barrier-in-a-loop", barrier_in_a_loop},
    {"shuffle-from-inactive-lane", shuffle_from_inactive_lane},
    {"shuffle-outside-mask", shuffle_outside_mask},
    {"mask-without-caller", mask_without_caller},
    {"shuffle-beyond-the-block", shuffle_beyond_the_block},
    {"grid-barrier-without-cooperative", grid_barrier_without_cooperative},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}
