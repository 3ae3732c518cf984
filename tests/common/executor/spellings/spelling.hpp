#pragma once
/// @file
/// Frame of the spellings: ways to write kernels and launches that nvcc takes. Each one launches something
/// that writes into `out`, and says with right() what the first number must be then. A program's last line is
/// "OK <count>".

#include <cuda_runtime.h>

#include <cstdio>

/// Four numbers on the device, all -1 when a spelling begins.
inline int* out = nullptr;

namespace spelling {

inline int count = 0, wrong = 0;

inline void clear() {
  cudaMemset(out, 0xff, 4 * sizeof(int));
}

inline void begin() {
  cudaMalloc(&out, 4 * sizeof(int));
  clear();
}

/// @return the exit status of main
inline int end() {
  if (wrong) std::printf("WRONG %d of %d\n", wrong, count);
  if (!wrong) std::printf("OK %d\n", count);
  return wrong ? 1 : 0;
}

}  // namespace spelling

/// Checks the spelling that was just launched.
inline void right(const char* what, int expected) {
  ++spelling::count;
  int found[4] = {};
  const cudaError_t error = cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess || found[0] != expected) {
    ++spelling::wrong;
    std::printf("WRONG %s: %d instead of %d, %s\n", what, found[0], expected, cudaGetErrorString(error));
  }
  spelling::clear();
}
