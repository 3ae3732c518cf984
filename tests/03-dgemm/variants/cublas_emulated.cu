/// @file
/// cuBLAS with double precision emulated by integer tensor cores, from CUDA 13 on. On a GPU only.

#include <algorithm>

#include "common/device/cublas.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

/// A handle told to emulate wherever it can: by default it does so only where it expects to be faster.
ladder::Cublas emulating() {
#if CUBLAS_VERSION >= 130000
  ladder::Cublas cublas;
  ladder::check(cublasSetMathMode(cublas.get(), CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH));
  ladder::check(cublasSetEmulationStrategy(cublas.get(), CUBLAS_EMULATION_STRATEGY_EAGER));
  return cublas;
#else
  throw ladder::Error("this cuBLAS does not emulate double precision: it comes with CUDA 13");
#endif
}

}  // namespace

/// C = A B by cublasDgemm. cuBLAS is column-major and reads our row-major C as its transpose: C' = B' A'.
void library(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const double one = 1, zero = 0;
  static const ladder::Cublas cublas = emulating();
  ladder::check(cublasDgemm(cublas.get(), CUBLAS_OP_N, CUBLAS_OP_N, p.n, p.m, p.k, &one, p.B,
                            std::max(p.ldb, 1), p.A, std::max(p.lda, 1), &zero, p.C, std::max(p.ldc, 1)));
}

}  // namespace dgemm
