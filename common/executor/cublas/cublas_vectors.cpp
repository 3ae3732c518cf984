/// @file
/// cuBLAS of vectors, and of a matrix with a vector, in both precisions.

#include "common/executor/cublas/cublas_call.hpp"

using namespace ladder::executor;

// Written once for S (float) and D (double): LADDER_BLAS(S, s, float) and LADDER_BLAS(D, d, double).
#define LADDER_BLAS(P, p, T)                                                                                 \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,   \
                                 int incy, Site site) {                                                      \
    Call call = begin("cublas" #P "axpy", handle, {n}, site);                                                \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_vector("x", x, n, incx, sizeof(T));                                                         \
    call.require_vector("y", y, n, incy, sizeof(T));                                                         \
    const ScalarOf<T> a(handle, alpha);                                                                      \
    call.reads_scalar(a);                                                                                    \
    call.reads_vector(x, n, incx);                                                                           \
    call.writes_vector(y, n, incy);                                                                          \
    return submit(call, n, 1, 1, [=] { cblas_##p##axpy(n, a.value(), x, incx, y, incy); });                  \
  }                                                                                                          \
  cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx, Site site) {  \
    Call call = begin("cublas" #P "scal", handle, {n}, site);                                                \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_vector("x", x, n, incx, sizeof(T));                                                         \
    const ScalarOf<T> a(handle, alpha);                                                                      \
    call.reads_scalar(a);                                                                                    \
    call.writes_vector(x, n, incx);                                                                          \
    return submit(call, n, 1, 1, [=] { cblas_##p##scal(n, a.value(), x, incx); });                           \
  }                                                                                                          \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy,         \
                                 Site site) {                                                                \
    Call call = begin("cublas" #P "copy", handle, {n}, site);                                                \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_vector("x", x, n, incx, sizeof(T));                                                         \
    call.require_vector("y", y, n, incy, sizeof(T));                                                         \
    call.reads_vector(x, n, incx);                                                                           \
    call.writes_vector(y, n, incy);                                                                          \
    return submit(call, n, 1, 1, [=] { cblas_##p##copy(n, x, incx, y, incy); });                             \
  }                                                                                                          \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, Site site) {  \
    Call call = begin("cublas" #P "swap", handle, {n}, site);                                                \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_vector("x", x, n, incx, sizeof(T));                                                         \
    call.require_vector("y", y, n, incy, sizeof(T));                                                         \
    call.writes_vector(x, n, incx);                                                                          \
    call.writes_vector(y, n, incy);                                                                          \
    return submit(call, n, 1, 1, [=] { cblas_##p##swap(n, x, incx, y, incy); });                             \
  }                                                                                                          \
  cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,    \
                                T* result, Site site) {                                                      \
    Call call = begin("cublas" #P "dot", handle, {n}, site);                                                 \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_vector("x", x, n, incx, sizeof(T));                                                         \
    call.require_vector("y", y, n, incy, sizeof(T));                                                         \
    call.reads_vector(x, n, incx);                                                                           \
    call.reads_vector(y, n, incy);                                                                           \
    if (handle->mode == CUBLAS_POINTER_MODE_DEVICE) call.writes(result, 1, 1, 1);                            \
    return submit_and_wait(call, handle, n, [=] { *result = cblas_##p##dot(n, x, incx, y, incy); });         \
  }                                                                                                          \
  cublasStatus_t cublas##P##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result, Site site) { \
    Call call = begin("cublas" #P "nrm2", handle, {n}, site);                                                \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_vector("x", x, n, incx, sizeof(T));                                                         \
    call.reads_vector(x, n, incx);                                                                           \
    if (handle->mode == CUBLAS_POINTER_MODE_DEVICE) call.writes(result, 1, 1, 1);                            \
    return submit_and_wait(call, handle, n, [=] { *result = cblas_##p##nrm2(n, x, incx); });                 \
  }                                                                                                          \
  cublasStatus_t cublas##P##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result, Site site) { \
    Call call = begin("cublas" #P "asum", handle, {n}, site);                                                \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_vector("x", x, n, incx, sizeof(T));                                                         \
    call.reads_vector(x, n, incx);                                                                           \
    if (handle->mode == CUBLAS_POINTER_MODE_DEVICE) call.writes(result, 1, 1, 1);                            \
    return submit_and_wait(call, handle, n, [=] { *result = cblas_##p##asum(n, x, incx); });                 \
  }                                                                                                          \
  cublasStatus_t cublasI##p##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result,           \
                                  Site site) {                                                               \
    Call call = begin("cublasI" #p "amax", handle, {n}, site);                                               \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_vector("x", x, n, incx, sizeof(T));                                                         \
    call.reads_vector(x, n, incx);                                                                           \
    if (handle->mode == CUBLAS_POINTER_MODE_DEVICE) call.writes(result, 1, 1, 1);                            \
    return submit_and_wait(call, handle, n,                                                                  \
                           [=] { *result = static_cast<int>(cblas_i##p##amax(n, x, incx)) + 1; });           \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha,  \
                                 const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy,   \
                                 Site site) {                                                                \
    Call call = begin("cublas" #P "gemv", handle, {m, n}, site);                                             \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    const bool plain = op == CUBLAS_OP_N;                                                                    \
    call.require_matrix("A", A, m, n, lda);                                                                  \
    call.require_vector("x", x, plain ? n : m, incx, sizeof(T));                                             \
    call.require_vector("y", y, plain ? m : n, incy, sizeof(T));                                             \
    const ScalarOf<T> a(handle, alpha), b(handle, beta);                                                     \
    call.reads_scalar(a);                                                                                    \
    call.reads_scalar(b);                                                                                    \
    call.reads(A, m, n, lda);                                                                                \
    call.reads_vector(x, plain ? n : m, incx);                                                               \
    call.writes_vector(y, plain ? m : n, incy);                                                              \
    return submit(call, m, n, 1, [=] {                                                                       \
      cblas_##p##gemv(CblasColMajor, transpose(op), m, n, a.value(), A, lda, x, incx, b.value(), y, incy);   \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,   \
                                const T* y, int incy, T* A, int lda, Site site) {                            \
    Call call = begin("cublas" #P "ger", handle, {m, n}, site);                                              \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    call.require_matrix("A", A, m, n, lda);                                                                  \
    call.require_vector("x", x, m, incx, sizeof(T));                                                         \
    call.require_vector("y", y, n, incy, sizeof(T));                                                         \
    const ScalarOf<T> a(handle, alpha);                                                                      \
    call.reads_scalar(a);                                                                                    \
    call.reads_vector(x, m, incx);                                                                           \
    call.reads_vector(y, n, incy);                                                                           \
    call.writes(A, m, n, lda);                                                                               \
    return submit(call, m, n, 1,                                                                             \
                  [=] { cblas_##p##ger(CblasColMajor, m, n, a.value(), x, incx, y, incy, A, lda); });        \
  }                                                                                                          \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, \
                                 int n, const T* alpha, const T* A, int lda, const T* beta, const T* B,      \
                                 int ldb, T* C, int ldc, Site site) {                                        \
    Call call = begin("cublas" #P "geam", handle, {m, n}, site);                                             \
    if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;                                            \
    const bool plainA = opA == CUBLAS_OP_N, plainB = opB == CUBLAS_OP_N;                                     \
    if (A) call.require_matrix("A", A, plainA ? m : n, plainA ? n : m, lda);                                 \
    if (B) call.require_matrix("B", B, plainB ? m : n, plainB ? n : m, ldb);                                 \
    call.require_matrix("C", C, m, n, ldc);                                                                  \
    const ScalarOf<T> a(handle, alpha), b(handle, beta);                                                     \
    call.reads_scalar(a);                                                                                    \
    call.reads_scalar(b);                                                                                    \
    if (A) call.reads(A, plainA ? m : n, plainA ? n : m, lda);                                               \
    if (B) call.reads(B, plainB ? m : n, plainB ? n : m, ldb);                                               \
    call.writes(C, m, n, ldc);                                                                               \
    return submit(call, m, n, 1, [=] {                                                                       \
      const auto at = [](const T* M, bool plain, int ld, int i, int j) {                                     \
        return plain ? M[i + static_cast<std::size_t>(j) * ld] : M[j + static_cast<std::size_t>(i) * ld];    \
      };                                                                                                     \
      for (int j = 0; j < n; ++j)                                                                            \
        for (int i = 0; i < m; ++i)                                                                          \
          C[i + static_cast<std::size_t>(j) * ldc] =                                                         \
              (a.value() != 0 && A ? a.value() * at(A, plainA, lda, i, j) : T{}) +                           \
              (b.value() != 0 && B ? b.value() * at(B, plainB, ldb, i, j) : T{});                            \
    });                                                                                                      \
  }
LADDER_BLAS(S, s, float)
LADDER_BLAS(D, d, double)
#undef LADDER_BLAS

// ---------------------------------------------------------------- copies with BLAS's words

cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  *version = 130000;
  return CUBLAS_STATUS_SUCCESS;
}

namespace {
cublasStatus_t copied(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
}  // namespace

cublasStatus_t cublasSetVector(int n, int element, const void* x, int incx, void* y, int incy, Site site) {
  const auto size = static_cast<std::size_t>(element);
  return copied(cudaMemcpy2D(y, size * static_cast<std::size_t>(incy), x,
                             size * static_cast<std::size_t>(incx), size, static_cast<std::size_t>(n),
                             cudaMemcpyHostToDevice, site));
}
cublasStatus_t cublasGetVector(int n, int element, const void* x, int incx, void* y, int incy, Site site) {
  const auto size = static_cast<std::size_t>(element);
  return copied(cudaMemcpy2D(y, size * static_cast<std::size_t>(incy), x,
                             size * static_cast<std::size_t>(incx), size, static_cast<std::size_t>(n),
                             cudaMemcpyDeviceToHost, site));
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void* A, int lda, void* B, int ldb,
                               Site site) {
  const auto size = static_cast<std::size_t>(element);
  return copied(cudaMemcpy2D(B, size * static_cast<std::size_t>(ldb), A, size * static_cast<std::size_t>(lda),
                             size * static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                             cudaMemcpyHostToDevice, site));
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void* A, int lda, void* B, int ldb,
                               Site site) {
  const auto size = static_cast<std::size_t>(element);
  return copied(cudaMemcpy2D(B, size * static_cast<std::size_t>(ldb), A, size * static_cast<std::size_t>(lda),
                             size * static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                             cudaMemcpyDeviceToHost, site));
}
