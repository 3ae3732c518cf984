#pragma once
/// @file
/// The part of cuBLAS that the executor has, on OpenBLAS: dgemm, dtrsm, dsyrk and the batched forms that cuBLAS knows.
/// Column-major, as in cuBLAS. Calls are put into the handle's stream like kernels.

#include "cuda_runtime.h"

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t { CUBLAS_DEFAULT_MATH = 0, CUBLAS_PEDANTIC_MATH = 2 };

struct cublasContext;
using cublasHandle_t = cublasContext*;

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

/// C = alpha op(A) op(B) + beta C
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                           int k, const double* alpha, const double* A, int lda, const double* B, int ldb,
                           const double* beta, double* C, int ldc, LADDER_EXECUTOR_SITE);
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
                                  int n, int k, const double* alpha, const double* const A[], int lda,
                                  const double* const B[], int ldb, const double* beta, double* const C[],
                                  int ldc, int count, LADDER_EXECUTOR_SITE);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                         int m, int n, int k, const double* alpha, const double* A, int lda,
                                         long long strideA, const double* B, int ldb, long long strideB,
                                         const double* beta, double* C, int ldc, long long strideC, int count,
                                         LADDER_EXECUTOR_SITE);

/// Solves op(A) X = alpha B or X op(A) = alpha B; X takes B's place.
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t opA, cublasDiagType_t diagonal, int m, int n,
                           const double* alpha, const double* A, int lda, double* B, int ldb,
                           LADDER_EXECUTOR_SITE);
cublasStatus_t cublasDtrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                  cublasOperation_t opA, cublasDiagType_t diagonal, int m, int n,
                                  const double* alpha, const double* const A[], int lda, double* const B[],
                                  int ldb, int count, LADDER_EXECUTOR_SITE);

/// C = alpha op(A) op(A)^T + beta C, one triangle of it
cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const double* alpha, const double* A, int lda, const double* beta, double* C,
                           int ldc, LADDER_EXECUTOR_SITE);
