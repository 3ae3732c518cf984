// Right programs that are too large to observe as a whole, and one with a race: what to do is the first
// argument.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int T = 8, tiles = 16, n = T * tiles;

__global__ void set(int value, int* A) {
  A[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// One thread per element; with `race` all threads of a block add to one counter.
__global__ void multiply(const int* A, const int* B, int* C, int* race) {
  const int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = sum;
  if (race) race[blockIdx.y * tiles + blockIdx.x] += 1;
}

/// Each block waits for the one before it, and all add to one sum.
__global__ void add_in_turn(const int* x, volatile int* done, int* sum) {
  const unsigned b = blockIdx.x;
  while (b > 0 && done[b - 1] == 0) {
  }
  __threadfence();
  for (int i = 0; i < 100; ++i) *sum += x[b];
  __threadfence();
  done[b] = 1;
}

/// The first block returns at once, the second one does everything.
__global__ void one_works(const int* x, int* y) {
  if (blockIdx.x != 1) return;
  for (int i = 0; i < n * n; ++i) y[threadIdx.x] += x[i];
}

int* device_array(int count) {
  int* array;
  cudaMalloc(&array, count * sizeof(int));
  return array;
}

int main(int, char** words) {
  const char* what = words[1];
  int *A = device_array(n * n), *B = device_array(n * n), *C = device_array(n * n);
  set<<<n, n>>>(1, A);
  set<<<n, n>>>(1, B);
  if (std::strcmp(what, "product") != 0) cudaMemset(C, 0, n * n * sizeof(int));
  if (std::strcmp(what, "product") == 0) {
    multiply<<<dim3(tiles, tiles), dim3(T, T)>>>(A, B, C, nullptr);
    multiply<<<dim3(tiles, tiles), dim3(T, T)>>>(C, B, A, nullptr);  // reads what nobody saw written
  } else if (std::strcmp(what, "race") == 0) {
    multiply<<<dim3(tiles, tiles), dim3(T, T)>>>(A, B, C, B);
  } else if (std::strcmp(what, "turns") == 0) {
    add_in_turn<<<100, 1>>>(A, C, B);
  } else if (std::strcmp(what, "one") == 0) {
    one_works<<<4, 32>>>(A, C);
  } else if (std::strcmp(what, "many") == 0) {
    for (int i = 0; i < 20'000; ++i) set<<<1 + i % 3, 32>>>(i, A);
  }
  cudaDeviceSynchronize();
  for (int* array : {A, B, C}) cudaFree(array);
}
