/// @file
/// cuBLAS for the executor: each call is an operation of its stream that calls OpenBLAS. Handles, and double
/// precision.

#include "common/executor/cublas/cublas_matrices.hpp"

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
  set_stream(handle, stream);
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

// ---------------------------------------------------------------- double precision

cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                           int k, const double* alpha, const double* A, int lda, const double* B, int ldb,
                           const double* beta, double* C, int ldc, Site site) {
  return multiply("cublasDgemm", handle, {opA, opB, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C, site);
}

cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
                                  int n, int k, const double* alpha, const double* const A[], int lda,
                                  const double* const B[], int ldb, const double* beta, double* const C[],
                                  int ldc, int count, Site site) {
  return multiply_batch("cublasDgemmBatched", handle, {opA, opB, m, n, k, lda, ldb, ldc}, alpha, A, B, beta,
                        C, count, site);
}

cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                         int m, int n, int k, const double* alpha, const double* A, int lda,
                                         long long strideA, const double* B, int ldb, long long strideB,
                                         const double* beta, double* C, int ldc, long long strideC, int count,
                                         Site site) {
  return multiply_strided("cublasDgemmStridedBatched", handle, {opA, opB, m, n, k, lda, ldb, ldc},
                          {strideA, strideB, strideC}, alpha, A, B, beta, C, count, site);
}

cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const double* alpha,
                           const double* A, int lda, double* B, int ldb, Site site) {
  return solve("cublasDtrsm", handle, {side, fill, op, diagonal, m, n, lda, ldb}, alpha, A, B, site);
}

cublasStatus_t cublasDtrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                  cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                                  const double* alpha, const double* const A[], int lda, double* const B[],
                                  int ldb, int count, Site site) {
  Call call = begin("cublasDtrsmBatched", handle, {m, n, count}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS || count == 0) return call.status;
  const Triangle t{side, fill, op, diagonal, m, n, lda, ldb};
  const Scalar factor(handle, alpha);
  call.require_leading("A", lda, t.order());
  call.require_leading("B", ldb, m);
  call.require_device("the array of pointers A", A, static_cast<std::size_t>(count) * sizeof(double*));
  call.require_device("the array of pointers B", B, static_cast<std::size_t>(count) * sizeof(double*));
  call.reads_scalar(factor);
  call.reads(A, count, 1, count);
  call.reads(B, count, 1, count);
  return submit(call, m, n, count, [=] {
    std::vector<TouchedMemory> touches;
    for (int i = 0; i < count; ++i) t.add_to(touches, A[i], B[i], sizeof(double));
    notify_touches(touches);
    for (int i = 0; i < count; ++i) t.solve(factor, A[i], B[i]);
  });
}

cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const double* alpha, const double* A, int lda, const double* beta, double* C,
                           int ldc, Site site) {
  return update("cublasDsyrk", handle, fill, op, n, k, alpha, A, lda, beta, C, ldc, site);
}
