// verdict CRASHED
// must 64 x 256: access out of bounds, line
// must B + 16384 (of 16384)
// must just past the end of its 65536 bytes
// not the element past the end
// The row length of A is used for B: the page quotes what is printed then. The first image is not square.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int T = 32;  // a tile is T x T: a row of it is one warp

__global__ void transpose(int rows, int columns,
                          const float* A,  // rows x columns
                          float* B) {      // columns x rows
  __shared__ float tile[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * T + ty, j = blockIdx.x * T + tx;  // in A
  if (i < rows && j < columns) tile[ty][tx] = A[i * columns + j];
  // The element that this thread stores was loaded by another one.
  __syncthreads();

  const int row = blockIdx.x * T + ty, column = blockIdx.y * T + tx;  // in B: x and y change places
  if (row < columns && column < rows) B[row * columns + column] = tile[tx][ty];
}

}  // namespace

void tile(const Problem& p) {
  const dim3 block(T, T);
  const dim3 grid((p.columns + T - 1) / T, (p.rows + T - 1) / T);
  transpose<<<grid, block>>>(p.rows, p.columns, p.A, p.B);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps
