#pragma once
/// @file
/// What every call of cuBLAS begins with: the checks of its handle, sizes and pointers.

#include <cblas.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "common/executor/include/cublas_v2.h"
#include "common/executor/runtime/call.hpp"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
};

namespace ladder::executor {

inline CBLAS_TRANSPOSE transpose(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}
inline CBLAS_UPLO triangle(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
inline CBLAS_SIDE side_of(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}
inline CBLAS_DIAG diagonal_of(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

/// alpha and beta: the host's are read when the call is made, the device's when it runs.
template <class T>
struct ScalarOf {
  const T* device;
  T host;

  ScalarOf(const cublasContext* context, const T* pointer)
      : device(context->mode == CUBLAS_POINTER_MODE_DEVICE ? pointer : nullptr),
        host(device ? T{} : *pointer) {}
  T value() const { return device ? *device : host; }
};
using Scalar = ScalarOf<double>;

/// The call that is being checked: what is wrong becomes a line about the student's line.
struct Call {
  const char* name;
  Site site;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;

  void require(bool condition, const std::string& problem);
  void require_leading(const char* what, int ld, int rows);
  /// A matrix must lie whole in device memory.
  template <class T>
  void require_matrix(const char* what, const T* pointer, int rows, int columns, int ld) {
    require_matrix(what, pointer, rows, columns, ld, sizeof(T));
  }
  void require_matrix(const char* what, const void* pointer, int rows, int columns, int ld,
                      std::size_t element);
  /// A vector of n elements, `step` apart.
  void require_vector(const char* what, const void* pointer, int n, int step, std::size_t element);
  void require_device(const char* what, const void* pointer, std::size_t bytes);
};

/// Checks handle and sizes and starts a call.
Call begin(const char* name, cublasContext* context, std::initializer_list<int> sizes, Site where);

/// Puts the work into the handle's stream, as one kernel with a thread an element.
cublasStatus_t submit(const Call& call, const cublasContext* context, int m, int n, int count,
                      std::function<void()> work);
/// The same for a call that gives the host a number: it returns when the number is there.
cublasStatus_t submit_and_wait(const Call& call, const cublasContext* context, int n,
                               std::function<void()> work);

}  // namespace ladder::executor
