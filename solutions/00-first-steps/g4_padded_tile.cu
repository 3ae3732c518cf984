/// @file
/// g4: the tile of g3 without bank conflicts. There a warp reads a column of the tile, and all 32 elements of
/// it lie in one bank of shared memory: they come one after the other. Another length of the rows puts them
/// into different banks. Before: g3. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int T = 32;  // a tile is T x T: a row of it is one warp

/// A block moves one tile: its rows to shared memory, its columns to B.
__global__ void transpose(int rows, int columns,
                          const float* A,  // rows x columns
                          float* B) {      // columns x rows
  // BEGIN SOLUTION Declare the tile such that neither its rows nor its columns have two elements in one bank.
  //  Then go on as in g3.
  __shared__ float tile[T][T + 1];  // element (i, j) is in bank (33 i + j) % 32 = (i + j) % 32
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * T + ty, j = blockIdx.x * T + tx;  // in A
  if (i < rows && j < columns) tile[ty][tx] = A[i * columns + j];
  // The element that this thread stores was loaded by another one.
  __syncthreads();

  const int row = blockIdx.x * T + ty, column = blockIdx.y * T + tx;  // in B: x and y change places
  if (row < columns && column < rows) B[row * rows + column] = tile[tx][ty];
  // END SOLUTION
}

}  // namespace

/// Transposes the image.
/// @throws ladder::Error when the device refuses the launch.
void padded_tile(const Problem& p) {
  // BEGIN SOLUTION Launch one block of T x T threads for each tile of A, and check the launch.
  //| ladder::task();  // Delete this line when you start.
  const dim3 block(T, T);
  const dim3 grid((p.columns + T - 1) / T, (p.rows + T - 1) / T);
  transpose<<<grid, block>>>(p.rows, p.columns, p.A, p.B);
  ladder::check(cudaGetLastError());
  // END SOLUTION
}

}  // namespace first_steps
