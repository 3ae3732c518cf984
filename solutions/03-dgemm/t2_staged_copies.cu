/// @file
/// t2: copies in stages. In t1 the copies of one part have the products of one other part to arrive in. Here three parts are
/// on their way while a fourth is multiplied: a copy has three times as long.
/// Before: t1, two buffers. Source: none.

#include <cuda_pipeline.h>

#include <cstdint>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

namespace tensor = ladder::tensor;
using Shape = tensor::Double16x8x8;  // C, 16 x 8, += A, 16 x 8, times B, 8 x 8

constexpr int tile = 128;  // rows and columns of C of a block
constexpr int depth = 8;   // terms of the sum in one pass
constexpr int threads = 256;
constexpr int rows = 2;  // a warp computes rows x columns parts of 16 x 8: 32 x 64 elements of C
constexpr int columns = 8;
constexpr int pad = 4;     // four rows of four neighbours: each in another quarter of the banks
constexpr int stages = 4;  // buffers for parts of A and B: all but one are on their way

/// A part of A and one of B, in dynamic shared memory: more than the 48 KiB that a kernel may declare.
struct alignas(16) Stage {
  double As[tile][depth + pad];
  double Bs[depth][tile + pad];
};
constexpr int shared_bytes = stages * sizeof(Stage);

/// One block computes one tile x tile part of C in ceil(k / depth) passes: 4 x 2 warps of 32 x 64 elements each.
/// @tparam Vector  what a lane copies per request: double, or double2 where pairs() says that it may
template <class Vector>
__global__ void __launch_bounds__(threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  constexpr int width = sizeof(Vector) / sizeof(double);     // elements per request
  extern __shared__ Stage stage[];

  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // Begins to copy the columns of A and the rows of B from p0 on into their stage, and makes one batch of it: an empty one
  // when the sum has no such terms.
  const auto copy_part = [&](int p0) {
    Stage& to = stage[p0 / depth % stages];
    for (int e0 = 0; p0 < k && e0 < tile * depth; e0 += threads * width) {
      const int e = e0 + thread * width;
      const int i = e / depth, p = e % depth;
      const double* from_a = A + (row0 + i) * lda + p0 + p;
      const bool inside_a = row0 + i < m && p0 + p < k;
      const int q = e / tile, j = e % tile;
      const double* from_b = B + (p0 + q) * ldb + col0 + j;
      const bool inside_b = p0 + q < k && col0 + j < n;
      __pipeline_memcpy_async(&to.As[i][p], from_a, sizeof(Vector), inside_a ? 0 : sizeof(Vector));
      __pipeline_memcpy_async(&to.Bs[q][j], from_b, sizeof(Vector), inside_b ? 0 : sizeof(Vector));
    }
    __pipeline_commit();
  };

  // The warp's 32 x 64 elements begin in row i0 and column j0 of the tile. In the layout a lane has two numbers.
  const int i0 = warp / 2 * (16 * rows), j0 = warp % 2 * (8 * columns);
  const int g = lane / 4, t = lane % 4;
  Shape::C sum[rows][columns] = {};
  // BEGIN SOLUTION Begin with the first parts: all stages but one.
  for (int part = 0; part < stages - 1; ++part) copy_part(part * depth);
  // END SOLUTION
  for (int p0 = 0; p0 < k; p0 += depth) {
    // BEGIN SOLUTION Wait until all of this part is there, and let the younger ones go on. Then begin to copy the next part
    //  that is not on its way yet. Into which stage does it go, and why does nobody read that one any more? One barrier.
    //| ladder::task();  // Delete this line when you start.
    __pipeline_wait_prior(stages - 2);  // this thread's copies of this part have arrived; younger parts need not
    __syncthreads();                    // so have all others'; and no thread reads the part before any more
    copy_part(p0 + (stages - 1) * depth);
    // END SOLUTION

    const Stage& now = stage[p0 / depth % stages];
    Shape::A a[rows];
    Shape::B b[columns];
#pragma unroll
    for (int i = 0; i < rows; ++i)
      for (int e = 0; e < 4; ++e) a[i][e] = now.As[i0 + 16 * i + g + e % 2 * 8][t + e / 2 * 4];
#pragma unroll
    for (int j = 0; j < columns; ++j)
      for (int e = 0; e < 2; ++e) b[j][e] = now.Bs[t + 4 * e][j0 + 8 * j + g];
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < columns; ++j) tensor::multiply_add<Shape>(sum[i][j], a[i], b[j]);
  }
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = row0 + i0 + 16 * i + g + 8 * half, col = col0 + j0 + 8 * j + 2 * t;
        double* const to = C + row * ldc + col;
        const double left = sum[i][j][2 * half], right = sum[i][j][2 * half + 1];
        if (width == 2 && row < m && col < n) *reinterpret_cast<double2*>(to) = {left, right};
        if (width == 1 && row < m && col < n) to[0] = left;
        if (width == 1 && row < m && col + 1 < n) to[1] = right;
      }
}

/// @return whether all rows of a matrix begin at a multiple of 16 bytes and have an even number of columns.
bool pairs(const double* data, std::size_t ld, int columns) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(double2) == 0 && ld % 2 == 0 && columns % 2 == 0;
}

}  // namespace

/// C = A B, with three parts of A and B on their way while one is multiplied.
/// @throws ladder::Error when the device refuses the launch, or so much shared memory.
void staged_copies(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  const dim3 grid((p.n + tile - 1) / tile, (p.m + tile - 1) / tile);
  const bool all = pairs(p.A, p.lda, p.k) && pairs(p.B, p.ldb, p.n) && pairs(p.C, p.ldc, p.n);
  const auto kernel = all ? multiply<double2> : multiply<double>;
  // BEGIN SOLUTION Allow the kernel shared_bytes of dynamic shared memory, and launch it with them; check both.
  //| [[maybe_unused]] kernel;
  //| ladder::task();  // Delete this line when you start.
  ladder::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  kernel<<<grid, threads, shared_bytes>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
  // END SOLUTION
}

}  // namespace dgemm
