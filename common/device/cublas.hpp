#pragma once
/// @file
/// What a CUDA step may use of cuBLAS: checked calls, and the owner of a handle. For nvcc and for the executor.

#include <cublas_v2.h>

#include <source_location>
#include <string>
#include <utility>

#include "common/device/cuda.hpp"

namespace ladder {

/// Throws when a call of cuBLAS failed. The error names the caller's file and line, and cuBLAS's name for it.
/// @throws ladder::Error
inline void check(cublasStatus_t status, std::source_location where = std::source_location::current()) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " +
              cublasGetStatusName(status));
}

/// Owns a handle. One thread at a time may use it: the stream is part of its state.
class Cublas {
 public:
  /// @param stream  into which its calls go; cublasSetStream changes it.
  /// @throws ladder::Error at the caller's line.
  explicit Cublas(cudaStream_t stream = nullptr,
                  std::source_location where = std::source_location::current()) {
    check(cublasCreate(&handle_), where);
    check(cublasSetStream(handle_, stream), where);
  }
  ~Cublas() {
    if (handle_) cublasDestroy(handle_);
  }
  Cublas(Cublas&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Cublas& operator=(Cublas&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  cublasHandle_t get() const { return handle_; }  ///< the handle

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace ladder
