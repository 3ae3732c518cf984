/// @file
/// Small libraries of CUDA: cuda::std in kernels, complex numbers, quotients that are rounded up; and all the
/// memory there is.

#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <sm_61_intrinsics.h>

#include <cstdio>
#include <cuda/cmath>
#include <cuda/std/atomic>
#include <cuda/std/span>

static_assert(CUBLAS_VERSION >= 110000 && CUBLAS_VER_MAJOR >= 11);
static_assert(cuda::ceil_div(1025, 256) == 5 && cuda::round_up(17, 16) == 32 &&
              cuda::round_down(17, 16) == 16);
static_assert(cuda::ilog2(1023u) == 9);

namespace {

__device__ cuda::std::atomic<int> total;

__global__ void count(cuda::std::span<const int> keys, cuda::std::span<int> histogram,
                      cuda::std::atomic<unsigned>* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= static_cast<int>(keys.size())) return;
  cuda::std::atomic_ref<int> bin(histogram[keys[i]]);
  bin.fetch_add(1, cuda::std::memory_order_relaxed);
  total.fetch_add(keys[i]);
  unsigned seen = largest->load();
  while (seen < static_cast<unsigned>(keys[i]) && !largest->compare_exchange_weak(seen, keys[i])) {
  }
}

__global__ void multiply(cuDoubleComplex* z) {
  z[2] = cuCmul(z[0], z[1]);
  z[3] = cuCdiv(z[2], z[1]);
  z[4] = cuCfma(z[0], cuConj(z[1]), cuCadd(z[0], z[1]));
  z[5] = make_cuDoubleComplex(cuCabs(z[0]), cuCimag(z[1]));
}

void expect(bool right, const char* what) {
  if (!right) std::printf("WRONG %s\n", what);
}

void atomics() {
  int keys[1000], bins[8];
  unsigned largest = 0;
  for (int i = 0; i < 1000; ++i) keys[i] = i % 8;
  int *dkeys, *dbins;
  cuda::std::atomic<unsigned>* dlargest;
  cudaMalloc(&dkeys, sizeof keys);
  cudaMalloc(&dbins, sizeof bins);
  cudaMalloc(&dlargest, sizeof largest);
  cudaMemcpy(dkeys, keys, sizeof keys, cudaMemcpyHostToDevice);
  cudaMemset(dbins, 0, sizeof bins);
  cudaMemset(dlargest, 0, sizeof largest);
  count<<<cuda::ceil_div(1000, 256), 256>>>(cuda::std::span<const int>(dkeys, 1000),
                                            cuda::std::span<int>(dbins, 8), dlargest);
  cudaMemcpy(bins, dbins, sizeof bins, cudaMemcpyDeviceToHost);
  cudaMemcpy(&largest, dlargest, sizeof largest, cudaMemcpyDeviceToHost);
  for (const int bin : bins) expect(bin == 125, "histogram");
  expect(largest == 7, "largest");
  cudaFree(dkeys);
  cudaFree(dbins);
  cudaFree(dlargest);
}

void complex_numbers() {
  cuDoubleComplex z[6] = {{3, 4}, {1, -2}}, *dz;
  cudaMalloc(&dz, sizeof z);
  cudaMemcpy(dz, z, sizeof z, cudaMemcpyHostToDevice);
  multiply<<<1, 1>>>(dz);
  cudaMemcpy(z, dz, sizeof z, cudaMemcpyDeviceToHost);
  const auto is = [](cuDoubleComplex a, double x, double y) { return fabs(a.x - x) + fabs(a.y - y) < 1e-12; };
  expect(is(z[2], 11, -2) && is(z[3], 3, 4) && is(z[4], -5 + 4, 10 + 2) && is(z[5], 5, -2),
         "complex numbers");
  const cuComplex single = cuCaddf(make_cuComplex(1, 2), cuComplexDoubleToFloat(z[0]));
  expect(single.x == 4 && single.y == 6, "complex numbers of float");
  cudaFree(dz);
}

/// The most memory that the process has had; of the executor, whose device has the host's.
long peak_mib() {
  long kib = 0;
#ifdef LADDER_EXECUTOR
  std::FILE* status = std::fopen("/proc/self/status", "r");
  for (char line[256]; status && std::fgets(line, sizeof line, status);)
    std::sscanf(line, "VmHWM: %ld kB", &kib);
  if (status) std::fclose(status);
#endif
  return kib / 1024;
}

/// All that cudaMemGetInfo says can be had and touched; a byte more cannot. What is not written takes no
/// memory.
void all_memory() {
  size_t free = 0, total_bytes = 0;
  cudaMemGetInfo(&free, &total_bytes);
  char* all;
  expect(cudaMalloc(&all, free + 1) == cudaErrorMemoryAllocation, "more than there is");
  cudaGetLastError();
  expect(cudaMalloc(&all, free) == cudaSuccess, "all that there is");
  unsigned char last = 0;
  cudaMemcpy(&last, all + free - 1, 1, cudaMemcpyDeviceToHost);
  expect(last == 0xFF, "first contents");
  cudaMemset(all + free / 2, 7, 1);
  cudaMemcpy(&last, all + free / 2, 1, cudaMemcpyDeviceToHost);
  expect(last == 7, "contents");
  expect(peak_mib() < 1000, "memory that nobody wrote");
  cudaFree(all);
}

}  // namespace

int main() {
  atomics();
  complex_numbers();
  all_memory();
  std::puts("OK");
}
