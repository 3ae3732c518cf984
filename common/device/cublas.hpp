#pragma once
/// @file
/// cuBLAS: a checked call and a handle. For nvcc and for the executor, whose cuBLAS is OpenBLAS.

#include <cublas_v2.h>

#include <source_location>
#include <string>

#include "common/device/cuda.hpp"

namespace ladder {

/// Throws when a cuBLAS call failed. The error names the caller's file and line. @throws ladder::Error
inline void check(cublasStatus_t status, std::source_location where = std::source_location::current()) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": cuBLAS status " +
              std::to_string(status));
}

/// One handle for the life of the process: making one takes longer than a small product.
inline cublasHandle_t cublas_handle() {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made));
    return made;
  }();
  return handle;
}

}  // namespace ladder
