// verdict PASS
// must right in all 4 classes
// must 1x, limit 1.1x
// not Warning
// The grid is that of B: block x goes along the rows of A.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int T = 32;

__global__ void transpose(int rows, int columns, const float* A, float* B) {
  __shared__ float tile[T][T];
  int r0 = blockIdx.x * T;  // first row of A
  int c0 = blockIdx.y * T;  // first column of A
  for (int y = threadIdx.y; y < T; y += blockDim.y)
    if (r0 + y < rows && c0 + threadIdx.x < columns)
      tile[y][threadIdx.x] = A[(r0 + y) * columns + c0 + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < T; y += blockDim.y)
    if (c0 + y < columns && r0 + threadIdx.x < rows)
      B[(c0 + y) * rows + r0 + threadIdx.x] = tile[threadIdx.x][y];
}

}  // namespace

void tile(const Problem& p) {
  dim3 block(T, 8);
  dim3 grid((p.rows + T - 1) / T, (p.columns + T - 1) / T);
  transpose<<<grid, block>>>(p.rows, p.columns, p.A, p.B);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps
