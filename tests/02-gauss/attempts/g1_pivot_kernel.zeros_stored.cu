// verdict WRONG
// must may still be reading it
// must writes A + 4
// not cudaErrorInvalidConfiguration
// The column of the pivot is cleared as well, as in the book.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

__global__ void eliminate(int n, int i, double* A, size_t lda, double* b) {
  int row = i + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  int col = i + blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col > n) return;
  double ratio = A[row * lda + i] / A[i * lda + i];
  if (col == n)
    b[row] -= ratio * b[i];
  else
    A[row * lda + col] -= ratio * A[i * lda + col];
}

__global__ void back_substitute(int n, const double* A, size_t lda, const double* b, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = i + 1; k < n; ++k) sum -= A[i * lda + k] * x[k];
    x[i] = sum / A[i * lda + i];
  }
}

}  // namespace

void pivot_kernel(const Problem& p) {
  if (p.n == 0) return;
  dim3 block(16, 16);
  for (int i = 0; i < p.n - 1; ++i) {
    int rows = p.n - i - 1, columns = p.n - i + 1;
    eliminate<<<dim3((columns + 15) / 16, (rows + 15) / 16), block>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
