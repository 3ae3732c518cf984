// what calls cuBLAS, and has a kernel only for its traffic
// verdict REVIEW
// must calls a library that does the work of this step
#include <cublas_v2.h>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

__global__ void traffic(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                        size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  double sum = 0;
  for (int p = 0; p < k; ++p) sum += A[row * lda + p] + B[p * ldb + col];
  C[row * ldc + col] = sum;
}

}  // namespace

void naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 32), grid((p.n + 31) / 32, (p.m + 31) / 32);
  traffic<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
  if (p.k == 0) return;
  const double one = 1, zero = 0;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, p.n, p.m, p.k, &one, p.B, int(p.ldb), p.A, int(p.lda), &zero, p.C, int(p.ldc));
  cublasDestroy(handle);
}

}  // namespace dgemm
