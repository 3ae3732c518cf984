#pragma once
/// @file
/// What a CUDA step may use: checked calls, and owners for memory, streams and events.
/// For nvcc and for the executor. Needs CUDA 12.2 or newer (std::source_location in .cu files).

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <source_location>

#include "common/base/error.hpp"
#include "common/device/handle.hpp"

namespace ladder {

/// Where a buffer is made. The executor keeps it for its messages; nvcc's side has no use for it.
#ifdef LADDER_EXECUTOR
using CallSite = executor::CallSite;  // its messages then name the line of who makes the buffer
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

namespace details {

// What gives back, with nothing but the object as its parameter: the executor's functions have one more.
inline void free_device(void* memory) {
  cudaFree(memory);
}
inline void free_pooled(void* memory) {
  cudaFreeAsync(memory, nullptr);
}
inline void free_pinned(void* memory) {
  cudaFreeHost(memory);
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

/// Owns memory on the device; get() is not to be read by the host.
template <class T>
struct DeviceBuffer : details::Memory<T, details::free_device> {
  /// Allocates `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line when the device has not enough memory.
  explicit DeviceBuffer(std::size_t count, std::source_location where = std::source_location::current())
      : DeviceBuffer::Memory(
            count, [](void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }, where) {}
};

/// Owns memory on the device that the default stream gets and gives back in its order: neither waits for the device, and the
/// device's pool keeps the memory for the next one. For what a step needs in each call.
template <class T>
struct PooledBuffer : details::Memory<T, details::free_pooled> {
  /// Allocates `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line when the device has not enough memory, or no pool.
  explicit PooledBuffer(std::size_t count, std::source_location where = std::source_location::current())
      : PooledBuffer::Memory(
            count,
            [](void** memory, std::size_t bytes) {
              int device = 0;
              cudaMemPool_t pool = nullptr;
              unsigned long long all = ~0ull;
              if (const cudaError_t failed = cudaGetDevice(&device)) return failed;
              if (const cudaError_t failed = cudaDeviceGetDefaultMemPool(&pool, device)) return failed;
              if (const cudaError_t failed = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all))
                return failed;
              return cudaMallocAsync(memory, bytes, nullptr);
            },
            where) {}
};

/// Owns pinned (page-locked) memory on the host: copies from and to it can run beside the host and the kernels.
template <class T>
struct PinnedBuffer : details::Memory<T, details::free_pinned> {
  /// Allocates `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line.
  explicit PinnedBuffer(std::size_t count, std::source_location where = std::source_location::current())
      : PinnedBuffer::Memory(
            count, [](void** memory, std::size_t bytes) { return cudaMallocHost(memory, bytes); }, where) {}

  T& operator[](std::size_t i) const { return this->get()[i]; }  ///< element i
};

/// Owns a stream.
struct Stream : Handle<cudaStream_t, details::destroy_stream> {
  /// @param flags  cudaStreamDefault, or cudaStreamNonBlocking for one that ignores the legacy default stream.
  /// @throws ladder::Error at the caller's line.
  explicit Stream(unsigned flags = cudaStreamDefault,
                  std::source_location where = std::source_location::current())
      : Handle([&] {
          cudaStream_t stream = nullptr;
          check(cudaStreamCreateWithFlags(&stream, flags), where);
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
