// verdict MISSED
// must sectors 73,728 of 16,384
// must 32 sectors per request, ideal 4
// not WRONG
// The transpose that one writes first, without the tile.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int T = 32;

__global__ void transpose(int rows, int columns, const float* A, float* B) {
  int j = blockIdx.x * T + threadIdx.x;
  int i = blockIdx.y * T + threadIdx.y;
  if (i < rows && j < columns) B[j * rows + i] = A[i * columns + j];
}

}  // namespace

void tile(const Problem& p) {
  dim3 block(T, T);
  dim3 grid((p.columns + T - 1) / T, (p.rows + T - 1) / T);
  transpose<<<grid, block>>>(p.rows, p.columns, p.A, p.B);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps
