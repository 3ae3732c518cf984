#pragma once
/// @file
/// Given, for m2 and m3: how a rank packs a panel of its own, and multiplies panels. Source: none.

#include <algorithm>
#include <cstddef>

#include "common/device/cublas.hpp"
#include "common/device/cuda.hpp"

namespace dgemm {

/// Terms of a panel, at most. Each product reads and writes a rank's whole block of C, so panels should be
/// few; but nothing is multiplied while the first one is sent, and each needs a place in memory.
inline int panel_depth(int k) {
  return std::max(128, k / 16);
}

/// C += A B for the two panels that a rank has received, by cuBLAS: these rungs are about what travels.
/// For cuBLAS, which has columns where these matrices have rows, it is C^T += B^T A^T.
inline void add_product(int m, int n, int terms, const double* A, const double* B, double* C, std::size_t ldc,
                        cudaStream_t stream = nullptr) {
  if (m == 0 || n == 0) return;  // a leading dimension must not be 0
  const double one = 1;
  const ladder::Cublas blas(stream);
  ladder::check(cublasDgemm(blas.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, terms, &one, B, n, A, terms, &one, C,
                            int(ldc)));
}

/// Copies rows without what is between them: a panel is sent in one piece.
inline void pack(double* to, const double* from, std::size_t ld, int rows, int columns,
                 cudaStream_t stream = nullptr) {
  ladder::check(cudaMemcpy2DAsync(to, columns * sizeof(double), from, ld * sizeof(double),
                                  columns * sizeof(double), rows, cudaMemcpyDeviceToDevice, stream));
}

}  // namespace dgemm
