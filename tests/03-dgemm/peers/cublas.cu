/// @file
/// Peer: cuBLAS on resident data; on the executor its cuBLAS, which is OpenBLAS.

#include <cublas_v2.h>

#include <algorithm>
#include <string>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

void check(cublasStatus_t status, int line) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw ladder::Error("cublas.cu:" + std::to_string(line) + ": cuBLAS status " + std::to_string(status));
}

/// One handle for the life of the process: making one takes longer than a small product.
cublasHandle_t handle() {
  static const cublasHandle_t h = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made), __LINE__);
    return made;
  }();
  return h;
}

}  // namespace

/// C = A B by cublasDgemm. cuBLAS is column-major and reads our row-major C as its transpose: C' = B' A'.
void library(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const double one = 1, zero = 0;
  check(cublasDgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, p.n, p.m, p.k, &one, p.B, std::max(p.ldb, 1), p.A,
                    std::max(p.lda, 1), &zero, p.C, std::max(p.ldc, 1)),
        __LINE__);
}

}  // namespace dgemm
