// verdict MISSED
// must launches
// must right in all
// not race
// The ratios have a kernel of their own, and an array.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

__global__ void ratios(int n, int i, const double* A, size_t lda, double* ratio) {
  int row = i + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) ratio[row] = A[row * lda + i] / A[i * lda + i];
}

__global__ void eliminate(int n, int i, double* A, size_t lda, double* b, const double* ratio) {
  int row = i + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  int col = i + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col > n) return;
  if (col == n)
    b[row] -= ratio[row] * b[i];
  else
    A[row * lda + col] -= ratio[row] * A[i * lda + col];
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
  ladder::DeviceBuffer<double> ratio(p.n);
  for (int i = 0; i < p.n - 1; ++i) {
    int rows = p.n - i - 1;
    ratios<<<(rows + 127) / 128, 128>>>(p.n, i, p.A, p.lda, ratio.get());
    ladder::check(cudaGetLastError());
    eliminate<<<dim3((rows + 1 + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(p.n, i, p.A, p.lda, p.b, ratio.get());
    ladder::check(cudaGetLastError());
  }
  back_substitute<<<1, 1>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
