#pragma once
/// @file
/// What a CUDA step may use of cuBLAS: checked calls, and handles that last from call to call. For nvcc and
/// for the executor.

#include <cublas_v2.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "common/device/cuda.hpp"

namespace ladder {

/// Throws when a call of cuBLAS failed. The error names the caller's file and line, and cuBLAS's name for it,
/// and on the executor the reason.
/// @throws ladder::Error
inline void check(cublasStatus_t status, std::source_location where = std::source_location::current()) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
#ifdef LADDER_EXECUTOR
  if (const std::string why = executor::why_failed(status); !why.empty())
    details::fail(where, (cublasGetStatusName(status) + (": " + why)).c_str());
#endif
  details::fail(where, cublasGetStatusName(status));
}

/// Idle handles. Creating one costs milliseconds and, on a GPU, 64 MB of its
/// memory: a program keeps its handles from call to call, and so do we.
class IdleCublas {
 public:
  /// Never destroyed: when a process ends, the driver may be gone before its statics.
  static IdleCublas& get() {
    static auto* const idle = new IdleCublas;
    return *idle;
  }

  /// @return a handle of that device; null when none is idle.
  cublasHandle_t acquire(int device) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(handles_.rbegin(), handles_.rend(),
                                    [&](const auto& idle) { return idle.first == device; });
    if (found == handles_.rend()) return nullptr;
    const cublasHandle_t handle = found->second;
    handles_.erase(std::next(found).base());
    return handle;
  }

  /// Takes a handle back, as cublasCreate makes one: the next holder finds no stream and no mode of the last
  /// one.
  void release(int device, cublasHandle_t handle) noexcept {
    try {
      check(cublasSetStream(handle, nullptr));  // also takes a workspace of the holder's away
      check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
      check(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
      const std::lock_guard lock(mutex_);
      handles_.emplace_back(device, handle);
    } catch (...) {
      cublasDestroy(handle);
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<int, cublasHandle_t>> handles_;  // device, handle
};

/// Holds a handle. One thread at a time may use it: the stream is part of its state. Calls that still run
/// when it is released go on; the next holder's do not wait for them.
class Cublas {
 public:
  /// @param stream  into which its calls go; cublasSetStream changes it.
  /// @throws ladder::Error at the caller's line.
  explicit Cublas(cudaStream_t stream = nullptr,
                  std::source_location where = std::source_location::current()) {
    check(cudaGetDevice(&device_), where);
    handle_ = IdleCublas::get().acquire(device_);
    if (!handle_) check(cublasCreate(&handle_), where);
    if (const cublasStatus_t status = cublasSetStream(handle_, stream); status != CUBLAS_STATUS_SUCCESS) {
      cublasDestroy(handle_);  // a constructor that throws has no destructor
      check(status, where);
    }
  }
  ~Cublas() {
    if (handle_) IdleCublas::get().release(device_, handle_);
  }
  Cublas(Cublas&& other) noexcept : device_(other.device_), handle_(std::exchange(other.handle_, nullptr)) {}
  Cublas& operator=(Cublas&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }

  cublasHandle_t get() const { return handle_; }  ///< the handle

 private:
  int device_ = 0;
  cublasHandle_t handle_ = nullptr;
};

}  // namespace ladder
