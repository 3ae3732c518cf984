// verdict MISSED
// must right in all
// must wavefronts
// not WRONG

// A thread's columns are 16 apart, as on the page; its rows are neighbours. The two rows that a warp reads together
// then begin in the same bank.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, std::size_t lda, const double* B,
                         std::size_t ldb, double* C, std::size_t ldc) {
  __shared__ double As[128][8];
  __shared__ double Bs[8][128];
  const int t = threadIdx.y * 16 + threadIdx.x;
  const int row0 = blockIdx.y * 128, col0 = blockIdx.x * 128;
  double sum[8][8] = {};
  for (int p0 = 0; p0 < k; p0 += 8) {
    for (int e = t; e < 1024; e += 256) {
      const int ra = row0 + e / 8, ca = p0 + e % 8;
      As[e / 8][e % 8] = 0;
      if (ra < m && ca < k) As[e / 8][e % 8] = A[ra * lda + ca];
      const int rb = p0 + e / 128, cb = col0 + e % 128;
      Bs[e / 128][e % 128] = 0;
      if (rb < k && cb < n) Bs[e / 128][e % 128] = B[rb * ldb + cb];
    }
    __syncthreads();
    for (int p = 0; p < 8; ++p) {
      double a[8], b[8];
      for (int s = 0; s < 8; ++s) {
        a[s] = As[8 * threadIdx.y + s][p];
        b[s] = Bs[p][threadIdx.x + 16 * s];
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const int row = row0 + 8 * threadIdx.y + i, col = col0 + threadIdx.x + 16 * j;
      if (row < m && col < n) C[row * ldc + col] = sum[i][j];
    }
}

}  // namespace

void register_tiles(const Problem& p) {
  if (p.m < 1 || p.n < 1) return;
  const dim3 grid((p.n + 127) / 128, (p.m + 127) / 128);
  multiply<<<grid, dim3(16, 16)>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
