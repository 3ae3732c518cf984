/// @file
/// Questions about the device, and memory beyond the plain copy. Also for nvcc.

#include <cstdio>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

using ladder::check;

__device__ double table[4];
__global__ void with_shared(double* x) {
  __shared__ double s[512];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + table[threadIdx.x % 4];
}

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

void properties() {
  int devices = 0, warp = 0, cooperative = 0;
  cudaDeviceProp p;
  check(cudaGetDeviceCount(&devices));
  check(cudaGetDeviceProperties(&p, 0));
  check(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
  check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  report("properties", devices >= 1 && warp == 32 && cooperative == 1 && p.major >= 7 &&
                           p.maxThreadsPerBlock == 1024 && p.multiProcessorCount > 0 &&
                           p.sharedMemPerBlock == 49152);
  int grid = 0, block = 0, blocks = 0;
  check(cudaOccupancyMaxPotentialBlockSize(&grid, &block, with_shared, 0, 0));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 512, 0));
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, with_shared));
  std::printf("%d %d\n", blocks, static_cast<int>(attributes.sharedSizeBytes));
  report("occupancy",
         grid >= 1 && block >= 32 && blocks >= 1 && blocks <= 4 && attributes.sharedSizeBytes == 4096);
}

void memory() {
  std::size_t free_before = 0, free_after = 0, total = 0;
  check(cudaMemGetInfo(&free_before, &total));
  const std::size_t megabytes = std::size_t{64} << 20;
  void* big;
  check(cudaMalloc(&big, megabytes));
  check(cudaMemGetInfo(&free_after, &total));
  report("memory information", free_before - free_after >= megabytes && free_before <= total);
  check(cudaFree(big));
  check(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  void* impossible;
  report("out of memory", cudaMalloc(&impossible, std::size_t{1} << 50) == cudaErrorMemoryAllocation);
  static_cast<void>(cudaGetLastError());
}

void rows() {
  const int width = 5, height = 4, host_pitch = 7;
  std::vector<double> from(host_pitch * height, -1), to(host_pitch * height, 0);
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j) from[i * host_pitch + j] = 10 * i + j;
  double* d;
  std::size_t pitch;
  check(cudaMallocPitch(&d, &pitch, width * sizeof(double), height));
  check(cudaMemcpy2D(d, pitch, from.data(), host_pitch * sizeof(double), width * sizeof(double), height,
                     cudaMemcpyHostToDevice));
  check(cudaMemset2D(d, pitch, 0, sizeof(double), 2));
  check(cudaMemcpy2D(to.data(), host_pitch * sizeof(double), d, pitch, width * sizeof(double), height,
                     cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  report("rows",
         to[host_pitch] == 0 && to[2 * host_pitch] == 20 && to[3 * host_pitch + 4] == 34 && to[5] == 0);
}

void symbols() {
  double* address;
  std::size_t size = 0;
  check(cudaGetSymbolAddress((void**)&address, table));
  check(cudaGetSymbolSize(&size, table));
  const std::vector<double> values = {1, 2, 3, 4};
  check(cudaMemcpy(address, values.data(), size, cudaMemcpyHostToDevice));
  const double five = 5;
  check(cudaMemcpyToSymbol(table, &five, sizeof five, 8));
  double back[4];
  check(cudaMemcpyFromSymbol(back, table, sizeof back));
  report("symbols", size == 32 && back[0] == 1 && back[1] == 5 && back[3] == 4);
}

void asynchronous_allocation() {
  ladder::Stream stream;
  double *x, value[2];
  check(cudaMallocAsync(&x, 64 * sizeof(double), stream.get()));
  check(cudaMemsetAsync(x, 0, 64 * sizeof(double), stream.get()));
  with_shared<<<1, 64, 0, stream.get()>>>(x);
  check(cudaMemcpyAsync(value, x, sizeof value, cudaMemcpyDeviceToHost, stream.get()));
  check(cudaFreeAsync(x, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  report("asynchronous allocation", value[0] == 1 && value[1] == 5);
}

void pointers() {
  ladder::DeviceBuffer<double> device(1);
  ladder::PinnedBuffer<double> pinned(1);
  cudaPointerAttributes of_device, of_pinned;
  check(cudaPointerGetAttributes(&of_device, device.get()));
  check(cudaPointerGetAttributes(&of_pinned, pinned.get()));
  std::vector<double> registered(512, 1.0);
  check(cudaHostRegister(registered.data(), registered.size() * sizeof(double), cudaHostRegisterDefault));
  check(cudaHostUnregister(registered.data()));
  report("pointers", of_device.type == cudaMemoryTypeDevice && of_pinned.type == cudaMemoryTypeHost);
}

__global__ void says(int n) {
  if (threadIdx.x < n) printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

}  // namespace

int main() {
  properties();
  memory();
  rows();
  symbols();
  asynchronous_allocation();
  pointers();
  says<<<1, 32>>>(2);
  check(cudaDeviceSynchronize());
}
