#pragma once
/// @file
/// Given, for m2 and m3: how a rank packs a panel of its own, and multiplies panels. Source: none.

#include <cstddef>

#include "common/device/cuda.hpp"

namespace dgemm {

/// g2's kernel: C += A B.
template <int T>
__global__ void multiply(int m, int n, int k,                            // the sum has k terms
                         const double* __restrict__ A, std::size_t lda,  // m x k, lda
                         const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
                         double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  __shared__ double As[T][T];
  __shared__ double Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  double sum = 0;
  for (int p0 = 0; p0 < k; p0 += T) {
    As[ty][tx] = row < m && p0 + tx < k ? A[row * lda + p0 + tx] : 0.0;
    Bs[ty][tx] = p0 + ty < k && col < n ? B[(p0 + ty) * ldb + col] : 0.0;
    __syncthreads();  // the tiles are there
    for (int p = 0; p < T; ++p) sum += As[ty][p] * Bs[p][tx];
    __syncthreads();  // nobody reads them any more
  }
  if (row < m && col < n) C[row * ldc + col] += sum;
}

/// C += A B for the two panels that a rank has received.
inline void add_product(int m, int n, int terms, const double* A, const double* B, double* C, std::size_t ldc,
                        cudaStream_t stream = nullptr) {
  constexpr int T = 32;
  if (m == 0 || n == 0) return;  // a grid must not be empty
  const dim3 grid((n + T - 1) / T, (m + T - 1) / T);
  multiply<T><<<grid, dim3(T, T), 0, stream>>>(m, n, terms, A, terms, B, n, C, ldc);
  ladder::check(cudaGetLastError());
}

/// Copies rows without what is between them: a panel is sent in one piece.
inline void pack(double* to, const double* from, std::size_t ld, int rows, int columns,
                 cudaStream_t stream = nullptr) {
  ladder::check(cudaMemcpy2DAsync(to, columns * sizeof(double), from, ld * sizeof(double),
                                  columns * sizeof(double), rows, cudaMemcpyDeviceToDevice, stream));
}

}  // namespace dgemm
