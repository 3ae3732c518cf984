/// @file
/// Work for a whole GPU before a timed call: after an idle time it runs at lower clocks.

#include "common/device/cuda.hpp"

namespace ladder {
namespace {

__device__ long long device_nanoseconds() {
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Arithmetic until the time is over.
__global__ void busy(long long nanoseconds, float* result) {
  const long long begin = device_nanoseconds();
  float x = float(threadIdx.x);
  do {
    for (int i = 0; i < 256; ++i) x = x * 0.999f + 1.0f;
  } while (device_nanoseconds() - begin < nanoseconds);
  if (x < 0) *result = x;  // never happens: without it the compiler would remove the loop
}

}  // namespace

/// Starts it; the caller waits for the device.
void keep_device_busy(long long nanoseconds) {
  int device = 0, multiprocessors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  busy<<<2 * multiprocessors, 256>>>(nanoseconds, nullptr);
  check(cudaGetLastError());
}

}  // namespace ladder
