#pragma once
/// @file
/// What a CUDA step may use: checked calls, and owners for memory, streams and events.
/// For nvcc and for the executor. Needs CUDA 12.2 or newer (std::source_location in .cu files).

#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <source_location>

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error The steps order streams by the legacy default stream: compile them without --default-stream per-thread.
#endif

#include "common/base/error.hpp"
#include "common/device/handle.hpp"

namespace ladder {

/// Where a buffer is made. The executor keeps it for its messages; nvcc's side has no use for it.
#ifdef LADDER_EXECUTOR
using CallSite = executor::CallSite;  // its messages then name the line that makes the buffer
#else
struct CallSite {
  CallSite(const char*, unsigned) {}
};
#endif

namespace details {

/// Printed: a string put together here would be half of what there is to compile in a small step.
[[noreturn]] inline void fail(std::source_location where, const char* name, const char* text = "",
                              const char* why = "") {
  char all[4096];
  std::snprintf(all, sizeof all, "%s:%u: %s%s%s%s%s", where.file_name(), unsigned(where.line()), name,
                *text ? ": " : "", text, *why ? ": " : "", why);
  throw Error(all);
}

/// What the executor adds to CUDA's text of an error.
inline const char* reason_of([[maybe_unused]] cudaError_t code) {
#ifdef LADDER_EXECUTOR
  return executor::why_failed(code);
#else
  return "";
#endif
}

}  // namespace details

/// Throws when a CUDA call failed. The error names the caller's file and line, and CUDA's name and text.
/// @throws ladder::Error
inline void check(cudaError_t code, std::source_location where = std::source_location::current()) {
  if (code == cudaSuccess) return;
  details::fail(where, cudaGetErrorName(code), cudaGetErrorString(code), details::reason_of(code));
}

/// Before a launch: may a block have this many bytes of shared memory? Beyond 48 KiB devices differ: those of
/// compute capability 7.5 have 64 KiB for a block, those of 8.6 and 8.9 have 99 KiB, those of 8.0 163 KiB,
/// those of 9.0 227 KiB.
/// @throws ladder::Error at the caller's line that says what the device has
inline void require_shared_memory(std::size_t bytes,
                                  std::source_location where = std::source_location::current()) {
  int device = 0, allowed = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), where);
  check(cudaDeviceGetAttribute(&allowed, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), where);
  if (bytes <= std::size_t(allowed)) return;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), where);
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), where);
  char text[256];
  std::snprintf(text, sizeof text,
                "a block needs %zu bytes of shared memory, and this GPU, of compute capability %d.%d, "
                "allows %d: use one that allows more",
                bytes, major, minor, allowed);
  details::fail(where, text);
}

namespace details {

/// An exception ends a step before it has waited for its own work: that may still use what is released now.
/// CUDA does not promise that cudaFree waits.
inline void wait_if_unwinding() {
  if (std::uncaught_exceptions() > 0) static_cast<void>(cudaDeviceSynchronize());
}

// Functions that release, with only the object as their parameter: the executor's functions have one more.
inline void free_device(void* memory) {
  wait_if_unwinding();
  cudaFree(memory);
}
inline void free_pinned(void* memory) {
  wait_if_unwinding();
  cudaFreeHost(memory);
}
/// The device's pool keeps released memory for the next allocation.
inline cudaError_t allocate_pooled(void** memory, std::size_t bytes, cudaStream_t stream) {
  static std::atomic<std::uint64_t> prepared{0};  // a bit for each device whose pool is configured
  int device = 0;
  if (const cudaError_t failed = cudaGetDevice(&device)) return failed;
  const std::uint64_t bit = std::uint64_t{1} << device % 64;
  if (!(prepared & bit)) {
    cudaMemPool_t pool = nullptr;
    unsigned long long all = ~0ull;
    if (const cudaError_t failed = cudaDeviceGetDefaultMemPool(&pool, device)) return failed;
    if (const cudaError_t failed = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all))
      return failed;
    if (device < 64) prepared |= bit;
  }
  return cudaMallocAsync(memory, bytes, stream);
}
inline void destroy_stream(cudaStream_t stream) {
  cudaStreamDestroy(stream);
}
inline void destroy_event(cudaEvent_t event) {
  cudaEventDestroy(event);
}

/// Elements on the device or on the host.
template <class T, auto release>
struct Memory : Handle<T*, release> {
  std::size_t size() const { return this->get() ? count_ : 0; }  ///< elements
  std::size_t bytes() const { return size() * sizeof(T); }       ///< for cudaMemcpy

