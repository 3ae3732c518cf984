/// @file
/// cuBLAS with double precision emulated by integer tensor cores, from CUDA 13 on. On a GPU only.

#include <cublas_v2.h>

#include <algorithm>
#include <string>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

void check(cublasStatus_t status, int line) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw ladder::Error("cublas_emulated.cu:" + std::to_string(line) + ": cuBLAS status " +
                        std::to_string(status));
}

/// One handle for the life of the process, told to emulate wherever it can: by default it does so only where it expects
/// to be faster.
cublasHandle_t handle() {
  static const cublasHandle_t h = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made), __LINE__);
#if CUBLAS_VERSION >= 130000
    check(cublasSetMathMode(made, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH), __LINE__);
    check(cublasSetEmulationStrategy(made, CUBLAS_EMULATION_STRATEGY_EAGER), __LINE__);
#else
    throw ladder::Error("this cuBLAS does not emulate double precision: it comes with CUDA 13");
#endif
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
