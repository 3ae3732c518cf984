#pragma once
/// @file
/// What the programs share whose threads synchronise, each in a correct way. Also for nvcc.

#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>
#include <vector>

#include "common/device/cuda.hpp"

namespace synchronised {

using ladder::check;

constexpr int blocks = 4, threads = 64;

/// What a kernel works on; everything begins with 0.
struct Memory {
  int *lock, *sum, *flags, *data;
};

/// Runs the kernel, perhaps in blocks that may wait for each other. @return lock, sum, 64 flags, 256 data
inline std::vector<int> run(void (*kernel)(Memory), bool together) {
  constexpr int count = 2 + 64 + 256;
  ladder::DeviceBuffer<int> all(count);
  check(cudaMemset(all.get(), 0, all.bytes()));
  Memory m{all.get(), all.get() + 1, all.get() + 2, all.get() + 66};
  void* arguments[] = {&m};
  if (together)
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, nullptr));
  else
    check(cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, nullptr));
  std::vector<int> result(count);
  check(cudaMemcpy(result.data(), all.get(), all.bytes(), cudaMemcpyDeviceToHost));
  return result;
}

inline void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

}  // namespace synchronised
