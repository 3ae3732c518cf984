/// @file
/// g5: asynchronous copies, double buffer. In g4 a block waits for each part of A and B before it multiplies, and for
/// everybody's products before it brings the next. Here the copies of the next part run while this one is multiplied.
/// Source: none.

#include <cuda_pipeline.h>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

constexpr int R = 8;         // a thread computes R x R elements of C
constexpr int threads = 16;  // of a block in x and in y
constexpr int tile = threads * R;
constexpr int depth = 8;  // terms of the sum in one pass

/// Begins to copy one double to shared memory past the registers; to a zero where it is not inside the matrix.
__device__ void copy(double* to, const double* from, bool inside) {
  // TASK, 1 line: An asynchronous copy may write zeros in place of what it would read.
}

/// Reads two neighbours from shared memory in one request.
/// @param from  at a multiple of 16 bytes
__device__ void read_two(double* to, const double* from) {
  const double2 both = *reinterpret_cast<const double2*>(from);
  to[0] = both.x;
  to[1] = both.y;
}

/// One block computes one tile x tile part of C in ceil(k / depth) passes.
__global__ void __launch_bounds__(threads* threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  // As is transposed. Two columns more: its rows then begin in different banks, and at multiples of 16 bytes.
  __shared__ alignas(16) double As[2][depth][tile + 2];
  __shared__ alignas(16) double Bs[2][depth][tile];

  // The lanes of a warp as in g4: lanes l and l ^ 1 have the same tx, l and l ^ 2 the same ty.
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int tx = warp % 2 * 8 + lane / 8 * 2 + lane / 2 % 2;
  const int ty = warp / 2 * 4 + lane / 4 % 2 * 2 + lane % 2;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // Begins to bring the columns of A and the rows of B from p0 on.
  const auto bring = [&](int p0, int buffer) {
    // TASK, 8 lines: Begin to copy each element to its place: As[buffer] transposed as in g4, zero outside the matrices.
    //  Make one batch of a thread's copies.
  };

  double sum[R][R] = {};
  // TASK, 1 line: Begin with the first part.
  for (int p0 = 0, now = 0; p0 < k; p0 += depth, now = 1 - now) {
    // TASK, 3 lines: Wait until all of this part is in buffer `now`, and begin to bring the next one, if there is one.
    //  One barrier is enough: say for both buffers what it makes sure of.

    const auto& An = As[now];
    const auto& Bn = Bs[now];
#pragma unroll
    for (int p = 0; p < depth; ++p) {
      double a[R], b[R];
      for (int i = 0; i < R; i += 2) read_two(&a[i], &An[p][2 * ty + threads * i]);
      for (int j = 0; j < R; j += 2) read_two(&b[j], &Bn[p][2 * tx + threads * j]);
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) sum[i][j] += a[i] * b[j];
    }
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j) {
      const int row = row0 + 2 * ty + threads * (i - i % 2) + i % 2;
      const int col = col0 + 2 * tx + threads * (j - j % 2) + j % 2;
      if (row < m && col < n) C[row * ldc + col] = sum[i][j];
    }
}

}  // namespace

/// C = A B, with the next part of A and B on its way while this one is multiplied.
/// @throws ladder::Error when the device refuses the launch.
void async_copies(const Problem& p) {
  // TASK, 4 lines: Launch one block of threads * threads threads, in one row, for each tile of C; check the launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace dgemm
