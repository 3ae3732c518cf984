// verdict MISSED
// must sectors
// must right in all
// not race
// A thread has one row of the tile and walks over 8 columns: the lanes of a warp are lda apart.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

__global__ void eliminate(int n, int i, double* A, size_t lda, double* b) {
  constexpr int width = 8;
  int high = (n - 1 - i + blockDim.x - 1) / blockDim.x, wide = (n - i + width - 1) / width;
  for (int tile = blockIdx.x; tile < high * wide; tile += gridDim.x) {
    int row = i + 1 + tile / wide * blockDim.x + threadIdx.x, col = i + 1 + tile % wide * width;
    if (row >= n) continue;
    double ratio = A[row * lda + i] / A[i * lda + i];
    for (int k = col; k < col + width && k <= n; ++k) {
      if (k < n)
        A[row * lda + k] -= ratio * A[i * lda + k];
      else
        b[row] -= ratio * b[i];
    }
  }
}

__global__ void back_substitute(int n, const double* A, size_t lda, const double* b, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = i + 1; k < n; ++k) sum -= A[i * lda + k] * x[k];
    x[i] = sum / A[i * lda + i];
  }
}

}  // namespace

void row_tiles(const Problem& p) {
  if (p.n == 0) return;
  int threads = p.threads ? p.threads : 256;
  for (int i = 0; i + 1 < p.n; ++i) {
    eliminate<<<p.blocks ? p.blocks : 32, threads>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
