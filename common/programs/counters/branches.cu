// Kernels whose lanes part or stay together: by lane, by warp, by data, by trip count. Loops are in the
// branches, so that no compiler makes them a selection.
#include <cuda_runtime.h>

#include <cstdio>

__device__ double grow(double x, int n) {
  for (int k = 0; k < n; ++k) x = x * 1.5 + k;
  return x;
}
__device__ double shrink(double x, int n) {
  for (int k = 0; k < n; ++k) x = x / 1.5 - k;
  return x;
}

__global__ void by_lane(double* x, int n) {
  const int i = threadIdx.x;
  if (i & 1)
    x[i] = grow(x[i], n);
  else
    x[i] = shrink(x[i], n);
}
__global__ void by_half_warp(double* x, int n) {
  const int i = threadIdx.x;
  if (i & 16)
    x[i] = grow(x[i], n);
  else
    x[i] = shrink(x[i], n);
}
__global__ void by_warp(double* x, int n) {
  const int i = threadIdx.x;
  if (i / 32 & 1)
    x[i] = grow(x[i], n);
  else
    x[i] = shrink(x[i], n);
}
__global__ void by_data(double* x, const int* data, int n) {
  const int i = threadIdx.x;
  if (data[i])
    x[i] = grow(x[i], n);
  else
    x[i] = shrink(x[i], n);
}
__global__ void by_trip_count(double* x) {
  const int i = threadIdx.x;
  x[i] = grow(x[i], i % 4);
}
// In iteration k only the lanes with bit k go on: requests of different lanes in different iterations are
// different.
__global__ void by_data_in_loop(double* x, const double* a) {
  const int i = threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 5; ++k) {
    if (i >> k & 1) sum += a[32 * k + i % 32];
  }
  x[i] = sum;
}
// A loop with a jump back in each arm, one of them right behind a call: the lanes of one arm come to the next
// round while the others are still in the other one. g++ 13 makes such loops of plain ones, too.
__device__ __noinline__ double twice(double x) {
  return x + x;
}
__global__ void two_ways_back(double* x, const double* a) {
  const int i = threadIdx.x;
  double sum = 0;
  for (int k = 0;;) {
    const double one = a[32 * k + i % 32];
    if (one < 0) break;
    if (i >> k++ & 1)
      sum = twice(sum + one);
    else
      sum = grow(sum + one, 4);
  }
  x[i] = sum;
}
// A compiler enters the inner loop from the end of the outer one: a jump back that ends no loop. Not
// unrolled: by four, rows with four columns would go another way than the others.
__global__ void by_trip_count_of_rows(double* x, const double* a, int n) {
  for (int row = threadIdx.x; row < n; row += blockDim.x) {
    double sum = 0;
#pragma unroll 1
    for (int c = 0; c < row % 4 + 1; ++c) sum += a[32 * c + row % 32];
    x[row] = sum;
  }
}
__global__ void early_return(double* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = grow(x[i], 4);
}
__global__ void uniform_loop(double* x, int n) {
  x[threadIdx.x] = grow(x[threadIdx.x], n);
}

int main() {
  double* x;
  int* data;
  cudaMalloc(&x, 4096);
  cudaMalloc(&data, 1024);
  cudaMemset(x, 0, 4096);
  int bits[256];
  for (int i = 0; i < 256; ++i) bits[i] = i * 37 % 5 == 0;
  cudaMemcpy(data, bits, sizeof bits, cudaMemcpyHostToDevice);
  by_lane<<<1, 256>>>(x, 8);
  by_half_warp<<<1, 256>>>(x, 8);
  by_warp<<<1, 256>>>(x, 8);
  by_data<<<1, 256>>>(x, data, 8);
  by_trip_count<<<1, 256>>>(x);
  double* a;
  cudaMalloc(&a, 6 * 32 * 8);
  cudaMemset(a, 0, 5 * 32 * 8);
  cudaMemset(a + 5 * 32, 0xBF, 32 * 8);  // a negative number
  by_data_in_loop<<<1, 64>>>(x, a);
  two_ways_back<<<1, 64>>>(x, a);
  by_trip_count_of_rows<<<1, 32>>>(x, a, 128);
  early_return<<<2, 256>>>(x, 300);
  uniform_loop<<<1, 256>>>(x, 8);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(data);
  cudaFree(a);
}
