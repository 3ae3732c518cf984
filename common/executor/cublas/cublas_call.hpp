#pragma once
/// @file
/// What every call of cuBLAS begins with: the checks of its handle, sizes and pointers.

#include <cblas.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

#include "common/executor/include/cublas_v2.h"
#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/observer.hpp"

struct cublasContext {
  std::atomic<cudaStream_t> stream{nullptr};  // atomic: a mistake of a program's threads shall be its own
  std::atomic<std::thread::id> thread{};      // that set it last
  const unsigned long number = ++made();      // an address may be that of one that was destroyed
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;

 private:
  static std::atomic<unsigned long>& made() {
    static std::atomic<unsigned long> count{0};
    return count;
  }
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

/// Which part of a matrix a call knows.
enum class Part { whole, lower, upper };
inline Part part_of(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? Part::lower : Part::upper;
}

/// A matrix as a call sees it: column-major; what lies between its columns belongs to others.
struct MatrixArea {
  const void* begin;
  int rows, columns, ld;
  std::size_t element;
  Part part = Part::whole;
};

/// Adds what an access to the matrix touches. Nothing without an observer.
void add_touches(std::vector<TouchedMemory>& touches, const MatrixArea& area, bool write);

/// Sets the stream for the calling thread's next call with that handle.
void set_stream(cublasContext* context, cudaStream_t stream);

/// The call that is being checked: what is wrong becomes a line about the student's line.
struct Call {
  const char* name;
  Site site;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  cudaStream_t stream = nullptr;  ///< the handle's when the call began
  std::vector<TouchedMemory> touches =
      {};  ///< for the observer; batches by pointers report theirs when they run

  template <class T>
  void reads(const T* A, int rows, int columns, int ld, Part part = Part::whole) {
    add_touches(touches, {A, rows, columns, ld, sizeof(T), part}, false);
  }
  template <class T>
  void writes(const T* A, int rows, int columns, int ld, Part part = Part::whole) {
    add_touches(touches, {A, rows, columns, ld, sizeof(T), part}, true);
  }
  /// A vector is a matrix of one row.
  template <class T>
  void reads_vector(const T* x, int n, int step) {
    reads(x, 1, n, std::abs(step));
  }
  template <class T>
  void writes_vector(const T* x, int n, int step) {
    writes(x, 1, n, std::abs(step));
  }
  /// alpha or beta on the device.
  template <class T>
  void reads_scalar(const ScalarOf<T>& scalar) {
    if (scalar.device) reads(scalar.device, 1, 1, 1);
  }

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

/// Reports to the observer what the running call touches, where only its pointers in device memory show it.
void notify_touches(const std::vector<TouchedMemory>& touches);

/// Puts the work into the call's stream, as one kernel with a thread per element.
cublasStatus_t submit(const Call& call, int m, int n, int count, std::function<void()> work);
/// The same for a call that gives the host a number: it returns when the number is there.
cublasStatus_t submit_and_wait(const Call& call, const cublasContext* context, int n,
                               std::function<void()> work);

}  // namespace ladder::executor
