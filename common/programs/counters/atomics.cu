// Kernels with atomics: at one address and spread, global and shared, with and without a used result.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int position() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void add_double_same(double* x) {
  atomicAdd(x, 1.0);
}
__global__ void add_double_spread(double* x) {
  atomicAdd(x + position(), 1.0);
}
__global__ void add_double_stride_4(double* x) {
  atomicAdd(x + 4 * position(), 1.0);
}
__global__ void add_double_by_pairs(double* x) {
  atomicAdd(x + position() / 2, 1.0);
}
__global__ void add_float_same(float* x) {
  atomicAdd(x, 1.0f);
}
__global__ void add_float_spread(float* x) {
  atomicAdd(x + position(), 1.0f);
}
__global__ void add_int_eight_counters(int* x) {
  atomicAdd(x + (threadIdx.x & 7), 1);
}
__global__ void add_int_spread(int* x) {
  atomicAdd(x + position(), 1);
}
__global__ void add_int_lane_value(int* x) {
  atomicAdd(x + (threadIdx.x & 1), static_cast<int>(threadIdx.x));
}
__global__ void max_int_spread(int* x) {
  atomicMax(x + position(), 7);
}
__global__ void add_int_with_result(int* x, int* y) {
  y[position()] = atomicAdd(x + position(), 1);
}
__global__ void exchange_spread(int* x, int* y) {
  y[position()] = atomicExch(x + position(), 3);
}
__global__ void compare_and_swap_spread(int* x, int* y) {
  y[position()] = atomicCAS(x + position(), 0, 1);
}
__global__ void add_unsigned64_spread(unsigned long long* x) {
  atomicAdd(x + position(), 1ull);
}

// Shared memory: eight counters, then their sum goes to global memory.
__global__ void shared_int_eight_counters(int* x) {
  __shared__ int h[8];
  if (threadIdx.x < 8) h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[threadIdx.x & 7], 1);
  __syncthreads();
  if (threadIdx.x < 8) x[threadIdx.x] = h[threadIdx.x];
}
__global__ void shared_int_spread(int* x) {
  __shared__ int h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[threadIdx.x], 1);
  __syncthreads();
  x[threadIdx.x] = h[threadIdx.x];
}
__global__ void shared_double_same(double* x) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1.0);
  __syncthreads();
  if (threadIdx.x == 0) x[0] = sum;
}
__global__ void shared_double_spread(double* x) {
  __shared__ double h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[threadIdx.x], 1.0);
  __syncthreads();
  x[threadIdx.x] = h[threadIdx.x];
}

int main() {
  constexpr int blocks = 4, threads = 256;
  char *a, *b;
  cudaMalloc(&a, 65536);
  cudaMalloc(&b, 65536);
  cudaMemset(a, 0, 65536);
  auto* d = reinterpret_cast<double*>(a);
  auto* f = reinterpret_cast<float*>(a);
  auto *i = reinterpret_cast<int*>(a), *j = reinterpret_cast<int*>(b);
  add_double_same<<<blocks, threads>>>(d);
  add_double_spread<<<blocks, threads>>>(d);
  add_double_stride_4<<<blocks, threads>>>(d);
  add_double_by_pairs<<<blocks, threads>>>(d);
  add_float_same<<<blocks, threads>>>(f);
  add_float_spread<<<blocks, threads>>>(f);
  add_int_eight_counters<<<blocks, threads>>>(i);
  add_int_spread<<<blocks, threads>>>(i);
  add_int_lane_value<<<blocks, threads>>>(i);
  max_int_spread<<<blocks, threads>>>(i);
  add_int_with_result<<<blocks, threads>>>(i, j);
  exchange_spread<<<blocks, threads>>>(i, j);
  compare_and_swap_spread<<<blocks, threads>>>(i, j);
  add_unsigned64_spread<<<blocks, threads>>>(reinterpret_cast<unsigned long long*>(a));
  shared_int_eight_counters<<<1, threads>>>(i);
  shared_int_spread<<<1, threads>>>(i);
  shared_double_same<<<1, threads>>>(d);
  shared_double_spread<<<1, threads>>>(d);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
}
