#pragma once
/// @file
/// Of cuBLASLt the executor has the handle; its products are cublasGemmEx.

#include "cublas_v2.h"

struct cublasLtContext;
using cublasLtHandle_t = cublasLtContext*;
struct cublasLtMatmulDescOpaque_t;
using cublasLtMatmulDesc_t = cublasLtMatmulDescOpaque_t*;
struct cublasLtMatrixLayoutOpaque_t;
using cublasLtMatrixLayout_t = cublasLtMatrixLayoutOpaque_t*;
struct cublasLtMatmulPreferenceOpaque_t;
using cublasLtMatmulPreference_t = cublasLtMatmulPreferenceOpaque_t*;

inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t) {
  return CUBLAS_STATUS_SUCCESS;
}

#define LADDER_EXECUTOR_LT(NAME)                                                                      \
  template <class... Anything>                                                                        \
  __attribute__((unavailable("the executor has no cuBLASLt: use cublasGemmEx"))) cublasStatus_t NAME( \
      const Anything&...);
LADDER_EXECUTOR_LT(cublasLtMatmul)
LADDER_EXECUTOR_LT(cublasLtMatmulDescCreate)
LADDER_EXECUTOR_LT(cublasLtMatrixLayoutCreate)
LADDER_EXECUTOR_LT(cublasLtMatmulPreferenceCreate)
#undef LADDER_EXECUTOR_LT
