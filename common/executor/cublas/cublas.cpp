/// @file
/// cuBLAS for the executor: each call is an operation of its stream that calls OpenBLAS. Handles, and double precision.

#include <memory>

#include "common/executor/cublas/cublas_call.hpp"

namespace ladder::executor {
namespace {

/// The sizes of a product and what multiplies it.
struct Product {
  cublasOperation_t opA, opB;
  int m, n, k, lda, ldb, ldc;
  Scalar alpha, beta;

  int rowsA() const { return opA == CUBLAS_OP_N ? m : k; }
  int columnsA() const { return opA == CUBLAS_OP_N ? k : m; }
  int rowsB() const { return opB == CUBLAS_OP_N ? k : n; }
  int columnsB() const { return opB == CUBLAS_OP_N ? n : k; }
  void run(const double* A, const double* B, double* C) const {
    cblas_dgemm(CblasColMajor, transpose(opA), transpose(opB), m, n, k, alpha.value(), A, lda, B, ldb,
                beta.value(), C, ldc);
  }
};

/// A triangular system.
struct System {
  cublasSideMode_t side;
  cublasFillMode_t fill;
  cublasOperation_t opA;
  cublasDiagType_t diagonal;
  int m, n, lda, ldb;
  Scalar alpha;

  int order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  void run(const double* A, double* B) const {
    cblas_dtrsm(CblasColMajor, side_of(side), triangle(fill), transpose(opA), diagonal_of(diagonal), m, n,
                alpha.value(), A, lda, B, ldb);
  }
};

}  // namespace
}  // namespace ladder::executor

using namespace ladder::executor;

// ---------------------------------------------------------------- handle

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;  // queued work has its own copies of what it needs
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "CUBLAS_STATUS_?";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  return cublasGetStatusName(status);
}

// ---------------------------------------------------------------- products

cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                           int k, const double* alpha, const double* A, int lda, const double* B, int ldb,
                           const double* beta, double* C, int ldc, Site site) {
  Call call = begin("cublasDgemm", handle, {m, n, k}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;
  const Product product{opA, opB, m, n, k, lda, ldb, ldc, Scalar(handle, alpha), Scalar(handle, beta)};
  call.require_matrix("A", A, product.rowsA(), product.columnsA(), lda);
  call.require_matrix("B", B, product.rowsB(), product.columnsB(), ldb);
  call.require_matrix("C", C, m, n, ldc);
  return submit(call, handle, m, n, 1, [=] { product.run(A, B, C); });
}

cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
                                  int n, int k, const double* alpha, const double* const A[], int lda,
                                  const double* const B[], int ldb, const double* beta, double* const C[],
                                  int ldc, int count, Site site) {
  Call call = begin("cublasDgemmBatched", handle, {m, n, k, count}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS || count == 0) return call.status;
  const Product product{opA, opB, m, n, k, lda, ldb, ldc, Scalar(handle, alpha), Scalar(handle, beta)};
  call.require_leading("A", lda, product.rowsA());
  call.require_leading("B", ldb, product.rowsB());
  call.require_leading("C", ldc, m);
  for (const auto& [name, array] : {std::pair{"the array of pointers A", static_cast<const void*>(A)},
                                    std::pair{"the array of pointers B", static_cast<const void*>(B)},
                                    std::pair{"the array of pointers C", static_cast<const void*>(C)}})
    call.require_device(name, array, static_cast<std::size_t>(count) * sizeof(double*));
  return submit(call, handle, m, n, count, [=] {
    for (int i = 0; i < count; ++i) product.run(A[i], B[i], C[i]);
  });
}

cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                         int m, int n, int k, const double* alpha, const double* A, int lda,
                                         long long strideA, const double* B, int ldb, long long strideB,
                                         const double* beta, double* C, int ldc, long long strideC, int count,
                                         Site site) {
  Call call = begin("cublasDgemmStridedBatched", handle, {m, n, k, count}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS || count == 0) return call.status;
  const Product product{opA, opB, m, n, k, lda, ldb, ldc, Scalar(handle, alpha), Scalar(handle, beta)};
  const long long last = count - 1;
  call.require_matrix("A", A, product.rowsA(), product.columnsA(), lda);
  call.require_matrix("B", B, product.rowsB(), product.columnsB(), ldb);
  call.require_matrix("C", C, m, n, ldc);
  call.require_matrix("the last A", A + last * strideA, product.rowsA(), product.columnsA(), lda);
  call.require_matrix("the last B", B + last * strideB, product.rowsB(), product.columnsB(), ldb);
  call.require_matrix("the last C", C + last * strideC, m, n, ldc);
  return submit(call, handle, m, n, count, [=] {
    for (long long i = 0; i < count; ++i) product.run(A + i * strideA, B + i * strideB, C + i * strideC);
  });
}

// ---------------------------------------------------------------- triangular systems, symmetric updates

cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t opA, cublasDiagType_t diagonal, int m, int n,
                           const double* alpha, const double* A, int lda, double* B, int ldb, Site site) {
  Call call = begin("cublasDtrsm", handle, {m, n}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;
  const System system{side, fill, opA, diagonal, m, n, lda, ldb, Scalar(handle, alpha)};
  call.require_matrix("A", A, system.order(), system.order(), lda);
  call.require_matrix("B", B, m, n, ldb);
  return submit(call, handle, m, n, 1, [=] { system.run(A, B); });
}

cublasStatus_t cublasDtrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                  cublasOperation_t opA, cublasDiagType_t diagonal, int m, int n,
                                  const double* alpha, const double* const A[], int lda, double* const B[],
                                  int ldb, int count, Site site) {
  Call call = begin("cublasDtrsmBatched", handle, {m, n, count}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS || count == 0) return call.status;
  const System system{side, fill, opA, diagonal, m, n, lda, ldb, Scalar(handle, alpha)};
  call.require_leading("A", lda, system.order());
  call.require_leading("B", ldb, m);
  call.require_device("the array of pointers A", A, static_cast<std::size_t>(count) * sizeof(double*));
  call.require_device("the array of pointers B", B, static_cast<std::size_t>(count) * sizeof(double*));
  return submit(call, handle, m, n, count, [=] {
    for (int i = 0; i < count; ++i) system.run(A[i], B[i]);
  });
}

cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const double* alpha, const double* A, int lda, const double* beta, double* C,
                           int ldc, Site site) {
  Call call = begin("cublasDsyrk", handle, {n, k}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;
  const bool plain = op == CUBLAS_OP_N;
  call.require_matrix("A", A, plain ? n : k, plain ? k : n, lda);
  call.require_matrix("C", C, n, n, ldc);
  const Scalar alpha_value(handle, alpha), beta_value(handle, beta);
  return submit(call, handle, n, n, 1, [=] {
    cblas_dsyrk(CblasColMajor, triangle(fill), transpose(op), n, k, alpha_value.value(), A, lda,
                beta_value.value(), C, ldc);
  });
}
