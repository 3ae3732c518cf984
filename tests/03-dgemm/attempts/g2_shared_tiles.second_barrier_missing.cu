// verdict WRONG
// must n = 32: right.
// must In pass 2 thread (0,0) writes As[0][0]
// not Experiment
// One barrier, after the loads.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

template <int T>
__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  __shared__ double As[T][T];
  __shared__ double Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;
  double sum = 0;
  for (int p0 = 0; p0 < k; p0 += T) {
    As[ty][tx] = row < m && p0 + tx < k ? A[row * lda + p0 + tx] : 0;
    Bs[ty][tx] = p0 + ty < k && col < n ? B[(p0 + ty) * ldb + col] : 0;
    __syncthreads();
    for (int p = 0; p < T; ++p) sum += As[ty][p] * Bs[p][tx];
  }
  if (row < m && col < n) C[row * ldc + col] = sum;
}

}  // namespace

void shared_tiles(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  constexpr int T = 32;
  multiply<T><<<dim3((p.n + T - 1) / T, (p.m + T - 1) / T), dim3(T, T)>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C,
                                                                        p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
