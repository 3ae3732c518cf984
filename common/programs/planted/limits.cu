/// @file
/// Planted mistakes: what only a CPU permits.

#include <cuda_runtime.h>

#include "planted.hpp"

namespace {

using planted::Array;

__constant__ int table[32];
__constant__ struct {
  double scale;
  int count;
} settings;
__device__ int variable[32];

__global__ void set_table(int* x, bool right) {
  int* const to = right ? variable : table;
  to[threadIdx.x] = 3;  // here: constant-write
  x[threadIdx.x] = to[threadIdx.x];
}
void constant_written(bool right) {
  Array<int> x(32);
  set_table<<<1, 32>>>(x.get(), right);
  x.at(0);
}

__global__ void count_in_settings(int* x, bool right) {
  if (right)
    atomicAdd(x, 1);
  else
    atomicAdd(&settings.count, 1);  // here: constant-count
}
void constant_counted(bool right) {
  Array<int> x(32);
  count_in_settings<<<1, 32>>>(x.get(), right);
  x.at(0);
}

/// The load of the tile was forgotten.
__global__ void reversed(const int* x, int* y, bool right) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (right) tile[t] = x[t];
  __syncthreads();
  y[t] = tile[63 - t];  // here: tile-never-written
}
void tile_conditionally_written(bool right) {
  Array<int> x(64), y(64);
  reversed<<<1, 64>>>(x.get(), y.get(), right);
  y.at(0);
}

/// No line of the kernel writes the array: a compiler may take it for zeros.
__global__ void from_nowhere(int* y) {
  __shared__ int tile[64];
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];  // here: nobody-writes
}
__global__ void from_somewhere(int* y) {
  __shared__ int tile[64];
  tile[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
void shared_array_nobody_writes(bool right) {
  Array<int> y(64);
  if (right)
    from_somewhere<<<1, 64>>>(y.get());
  else
    from_nowhere<<<1, 64>>>(y.get());
  y.at(0);
}

struct Pair {
  double value;
  int index;
};
__global__ void best_of_nothing(double* y) {
  __shared__ Pair best;
  __shared__ double rows[4][8];
  y[threadIdx.x] = best.value + rows[threadIdx.x / 8 % 4][threadIdx.x % 8];  // here: variables-nobody-writes
}
__global__ void best_of_something(double* y) {
  __shared__ Pair best;
  __shared__ double rows[4][8];
  if (threadIdx.x == 0) best = {1, 2};
  rows[threadIdx.x / 8 % 4][threadIdx.x % 8] = y[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = best.value + rows[threadIdx.x / 8 % 4][threadIdx.x % 8];
}
void shared_variables_nobody_writes(bool right) {
  Array<double> y(32);
  if (right)
    best_of_something<<<1, 32>>>(y.get());
  else
    best_of_nothing<<<1, 32>>>(y.get());
  y.at(0);
}

__global__ void fill(int* x) {
  x[threadIdx.x] = static_cast<int>(threadIdx.x);  // here: fill-freed
}

void managed_read_after_free(bool right) {
  int* x;
  cudaMallocManaged(&x, 32 * sizeof(int));
  fill<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  if (!right) cudaFree(x);
  std::printf("%d\n", x[3]);  // here: managed-after-free
  if (right) cudaFree(x);
}

void pinned_written_after_free(bool right) {
  int* x;
  cudaMallocHost(&x, 32 * sizeof(int));
  if (!right) cudaFreeHost(x);
  x[3] = 1;  // here: pinned-after-free
  if (right) cudaFreeHost(x);
}

struct Holder {
  int* x;
};
__global__ void fill_held(Holder h) {
  h.x[threadIdx.x] = 1;  // here: held-after-free
}
void managed_used_by_kernel_after_free(bool right) {
  Holder h;
  cudaMallocManaged(&h.x, 32 * sizeof(int));
  if (!right) cudaFree(h.x);
  fill_held<<<1, 32>>>(h);
  cudaDeviceSynchronize();
  if (right) cudaFree(h.x);
}

void managed_freed_twice(bool right) {
  int* x;
  cudaMallocManaged(&x, 32 * sizeof(int));
  cudaFree(x);
  if (!right) cudaFree(x);  // here: managed-freed-twice
}

const planted::Case cases[] = {
    {"constant-written", constant_written},
    {"constant-counted", constant_counted},
    {"tile-conditionally-written", tile_conditionally_written},
    {"shared-array-nobody-writes", shared_array_nobody_writes},
    {"shared-variables-nobody-writes", shared_variables_nobody_writes},
    {"managed-read-after-free", managed_read_after_free},
    {"pinned-written-after-free", pinned_written_after_free},
    {"managed-used-by-kernel-after-free", managed_used_by_kernel_after_free},
    {"managed-freed-twice", managed_freed_twice},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}