 protected:
  template <class Allocate>
  Memory(std::size_t count, Allocate allocate, std::source_location where)
      : Memory::Handle(count > 0 ? allocated(count * sizeof(T), allocate, where) : nullptr), count_(count) {}

 private:
  template <class Allocate>
  static T* allocated(std::size_t bytes, Allocate allocate, std::source_location where) {
    const CallSite site(where.file_name(), where.line());
    void* memory = nullptr;
    check(allocate(&memory, bytes), where);
    return static_cast<T*>(memory);
  }
  std::size_t count_;
};

}  // namespace details

/// Owns memory on the device; get() is not to be read by the host. For steps that wait for their work before
/// they return: released memory must not be in use. If an exception ends the step, its work is waited for.
template <class T>
struct DeviceBuffer : details::Memory<T, details::free_device> {
  /// Allocates `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line when the device has not enough memory.
  explicit DeviceBuffer(std::size_t count, std::source_location where = std::source_location::current())
      : DeviceBuffer::Memory(
            count, [](void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }, where) {}
};

/// Owns memory on the device that a stream allocates and frees in its order: neither waits for the device,
/// and the device's pool keeps the memory for the next one. For what a step needs in each call. What other
/// streams do with the memory must be ordered between the two: that of blocking streams is by the default
/// stream, if they are destroyed after the buffer, and so declared before.
template <class T>
class PooledBuffer {
 public:
  /// Allocates `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line when the device has not enough memory, or no pool.
  explicit PooledBuffer(std::size_t count, cudaStream_t stream = nullptr,
                        std::source_location where = std::source_location::current())
      : memory_(nullptr, Release{stream}), count_(count) {
    if (count == 0) return;
    const CallSite site(where.file_name(), where.line());
    void* memory = nullptr;
    check(details::allocate_pooled(&memory, count * sizeof(T), stream), where);
    memory_.reset(static_cast<T*>(memory));
  }
  T* get() const { return memory_.get(); }                 ///< not to be read by the host
  std::size_t size() const { return get() ? count_ : 0; }  ///< elements
  std::size_t bytes() const { return size() * sizeof(T); }

 private:
  struct Release {
    cudaStream_t stream;
    void operator()(T* memory) const {
      details::wait_if_unwinding();
      cudaFreeAsync(memory, stream);
    }
  };
  std::unique_ptr<T, Release> memory_;
  std::size_t count_;
};

/// Owns pinned (page-locked) memory on the host: copies from and to it can run alongside the host and the
/// kernels.
template <class T>
struct PinnedBuffer : details::Memory<T, details::free_pinned> {
  /// Allocates `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line.
  explicit PinnedBuffer(std::size_t count, std::source_location where = std::source_location::current())
      : PinnedBuffer::Memory(
            count, [](void** memory, std::size_t bytes) { return cudaMallocHost(memory, bytes); }, where) {}

  T& operator[](std::size_t i) const { return this->get()[i]; }  ///< element i
};

/// @return the priority of streams whose kernels' blocks begin before those of other streams that are
/// waiting; other streams have priority 0.
/// @throws ladder::Error at the caller's line.
inline int greatest_priority(std::source_location where = std::source_location::current()) {
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), where);
  return greatest;
}

/// Owns a stream.
struct Stream : Handle<cudaStream_t, details::destroy_stream> {
  /// @param flags  cudaStreamDefault, or cudaStreamNonBlocking for one that ignores the legacy default
  /// stream.
  /// @param priority  0, or greatest_priority().
  /// @throws ladder::Error at the caller's line.
  explicit Stream(unsigned flags = cudaStreamDefault, int priority = 0,
                  std::source_location where = std::source_location::current())
      : Handle([&] {
          cudaStream_t stream = nullptr;
          check(cudaStreamCreateWithPriority(&stream, flags, priority), where);
          return stream;
        }()) {}
};

/// Owns an event.
struct Event : Handle<cudaEvent_t, details::destroy_event> {
  /// @param flags  cudaEventDisableTiming where only order matters: cheaper.
  /// @throws ladder::Error at the caller's line.
  explicit Event(unsigned flags = cudaEventDefault,
                 std::source_location where = std::source_location::current())
      : Handle([&] {
          cudaEvent_t event = nullptr;
          check(cudaEventCreateWithFlags(&event, flags), where);
          return event;
        }()) {}
};

}  // namespace ladder
