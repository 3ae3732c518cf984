/// @file
/// g4: vector loads. In g3 a lane loads one double per request. Here it loads two neighbours, 16 bytes: half
/// as many requests to device memory for the same bytes, and fewer to shared memory. Source: none.

#include <cstdint>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

constexpr int R = 8;         // a thread computes R x R elements of C
constexpr int threads = 16;  // of a block in x and in y
constexpr int tile = threads * R;
constexpr int depth = 8;  // terms of the sum in one pass

/// Reads two neighbours from shared memory in one request.
/// @param from  at a multiple of 16 bytes
__device__ void read_two(double* to, const double* from) {
  const double2 both = *reinterpret_cast<const double2*>(from);
  to[0] = both.x;
  to[1] = both.y;
}

/// One block computes one tile x tile part of C in ceil(k / depth) passes.
/// @tparam Vector  what a lane loads per request: double, or double2 where pairs() says that it may
template <class Vector>
__global__ void __launch_bounds__(threads* threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  constexpr int width = sizeof(Vector) / sizeof(double);     // elements per request
  __shared__ alignas(16) double As[tile][depth];
  __shared__ alignas(16) double Bs[depth][tile];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int thread = ty * threads + tx;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // sum[i][j] with an even j, and sum[i][j + 1], are columns 2 tx + threads j and the next one of the tile.
  double sum[R][R] = {};
  for (int p0 = 0; p0 < k; p0 += depth) {
    // TASK, 11 lines: Load the parts of A and B as in g3, but `width` neighbours of a row at a time, as one
    //  Vector. Pairs are used only where rows have even lengths: a pair is inside the matrix or outside as a
    //  whole. read_two shows the cast; Vector{} is zero.
    __syncthreads();  // the tiles are there

#pragma unroll
    for (int p = 0; p < depth; ++p) {
      double a[R], b[R];
      // TASK, 2 lines: a[i] as in g3. b[j] and b[j + 1] with read_two: in which columns are they now?
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();  // nobody needs them any more
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; j += 2) {
      const int row = row0 + ty + threads * i, col = col0 + 2 * tx + threads * j;
      double* const to = C + row * ldc + col;
      if (width == 2 && row < m && col < n) *reinterpret_cast<double2*>(to) = {sum[i][j], sum[i][j + 1]};
      if (width == 1 && row < m && col < n) to[0] = sum[i][j];
      if (width == 1 && row < m && col + 1 < n) to[1] = sum[i][j + 1];
    }
}

/// @return whether all rows of a matrix begin at a multiple of 16 bytes and have an even number of columns.
bool pairs(const double* data, std::size_t ld, int columns) {
  // TASK, 1 line: One odd row length or leading dimension is enough for a no. And where does the first row
  //  begin?
  return false;
}

}  // namespace

/// C = A B, two neighbours per request.
/// @throws ladder::Error when the device refuses the launch.
void vector_loads(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  const dim3 block(threads, threads);
  const dim3 grid((p.n + tile - 1) / tile, (p.m + tile - 1) / tile);
  // TASK, 5 lines: Launch multiply<double2> where A, B and C have pairs, else multiply<double>; check the
  //  launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace dgemm
