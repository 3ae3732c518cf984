/// @file
/// Blocks of 1,024 threads that all wait: each thread needs a stack of its own.

#include <cstdio>

namespace {

__global__ void reversed(int* x) {
  __shared__ int kept[1024];
  kept[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  x[blockIdx.x * blockDim.x + threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}

}  // namespace

int main() {
  constexpr int blocks = 40, threads = 1024;
  static int x[blocks * threads];
  int* on_device = nullptr;
  bool right = cudaMalloc(&on_device, sizeof x) == cudaSuccess;
  reversed<<<blocks, threads>>>(on_device);
  right = right && cudaMemcpy(x, on_device, sizeof x, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < blocks * threads; ++i) right = right && x[i] == threads - 1 - i % threads;
  cudaFree(on_device);
  std::puts(right ? "OK waiting blocks" : "WRONG waiting blocks");
  return right ? 0 : 1;
}
