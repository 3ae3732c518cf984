/// @file
/// Peer: cuBLAS; on the executor its cuBLAS, which is OpenBLAS. Resident data, or the host's with the copies.

#include <algorithm>

#include "common/device/cublas.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

bool on_the_device(const double* array) {
  cudaPointerAttributes attributes{};
  ladder::check(cudaPointerGetAttributes(&attributes, array));
  return attributes.type == cudaMemoryTypeDevice;
}

/// C = A B for matrices on the device. cuBLAS is column-major and reads our row-major C as its transpose: C'
/// = B' A'.
void multiply(const Problem& p) {
  const double one = 1, zero = 0;
  static const ladder::Cublas cublas;  // kept: making one takes longer than a small product
  ladder::check(cublasDgemm(cublas.get(), CUBLAS_OP_N, CUBLAS_OP_N, p.n, p.m, p.k, &one, p.B,
                            std::max(p.ldb, 1), p.A, std::max(p.lda, 1), &zero, p.C, std::max(p.ldc, 1)));
}

}  // namespace

/// C = A B by cublasDgemm; matrices on the host are copied to the device whole and back, one after another.
void library(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  if (p.k == 0 || on_the_device(p.A)) return multiply(p);
  const ladder::DeviceBuffer<double> A(std::size_t(p.m) * p.lda), B(std::size_t(p.k) * p.ldb),
      C(std::size_t(p.m) * p.n);
  ladder::check(cudaMemcpy(A.get(), p.A, A.bytes(), cudaMemcpyHostToDevice));
  ladder::check(cudaMemcpy(B.get(), p.B, B.bytes(), cudaMemcpyHostToDevice));
  Problem there = p;
  there.A = A.get(), there.B = B.get(), there.C = C.get(), there.ldc = p.n;
  multiply(there);
  ladder::check(cudaMemcpy2D(p.C, p.ldc * sizeof(double), C.get(), p.n * sizeof(double), p.n * sizeof(double),
                             p.m, cudaMemcpyDeviceToHost));
}

}  // namespace dgemm
