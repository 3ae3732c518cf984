/// @file
/// g5: asynchronous copies, double buffering. In g4 a block waits for each part of A and B before it
/// multiplies, and for all products before it loads the next part. Here the next part is copied while this
/// one is multiplied. Source: none.

#include <cuda_pipeline.h>

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
/// @tparam Vector  what a lane copies per request: double, or double2 where pairs() says that it may
template <class Vector>
__global__ void __launch_bounds__(threads* threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  constexpr int width = sizeof(Vector) / sizeof(double);     // elements per request
  __shared__ alignas(16) double As[2][tile][depth];
  __shared__ alignas(16) double Bs[2][depth][tile];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int thread = ty * threads + tx;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // Begins to copy the columns of A and the rows of B from p0 on into a buffer.
  const auto copy_part = [&](int p0, int buffer) {
    for (int e0 = 0; e0 < tile * depth; e0 += threads * threads * width) {
      const int e = e0 + thread * width;
      const int i = e / depth, p = e % depth;
      // Outside of the matrix from_a and from_b are addresses that nothing reads: a copy of zeros alone has 0
      // bytes of source (PTX, cp.async, src-size). C++ forbids to form such pointers even unread, but for
      // nvcc they are integers, and CUTLASS computes them, too. To choose A itself there, as 01's product.cuh
      // does, costs a select per copy.
      const double* from_a = A + (row0 + i) * lda + p0 + p;
      const bool inside_a = row0 + i < m && p0 + p < k;
      const int q = e / tile, j = e % tile;
      const double* from_b = B + (p0 + q) * ldb + col0 + j;
      const bool inside_b = p0 + q < k && col0 + j < n;
      // BEGIN SOLUTION Begin to copy one Vector to As[buffer][i][p] and one to Bs[buffer][q][j]: zeros where
      //  it is outside.
      __pipeline_memcpy_async(&As[buffer][i][p], from_a, sizeof(Vector), inside_a ? 0 : sizeof(Vector));
      __pipeline_memcpy_async(&Bs[buffer][q][j], from_b, sizeof(Vector), inside_b ? 0 : sizeof(Vector));
      // END SOLUTION
    }
    // BEGIN SOLUTION Make one batch of all copies that this thread has begun.
    __pipeline_commit();
    // END SOLUTION
  };

  // sum[i][j] with an even j, and sum[i][j + 1], are columns 2 tx + threads j and the next one of the tile.
  double sum[R][R] = {};
  // BEGIN SOLUTION Begin with the first part.
  copy_part(0, 0);
  // END SOLUTION
  for (int p0 = 0, now = 0; p0 < k; p0 += depth, now = 1 - now) {
    // BEGIN SOLUTION Wait until all of this part is in buffer `now`, and begin to copy the next one, if there
    //  is one. One barrier is enough: say for both buffers what it makes sure of.
    __pipeline_wait_prior(0);  // this thread's copies have arrived
    __syncthreads();           // so have all others'; and no thread reads the other buffer any more
    if (p0 + depth < k) copy_part(p0 + depth, 1 - now);
      // END SOLUTION

#pragma unroll
    for (int p = 0; p < depth; ++p) {
      double a[R], b[R];
      for (int i = 0; i < R; ++i) a[i] = As[now][ty + threads * i][p];
      for (int j = 0; j < R; j += 2) read_two(&b[j], &Bs[now][p][2 * tx + threads * j]);
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) sum[i][j] += a[i] * b[j];
    }
  }
  __pipeline_wait_prior(0);  // for the first part, where k = 0: no copy may outlive its block
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
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(double2) == 0 && ld % 2 == 0 && columns % 2 == 0;
}

}  // namespace

/// C = A B, with the next part of A and B in flight while this one is multiplied.
/// @throws ladder::Error when the device refuses the launch.
void async_copies(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  const dim3 block(threads, threads);
  const dim3 grid((p.n + tile - 1) / tile, (p.m + tile - 1) / tile);
  // BEGIN SOLUTION Launch multiply<double2> where A, B and C have pairs, else multiply<double>; check the
  //  launch.
  //| ladder::task();  // Delete this line when you start.
  if (pairs(p.A, p.lda, p.k) && pairs(p.B, p.ldb, p.n) && pairs(p.C, p.ldc, p.n))
    multiply<double2><<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  else
    multiply<double><<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
  // END SOLUTION
}

}  // namespace dgemm
