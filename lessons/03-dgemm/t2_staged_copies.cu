/// @file
/// t2: copies in stages, up to the registers. In t1 the copies of a part have the products of one other part
/// to arrive in, and a warp waits for its operands at the beginning of each part. Here four parts are on
/// their way while one is multiplied, and a lane reads its operands of the next part while those of this one
/// are being multiplied. Before: t1, two buffers. Source: none.

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
constexpr int pad = 4;     // four rows of four neighbours: each in another quarter of the banks
constexpr int stages = 4;  // buffers for parts of A and B, besides the operands in registers

/// A part of A and one of B, in dynamic shared memory: more than the 48 KiB that a kernel may declare.
struct alignas(16) Stage {
  double As[tile][depth + pad];
  double Bs[depth][tile + pad];
};
constexpr int shared_bytes = stages * sizeof(Stage);

/// @return the stage after this one, in turn.
__device__ int after(int number) {
  return number + 1 == stages ? 0 : number + 1;
}

/// A thread's copies of A and B, one part after another. Of a part it copies `count` vectors of each matrix:
/// from row ia and term pa of A on, rows `down` apart; from term qb and column jb of B, rows `below` apart.
template <class Vector>
struct Copies {
  static constexpr int width = sizeof(Vector) / sizeof(double);  // elements per request
  static constexpr int count = tile * depth / (threads * width), down = tile / count, below = depth / count;
  int m, n, k, row0, col0;
  const double *A, *B;
  std::size_t lda, ldb;
  const int thread = threadIdx.x, ia = thread * width / depth, pa = thread * width % depth;
  const int qb = thread * width / tile, jb = thread * width % tile;
  const double* from_a = A + (row0 + ia) * lda + pa;
  const double* from_b = B + qb * ldb + col0 + jb;
  int fresh = 0;  // the stage of the next part

  /// Begins to copy the columns of A and the rows of B from p0 on into the next stage, and makes one batch of
  /// it: zeros where the sum has no such terms. Parts after the last one are left out, but for the first
  /// `stages`: operands are read a part ahead, and so of every stage. Call it for one part after another.
  __device__ __forceinline__ void copy_part(Stage* stage, int p0) {
    Stage& to = stage[fresh];
    if (p0 < max(k, stages * depth)) {
#pragma unroll
      for (int u = 0; u < count; ++u) {
        const int i = ia + u * down, q = qb + u * below;
        const bool inside_a = row0 + i < m && p0 + pa < k;
        const bool inside_b = p0 + q < k && col0 + jb < n;
        __pipeline_memcpy_async(&to.As[i][pa], from_a + u * down * lda, sizeof(Vector),
                                inside_a ? 0 : sizeof(Vector));
        __pipeline_memcpy_async(&to.Bs[q][jb], from_b + u * below * ldb, sizeof(Vector),
                                inside_b ? 0 : sizeof(Vector));
      }
    }
    from_a += depth;
    from_b += depth * ldb;
    fresh = after(fresh);
    __pipeline_commit();
  }
};

/// A lane of a warp, whose 32 x 64 elements begin in row i0 and column j0 of the tile. In the layout it has
/// two numbers, g and t.
struct Lane {
  const int thread = threadIdx.x, warp = thread / 32;
  const int i0 = warp / 2 * (16 * rows), j0 = warp % 2 * (8 * columns);
  const int g = thread % 32 / 4, t = thread % 4;

  __device__ __forceinline__ void read_a(const Stage& part, int i, Shape::A& a) const {
    for (int e = 0; e < 4; ++e) a[e] = part.As[i0 + 16 * i + g + e % 2 * 8][t + e / 2 * 4];
  }

  __device__ __forceinline__ void read_b(const Stage& part, int j, Shape::B& b) const {
    for (int e = 0; e < 2; ++e) b[e] = part.Bs[t + 4 * e][j0 + 8 * j + g];
  }

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
          const int row = row0 + i0 + 16 * i + g + 8 * half, col = col0 + j0 + 8 * j + 2 * t;
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
  extern __shared__ Stage stage[];
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  Copies<Vector> copies{m, n, k, row0, col0, A, B, lda, ldb};
  const Lane lane;
  Shape::A a[2][rows];  // of this part and of the next, by turns
  Shape::B b[columns];
  Shape::C sum[rows][columns] = {};
  // TASK, 7 lines: Begin to copy the first parts, as many as there are stages. Wait for the first one, and
  //  read its
#pragma unroll 2  // so that the compiler knows which of the two a[] it is
  for (int p0 = 0, now = 0, ready = after(0); p0 < k; p0 += depth, now ^= 1, ready = after(ready)) {
    [[maybe_unused]] const Stage& next = stage[ready];
    // TASK, 3 lines: The operands of this part are in registers. Wait until all of the next part is there,
    //  and let the younger ones go on. Then begin to copy a part into the stage of this one: which part, and
    //  why does nobody read that stage any more? One barrier.
    ladder::task();  // Delete this line when you start.
#pragma unroll
    for (int j = 0; j < columns; ++j) {
#pragma unroll
      for (int i = 0; i < rows; ++i) tensor::multiply_add<Shape>(sum[i][j], a[now][i], b[j]);
      // TASK, 2 lines: b[j] has done its work: read that of the next part. And with the first of them, the
      //  next part's a, which must not replace this part's. What is read after the last part nobody
      //  multiplies.
    }
  }
  __pipeline_wait_prior(0);  // for the first parts of a short sum: no copy may outlive its block
  lane.store_sums<Copies<Vector>::width>(sum, m, n, row0, col0, C, ldc);
}

/// @return whether all rows of a matrix begin at a multiple of 16 bytes and have an even number of columns.
bool pairs(const double* data, std::size_t ld, int columns) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(double2) == 0 && ld % 2 == 0 && columns % 2 == 0;
}

}  // namespace

/// C = A B, with four parts of A and B in flight while one is multiplied.
/// @throws ladder::Error when the device refuses the launch, or so much shared memory.
void staged_copies(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  const dim3 grid((p.n + tile - 1) / tile, (p.m + tile - 1) / tile);
  const bool all = pairs(p.A, p.lda, p.k) && pairs(p.B, p.ldb, p.n) && pairs(p.C, p.ldc, p.n);
  [[maybe_unused]] const auto kernel = all ? multiply<double2> : multiply<double>;
  // TASK, 4 lines: Allow the kernel shared_bytes of dynamic shared memory, and launch it with them; check
  //  both.
  ladder::task();  // Delete this line when you start.
}

}  // namespace dgemm
