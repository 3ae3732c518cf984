// verdict MISSED
// must waits
// must right in all
// not race
// The host copies the column and looks for the pivot itself.
#include <cmath>
#include <vector>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

__global__ void swap_rows(int n, int i, int row, double* A, size_t lda, double* b) {
  int col = i + blockIdx.x * blockDim.x + threadIdx.x;
  if (col > n) return;
  double* upper = col < n ? &A[i * lda + col] : &b[i];
  double* lower = col < n ? &A[row * lda + col] : &b[row];
  double kept = *upper;
  *upper = *lower;
  *lower = kept;
}

__global__ void eliminate(int n, int i, double* A, size_t lda, double* b) {
  for (int row = i + 1 + blockIdx.x; row < n; row += gridDim.x) {
    double ratio = A[row * lda + i] / A[i * lda + i];
    for (int col = i + 1 + threadIdx.x; col < n; col += blockDim.x) A[row * lda + col] -= ratio * A[i * lda + col];
    if (threadIdx.x == 0) b[row] -= ratio * b[i];
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

void partial_pivoting(const Problem& p) {
  ladder::check(cudaMemset(p.info, 0, sizeof(int)));
  if (p.n == 0) return;
  int info = 0;
  std::vector<double> column(p.n);
  for (int i = 0; i < p.n; ++i) {
    ladder::check(cudaMemcpy2D(column.data() + i, sizeof(double), p.A + i * size_t(p.lda) + i, p.lda * sizeof(double),
                               sizeof(double), p.n - i, cudaMemcpyDeviceToHost));
    int row = i;
    for (int r = i + 1; r < p.n; ++r)
      if (std::abs(column[r]) > std::abs(column[row])) row = r;
    if (column[row] == 0 && info == 0) info = i + 1;
    if (row != i) {
      swap_rows<<<(p.n - i + 256) / 256, 256>>>(p.n, i, row, p.A, p.lda, p.b);
      ladder::check(cudaGetLastError());
    }
    if (i + 1 == p.n) break;
    eliminate<<<p.blocks ? p.blocks : 528, p.threads ? p.threads : 256>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  ladder::check(cudaMemcpy(p.info, &info, sizeof info, cudaMemcpyHostToDevice));
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
