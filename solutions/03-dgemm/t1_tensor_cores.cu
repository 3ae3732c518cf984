/// @file
/// t1: tensor cores. In g5 a thread multiplies number by number. Here a warp multiplies a 16 x 8 part of A by
/// an 8 x 8 part of B in one operation, to which each lane brings the few elements that the layout gives it.
/// Source: none. The layout: PTX ISA, "Matrix fragments for mma.m16n8k8" with doubles.

#include <cuda_pipeline.h>

#include <cstdint>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

namespace tensor = ladder::tensor;
using Shape = tensor::Double16x8x8;  // C, 16 x 8, += A, 16 x 8, times B, 8 x 8

constexpr int tile = 128;  // rows and columns of C of a block
constexpr int depth = 8;   // terms of the sum in one pass
constexpr int threads = 256;
constexpr int rows = 2;  // a warp computes rows x columns parts of 16 x 8: 32 x 64 elements of C
constexpr int columns = 8;
// BEGIN SOLUTION By how many doubles, an even number, must the rows of As and of Bs be longer, so that the 16
//  doubles that half a warp reads are in different banks?
//| constexpr int pad = 0;
constexpr int pad = 4;  // four rows of four neighbours: each in another quarter of the banks
// END SOLUTION

/// A lane of a warp, whose 32 x 64 elements begin in row i0 and column j0 of the tile. In the layout it has
/// two numbers, g and t.
struct Lane {
  const int thread = threadIdx.x, warp = thread / 32;
  const int i0 = warp / 2 * (16 * rows), j0 = warp % 2 * (8 * columns);
  const int g = thread % 32 / 4, t = thread % 4;

  /// Stores the lane's sums where they belong in C.
  /// @tparam width  whether its pairs are stored as such: 2, or 1
  template <int width>
  __device__ __forceinline__ void store_sums(const Shape::C (&sum)[rows][columns], int m, int n, int row0,
                                             int col0, double* C, std::size_t ldc) const {
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < columns; ++j)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          // BEGIN SOLUTION Where in the tile, row and column, is sum[i][j][2 * half]? The next element is to
          //  its right.
          //| const int row = m, col = n;
          const int row = row0 + i0 + 16 * i + g + 8 * half, col = col0 + j0 + 8 * j + 2 * t;
          // END SOLUTION
          double* const to = C + row * ldc + col;
          const double left = sum[i][j][2 * half], right = sum[i][j][2 * half + 1];
          if (width == 2 && row < m && col < n) *reinterpret_cast<double2*>(to) = {left, right};
          if (width == 1 && row < m && col < n) to[0] = left;
          if (width == 1 && row < m && col + 1 < n) to[1] = right;
        }
  }
};

/// One block computes one tile x tile part of C in ceil(k / depth) passes: 4 x 2 warps of 32 x 64 elements
/// each.
/// @tparam Vector  what a lane copies per request: double, or double2 where pairs() says that it may
template <class Vector>
__global__ void __launch_bounds__(threads)
    multiply(int m, int n, int k,                            // the sum has k terms
             const double* __restrict__ A, std::size_t lda,  // m x k, lda
             const double* __restrict__ B, std::size_t ldb,  // k x n, ldb
             double* __restrict__ C, std::size_t ldc) {      // m x n, ldc
  constexpr int width = sizeof(Vector) / sizeof(double);     // elements per request
  __shared__ alignas(16) double As[2][tile][depth + pad];
  __shared__ alignas(16) double Bs[2][depth][tile + pad];

  const int thread = threadIdx.x;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // Begins to copy the columns of A and the rows of B from p0 on into a buffer: as in g5.
  const auto copy_part = [&](int p0, int buffer) {
    for (int e0 = 0; e0 < tile * depth; e0 += threads * width) {
      const int e = e0 + thread * width;
      const int i = e / depth, p = e % depth;
      const double* from_a = A + (row0 + i) * lda + p0 + p;
      const bool inside_a = row0 + i < m && p0 + p < k;
      const int q = e / tile, j = e % tile;
      const double* from_b = B + (p0 + q) * ldb + col0 + j;
      const bool inside_b = p0 + q < k && col0 + j < n;
      __pipeline_memcpy_async(&As[buffer][i][p], from_a, sizeof(Vector), inside_a ? 0 : sizeof(Vector));
      __pipeline_memcpy_async(&Bs[buffer][q][j], from_b, sizeof(Vector), inside_b ? 0 : sizeof(Vector));
    }
    __pipeline_commit();
  };

  const Lane lane;
  const int i0 = lane.i0, j0 = lane.j0, g = lane.g, t = lane.t;
  Shape::C sum[rows][columns] = {};
  copy_part(0, 0);
  for (int p0 = 0, now = 0; p0 < k; p0 += depth, now = 1 - now) {
    __pipeline_wait_prior(0);  // this thread's copies have arrived
    __syncthreads();           // so have all others'; and no thread reads the other buffer any more
    if (p0 + depth < k) copy_part(p0 + depth, 1 - now);

    Shape::A a[rows];
    Shape::B b[columns];
    // BEGIN SOLUTION Read the lane's elements: of the 16 x 8 parts of As[now] that begin in rows i0 + 16 i,
    //  into a[i][0] to a[i][3]; of the 8 x 8 parts of Bs[now] that begin in columns j0 + 8 j, into b[j][0]
    //  and b[j][1]. Then add the product of each part of A and each part of B:
    //  tensor::multiply_add<Shape>(sum, a, b).
#pragma unroll
    for (int i = 0; i < rows; ++i)
      for (int e = 0; e < 4; ++e) a[i][e] = As[now][i0 + 16 * i + g + e % 2 * 8][t + e / 2 * 4];
#pragma unroll
    for (int j = 0; j < columns; ++j)
      for (int e = 0; e < 2; ++e) b[j][e] = Bs[now][t + 4 * e][j0 + 8 * j + g];
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < columns; ++j) tensor::multiply_add<Shape>(sum[i][j], a[i], b[j]);
    // END SOLUTION
  }
  __pipeline_wait_prior(0);  // for the first part, where k = 0: no copy may outlive its block
  lane.store_sums<width>(sum, m, n, row0, col0, C, ldc);
}

/// @return whether all rows of a matrix begin at a multiple of 16 bytes and have an even number of columns.
bool pairs(const double* data, std::size_t ld, int columns) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(double2) == 0 && ld % 2 == 0 && columns % 2 == 0;
}

}  // namespace

/// C = A B, by operations of whole warps.
/// @throws ladder::Error when the device refuses the launch.
void tensor_cores(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  const dim3 grid((p.n + tile - 1) / tile, (p.m + tile - 1) / tile);
  // BEGIN SOLUTION Launch multiply<double2> where A, B and C have pairs, else multiply<double>; check the
  //  launch.
  //| ladder::task();  // Delete this line when you start.
  if (pairs(p.A, p.lda, p.k) && pairs(p.B, p.ldb, p.n) && pairs(p.C, p.ldc, p.n))
    multiply<double2><<<grid, threads>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  else
    multiply<double><<<grid, threads>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
  // END SOLUTION
}

}  // namespace dgemm
