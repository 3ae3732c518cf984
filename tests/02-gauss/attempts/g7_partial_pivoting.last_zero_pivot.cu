// verdict WRONG
// must info
// must expected
// not race
// One thread looks for the pivot; a pivot of zero is noticed, but not that it was not the first one.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

__global__ void find_and_swap(int n, int i, double* A, size_t lda, double* b, int* info) {
  int row = i;
  for (int r = i + 1; r < n; ++r)
    if (fabs(A[r * lda + i]) > fabs(A[row * lda + i])) row = r;
  if (!(fabs(A[row * lda + i]) > 0)) *info = i + 1;
  for (int col = i; col < n && row != i; ++col) {
    double kept = A[i * lda + col];
    A[i * lda + col] = A[row * lda + col];
    A[row * lda + col] = kept;
  }
  double kept = b[i];
  b[i] = b[row];
  b[row] = kept;
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
  for (int i = 0; i < p.n; ++i) {
    find_and_swap<<<1, 1>>>(p.n, i, p.A, p.lda, p.b, p.info);
    ladder::check(cudaGetLastError());
    if (i + 1 == p.n) break;
    eliminate<<<p.blocks ? p.blocks : p.n, p.threads ? p.threads : 256>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
