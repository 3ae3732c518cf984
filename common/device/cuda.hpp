#pragma once
/// @file
/// What a CUDA step may use: checked calls, and owners for memory, streams and events.
/// For nvcc and for the executor. Needs CUDA 12.2 or newer (std::source_location in .cu files).

#include <cuda_runtime.h>

#include <cstddef>
#include <source_location>
#include <string>
#include <utility>

#include "common/base/error.hpp"

namespace ladder {

/// Where a buffer is made. The executor keeps it for its messages; nvcc's side has no use for it.
#ifdef LADDER_EXECUTOR
using CallSite = executor::CallSite;  // its messages then name the line of who makes the buffer
#else
struct CallSite {
  CallSite(const char*, unsigned) {}
};
#endif

/// CUDA's name and text of an error, and on the executor the reason.
inline std::string error_text(cudaError_t code) {
  std::string text = std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code);
#ifdef LADDER_EXECUTOR
  if (const std::string why = executor::why_failed(code); !why.empty()) text += ": " + why;
#endif
  return text;
}

/// Throws when a CUDA call failed. The error names the caller's file and line, and CUDA's name and text.
/// @throws ladder::Error
inline void check(cudaError_t code, std::source_location where = std::source_location::current()) {
  if (code == cudaSuccess) return;
  throw Error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + error_text(code));
}

/// Owns memory on the device.
template <class T>
class DeviceBuffer {
 public:
  /// Allocates `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line when the device has not enough memory.
  explicit DeviceBuffer(std::size_t count, std::source_location where = std::source_location::current())
      : count_(count) {
    const CallSite site(where.file_name(), where.line());
    if (count > 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), where);
  }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }

  T* get() const { return data_; }                          ///< device pointer, not to be read by the host
  std::size_t size() const { return count_; }               ///< elements
  std::size_t bytes() const { return count_ * sizeof(T); }  ///< for cudaMemcpy

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Owns pinned (page-locked) memory on the host: copies from and to it can run beside the host and the kernels.
template <class T>
class PinnedBuffer {
 public:
  /// Allocates `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line.
  explicit PinnedBuffer(std::size_t count, std::source_location where = std::source_location::current())
      : count_(count) {
    const CallSite site(where.file_name(), where.line());
    if (count > 0) check(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(T)), where);
  }
  ~PinnedBuffer() {
    if (data_) cudaFreeHost(data_);
  }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }

  T* get() const { return data_; }                          ///< host pointer
  T& operator[](std::size_t i) const { return data_[i]; }   ///< element i
  std::size_t size() const { return count_; }               ///< elements
  std::size_t bytes() const { return count_ * sizeof(T); }  ///< for cudaMemcpy

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Owns a stream.
class Stream {
 public:
  /// @param flags  cudaStreamDefault, or cudaStreamNonBlocking for one that ignores the legacy default stream.
  /// @throws ladder::Error at the caller's line.
  explicit Stream(unsigned flags = cudaStreamDefault,
                  std::source_location where = std::source_location::current()) {
    check(cudaStreamCreateWithFlags(&stream_, flags), where);
  }
  ~Stream() {
    if (stream_) cudaStreamDestroy(stream_);
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }

  cudaStream_t get() const { return stream_; }  ///< the handle

 private:
  cudaStream_t stream_ = nullptr;
};

/// Owns an event.
class Event {
 public:
  /// @param flags  cudaEventDisableTiming where only order matters: cheaper.
  /// @throws ladder::Error at the caller's line.
  explicit Event(unsigned flags = cudaEventDefault,
                 std::source_location where = std::source_location::current()) {
    check(cudaEventCreateWithFlags(&event_, flags), where);
  }
  ~Event() {
    if (event_) cudaEventDestroy(event_);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  cudaEvent_t get() const { return event_; }  ///< the handle

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace ladder
