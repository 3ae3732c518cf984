// A block much larger than its problem: all threads fill shared memory and read it, two touch device memory.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int threads = 256, columns = 2;

__global__ void add_all(const float* A, float* B) {
  __shared__ float part[threads];
  const int t = threadIdx.x;
  part[t] = t < columns ? A[t] : 0;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += part[(t + i) % threads];
  if (t < columns) B[t] = sum;
}

int main() {
  float *A, *B;
  cudaMalloc(&A, columns * sizeof(float));
  cudaMalloc(&B, columns * sizeof(float));
  cudaMemset(A, 0, columns * sizeof(float));
  add_all<<<1, threads>>>(A, B);
  cudaDeviceSynchronize();
  cudaFree(A);
  cudaFree(B);
}
