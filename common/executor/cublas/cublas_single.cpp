/// @file
/// cuBLAS: products and triangular systems in single precision, and products of other types by their names.

#include <vector>

#include "common/executor/cublas/cublas_matrices.hpp"
#include "common/executor/include/cuda_bf16.h"
#include "common/executor/include/cuda_fp16.h"

using namespace ladder::executor;

namespace {

std::size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_64F:
      return 8;
    case CUDA_R_32F:
      return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    default:
      return 0;
  }
}

double read(const void* array, cudaDataType type, std::size_t i) {
  switch (type) {
    case CUDA_R_64F:
      return static_cast<const double*>(array)[i];
    case CUDA_R_32F:
      return static_cast<const float*>(array)[i];
    case CUDA_R_16F:
      return static_cast<float>(static_cast<const __half*>(array)[i]);
    default:
      return static_cast<float>(static_cast<const __nv_bfloat16*>(array)[i]);
  }
}

void write(void* array, cudaDataType type, std::size_t i, double value) {
  switch (type) {
    case CUDA_R_64F:
      static_cast<double*>(array)[i] = value;
      break;
    case CUDA_R_32F:
      static_cast<float*>(array)[i] = static_cast<float>(value);
      break;
    case CUDA_R_16F:
      static_cast<__half*>(array)[i] = value;
      break;
    default:
      static_cast<__nv_bfloat16*>(array)[i] = value;
  }
}

/// A matrix of some type as one of doubles without gaps.
std::vector<double> widened(const void* array, cudaDataType type, int rows, int columns, int ld) {
  std::vector<double> result;
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      result.push_back(
          read(array, type,
               static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(ld)));
  return result;
}

struct Typed {
  void* data;
  cudaDataType type;
};

/// In double precision, rounded once to the type of C: as exact as any of the algorithms.
void multiply(const Shape& s, double alpha, Typed A, Typed B, double beta, Typed C) {
  const std::vector<double> a = widened(A.data, A.type, s.rowsA(), s.columnsA(), s.lda);
  const std::vector<double> b = widened(B.data, B.type, s.rowsB(), s.columnsB(), s.ldb);
  std::vector<double> c(static_cast<std::size_t>(s.m) * static_cast<std::size_t>(s.n));
  if (beta != 0) c = widened(C.data, C.type, s.m, s.n, s.ldc);
  cblas_dgemm(CblasColMajor, transpose(s.opA), transpose(s.opB), s.m, s.n, s.k, alpha, a.data(), s.rowsA(),
              b.data(), s.rowsB(), beta, c.data(), s.m);
  for (int j = 0; j < s.n; ++j)
    for (int i = 0; i < s.m; ++i)
      write(C.data, C.type,
            static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(s.ldc),
            c[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(s.m)]);
}

/// alpha and beta are of the type that is computed in.
double scalar(const void* pointer, cublasComputeType_t compute) {
  if (compute == CUBLAS_COMPUTE_64F) return *static_cast<const double*>(pointer);
  if (compute == CUBLAS_COMPUTE_16F) return static_cast<float>(*static_cast<const __half*>(pointer));
  return *static_cast<const float*>(pointer);
}

}  // namespace

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                           int k, const float* alpha, const float* A, int lda, const float* B, int ldb,
                           const float* beta, float* C, int ldc, Site site) {
  return multiply("cublasSgemm", handle, {opA, opB, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C, site);
}

cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
                                  int n, int k, const float* alpha, const float* const A[], int lda,
                                  const float* const B[], int ldb, const float* beta, float* const C[],
                                  int ldc, int count, Site site) {
  return multiply_batch("cublasSgemmBatched", handle, {opA, opB, m, n, k, lda, ldb, ldc}, alpha, A, B, beta,
                        C, count, site);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                         int m, int n, int k, const float* alpha, const float* A, int lda,
                                         long long strideA, const float* B, int ldb, long long strideB,
                                         const float* beta, float* C, int ldc, long long strideC, int count,
                                         Site site) {
  return multiply_strided("cublasSgemmStridedBatched", handle, {opA, opB, m, n, k, lda, ldb, ldc},
                          {strideA, strideB, strideC}, alpha, A, B, beta, C, count, site);
}

cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const float* alpha,
                           const float* A, int lda, float* B, int ldb, Site site) {
  return solve("cublasStrsm", handle, {side, fill, op, diagonal, m, n, lda, ldb}, alpha, A, B, site);
}

cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const float* alpha, const float* A, int lda, const float* beta, float* C, int ldc,
                           Site site) {
  return update("cublasSsyrk", handle, fill, op, n, k, alpha, A, lda, beta, C, ldc, site);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                                          int m, int n, int k, const void* alpha, const void* A,
                                          cudaDataType typeA, int lda, long long strideA, const void* B,
                                          cudaDataType typeB, int ldb, long long strideB, const void* beta,
                                          void* C, cudaDataType typeC, int ldc, long long strideC, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t, Site site) {
  Call call = begin("cublasGemmEx", handle, {m, n, k, count}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS || count == 0) return call.status;
  const std::size_t a = bytes_of(typeA), b = bytes_of(typeB), c = bytes_of(typeC);
  if (a == 0 || b == 0 || c == 0 || handle->mode == CUBLAS_POINTER_MODE_DEVICE) {
    fail(cudaErrorNotSupported, call.site,
         "cublasGemmEx: the executor knows CUDA_R_16F, 16BF, 32F and 64F, with alpha and beta on the host");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const Shape s{opA, opB, m, n, k, lda, ldb, ldc};
  require_batch(call, "A", A, s.rowsA(), s.columnsA(), lda, strideA, count, a);
  require_batch(call, "B", B, s.rowsB(), s.columnsB(), ldb, strideB, count, b);
  require_batch(call, "C", C, m, n, ldc, strideC, count, c);
  const auto touch = [&](const void* array, long long stride, int rows, int columns, int ld,
                         std::size_t element, bool write) {
    for (long long i = 0; i < count; ++i)
      add_touches(call.touches,
                  {static_cast<const char*>(array) + i * stride * static_cast<long long>(element), rows,
                   columns, ld, element},
                  write);
  };
  touch(A, strideA, s.rowsA(), s.columnsA(), lda, a, false);
  touch(B, strideB, s.rowsB(), s.columnsB(), ldb, b, false);
  touch(C, strideC, m, n, ldc, c, true);
  const double alpha_value = scalar(alpha, compute), beta_value = scalar(beta, compute);
  return submit(call, m, n, count, [=] {
    const auto part = [](const void* array, long long stride, int i, std::size_t element, cudaDataType type) {
      return Typed{
          static_cast<char*>(const_cast<void*>(array)) + i * stride * static_cast<long long>(element), type};
    };
    for (int i = 0; i < count; ++i)
      multiply(s, alpha_value, part(A, strideA, i, a, typeA), part(B, strideB, i, b, typeB), beta_value,
               part(C, strideC, i, c, typeC));
  });
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                            int k, const void* alpha, const void* A, cudaDataType typeA, int lda,
                            const void* B, cudaDataType typeB, int ldb, const void* beta, void* C,
                            cudaDataType typeC, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm, Site site) {
  return cublasGemmStridedBatchedEx(handle, opA, opB, m, n, k, alpha, A, typeA, lda, 0, B, typeB, ldb, 0,
                                    beta, C, typeC, ldc, 0, 1, compute, algorithm, site);
}
