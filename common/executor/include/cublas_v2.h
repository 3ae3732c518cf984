#pragma once
/// @file
/// The part of cuBLAS that the executor has, on OpenBLAS: real vectors, products, triangular systems, in
/// float and double. Column-major, as in cuBLAS. Calls are put into the handle's stream like kernels.

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

// What helper headers ask to see whether cuBLAS was included.
#define CUBLAS_API_H_
#define CUBLAS_V2_H_
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

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
  CUBLAS_STATUS_LICENSE_ERROR = 16,
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
};
/// Computed in double here, and rounded once.
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };

struct cublasContext;
using cublasHandle_t = cublasContext*;

namespace ladder::executor {
/// Why the last call of this thread failed that returned this status; empty when its name says it all.
const char* why_failed(cublasStatus_t status);
}  // namespace ladder::executor

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

// ---------------------------------------------------------------- both precisions

// Written once for S (float) and D (double).
#define LADDER_BLAS(P, p, T)                                                                                 \
  /** y = alpha x + y */                                                                                     \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,   \
                                 int incy, LADDER_EXECUTOR_SITE);                                            \
  cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx,               \
                                 LADDER_EXECUTOR_SITE);                                                      \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy,         \
                                 LADDER_EXECUTOR_SITE);                                                      \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,               \
                                 LADDER_EXECUTOR_SITE);                                                      \
  cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,    \
                                T* result, LADDER_EXECUTOR_SITE);                                            \
  cublasStatus_t cublas##P##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result,              \
                                 LADDER_EXECUTOR_SITE);                                                      \
  cublasStatus_t cublas##P##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result,              \
                                 LADDER_EXECUTOR_SITE);                                                      \
  /** Number of the element of greatest magnitude, from 1. */                                                \
  cublasStatus_t cublasI##p##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result,           \
                                  LADDER_EXECUTOR_SITE);                                                     \
  /** y = alpha op(A) x + beta y */                                                                          \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha,  \
                                 const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy,   \
                                 LADDER_EXECUTOR_SITE);                                                      \
  /** A = alpha x y^T + A */                                                                                 \
  cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,   \
                                const T* y, int incy, T* A, int lda, LADDER_EXECUTOR_SITE);                  \
  /** C = alpha op(A) + beta op(B) */                                                                        \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, \
                                 int n, const T* alpha, const T* A, int lda, const T* beta, const T* B,      \
                                 int ldb, T* C, int ldc, LADDER_EXECUTOR_SITE);
LADDER_BLAS(S, s, float)
LADDER_BLAS(D, d, double)
#undef LADDER_BLAS

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                           int k, const float* alpha, const float* A, int lda, const float* B, int ldb,
                           const float* beta, float* C, int ldc, LADDER_EXECUTOR_SITE);
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
                                  int n, int k, const float* alpha, const float* const A[], int lda,
                                  const float* const B[], int ldb, const float* beta, float* const C[],
                                  int ldc, int count, LADDER_EXECUTOR_SITE);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                         int m, int n, int k, const float* alpha, const float* A, int lda,
                                         long long strideA, const float* B, int ldb, long long strideB,
                                         const float* beta, float* C, int ldc, long long strideC, int count,
                                         LADDER_EXECUTOR_SITE);
cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const float* alpha,
                           const float* A, int lda, float* B, int ldb, LADDER_EXECUTOR_SITE);
cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const float* alpha, const float* A, int lda, const float* beta, float* C, int ldc,
                           LADDER_EXECUTOR_SITE);

// Products of other types by their names
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                            int k, const void* alpha, const void* A, cudaDataType typeA, int lda,
                            const void* B, cudaDataType typeB, int ldb, const void* beta, void* C,
                            cudaDataType typeC, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm, LADDER_EXECUTOR_SITE);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                          int m, int n, int k, const void* alpha, const void* A,
                                          cudaDataType typeA, int lda, long long strideA, const void* B,
                                          cudaDataType typeB, int ldb, long long strideB, const void* beta,
                                          void* C, cudaDataType typeC, int ldc, long long strideC, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm,
                                          LADDER_EXECUTOR_SITE);

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
inline cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetVector(int n, int element, const void* x, int incx, void* y, int incy,
                               LADDER_EXECUTOR_SITE);
cublasStatus_t cublasGetVector(int n, int element, const void* x, int incx, void* y, int incy,
                               LADDER_EXECUTOR_SITE);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void* A, int lda, void* B, int ldb,
                               LADDER_EXECUTOR_SITE);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void* A, int lda, void* B, int ldb,
                               LADDER_EXECUTOR_SITE);
