/// @file
/// What common/device/cuda.hpp promises, on the executor. Prints a line for each of what is asked.

#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "common/device/cuda.hpp"
#include "common/device/pinned_pool.hpp"
#include "lessons/01-lu/once_per_device.hpp"

namespace {

__global__ void fill(int n, int* values) {  // n
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

/// A host function that a stream calls late.
void CUDART_CB note(void* done) {
  usleep(100'000);
  *static_cast<int*>(done) = 1;
}

/// @return whether a step's work is done when an exception has left it
template <class Buffer>
bool waits_when_it_throws() {
  int done = 0;
  try {
    const ladder::Stream stream(cudaStreamNonBlocking);
    const Buffer memory(1000);
    ladder::check(cudaLaunchHostFunc(stream.get(), note, &done));
    throw ladder::Error("the step ends");
  } catch (const ladder::Error&) {
    const bool waited = done == 1;
    cudaDeviceSynchronize();
    return waited;
  }
}

/// @return whether memory that a stream gives back is used in its order
bool pools_in_its_stream() {
  const ladder::Stream stream(cudaStreamNonBlocking);
  int last = 0;
  for (int round = 0; round < 3; ++round) {
    const ladder::PooledBuffer<int> memory(1000, stream.get());
    fill<<<4, 256, 0, stream.get()>>>(1000, memory.get());
    ladder::check(cudaGetLastError());
    ladder::check(
        cudaMemcpyAsync(&last, memory.get() + 999, sizeof last, cudaMemcpyDeviceToHost, stream.get()));
  }
  ladder::check(cudaStreamSynchronize(stream.get()));
  return last == 999 && ladder::PooledBuffer<int>(0).get() == nullptr;
}

/// @return whether streams have the priority that they are made with: the greatest is a negative number
bool has_its_priority() {
  const ladder::Stream urgent(cudaStreamNonBlocking, ladder::greatest_priority()), other;
  const auto priority = [](const ladder::Stream& stream) {
    int priority = 1;
    ladder::check(cudaStreamGetPriority(stream.get(), &priority));
    return priority;
  };
  unsigned flags = 0;
  ladder::check(cudaStreamGetFlags(urgent.get(), &flags));
  return priority(urgent) < 0 && priority(other) == 0 && flags == cudaStreamNonBlocking;
}

/// @return whether pinned memory that a buffer gives back is the next one's, if it is large enough
bool pools_pinned_memory() {
  const auto address_of = [](std::size_t count) {
    return static_cast<void*>(ladder::PooledPinnedBuffer<double>(count).get());
  };
  void* const first = address_of(2000);
  void* larger = nullptr;
  {
    const ladder::PooledPinnedBuffer<double> a(1000), b(1000), none(0);
    if (a.get() != first || !b.get() || a.get() == b.get() || none.get()) return false;
    larger = address_of(3000);
  }
  return larger && address_of(2500) == larger && address_of(1500) == first;
}

/// @return whether once_per_device asks once for each kernel, and again where the first question failed
bool asks_once() {
  int asked = 0, failed = 0;
  const auto about = [&](const void* kernel) { return lu::once_per_device(kernel, [&] { return ++asked; }); };
  const bool known = about(&asked) == 1 && about(&asked) == 1 && about(&failed) == 2 && about(&asked) == 1;
  for (int round = 0; round < 2; ++round) try {
      lu::once_per_device(&failed, [&]() -> int {
        ++failed;
        throw ladder::Error("not now");
      });
    } catch (const ladder::Error&) {
    }
  return known && asked == 2 && failed == 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::strcmp(argv[1], "shared") == 0) {
      ladder::require_shared_memory(48 << 10);
      ladder::require_shared_memory(72 << 10);
      std::puts("72 KiB are there");
      return 0;
    }
    std::printf("DeviceBuffer waits: %d\n", waits_when_it_throws<ladder::DeviceBuffer<double>>());
    std::printf("PinnedBuffer waits: %d\n", waits_when_it_throws<ladder::PinnedBuffer<double>>());
    std::printf("PooledBuffer waits: %d\n", waits_when_it_throws<ladder::PooledBuffer<double>>());
    std::printf("PooledPinnedBuffer waits: %d\n", waits_when_it_throws<ladder::PooledPinnedBuffer<double>>());
    std::printf("pinned memory is pooled: %d\n", pools_pinned_memory());
    std::printf("asked once: %d\n", asks_once());
    std::printf("pooled in a stream: %d\n", pools_in_its_stream());
    std::printf("streams have their priorities: %d\n", has_its_priority());
  } catch (const ladder::Error& error) {
    std::puts(error.what());
  }
}
