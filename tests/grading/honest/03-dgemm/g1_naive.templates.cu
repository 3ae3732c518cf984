// what has its block as parameters of a template
// verdict PASS
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

template <class Shape>
__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * Shape::width + threadIdx.x;
  const int row = blockIdx.y * Shape::height + threadIdx.y;
  if (row >= m || col >= n) return;
  double sum = 0;
  for (int p = 0; p < k; ++p) sum += A[row * lda + p] * B[p * ldb + col];
  C[row * ldc + col] = sum;
}

template <int w, int h>
struct Block {
  static constexpr int width = w, height = h;
};

template <class Shape>
void launch(const Problem& p) {
  const dim3 block(Shape::width, Shape::height);
  const dim3 grid((p.n + block.x - 1) / block.x, (p.m + block.y - 1) / block.y);
  multiply<Shape><<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace

void naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  launch<Block<32, 32>>(p);
}

}  // namespace dgemm
