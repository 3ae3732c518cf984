/// @file
/// t3: pairs and a swizzle. In t2 a lane reads element by element, and rows have padding against bank
/// conflicts. Here a lane reads two neighbours at once, which the operation takes as they are, and the order
/// of a row's pairs replaces the padding. Tiles that share rows of A and columns of B are computed at the
/// same time. Before: t2, padding, tiles row by row. Source: none. The swizzle: as in the tensor maps of the
/// PTX ISA, "128-byte swizzle".

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
constexpr int depth = 16;  // terms of the sum in one pass: 8 pairs, a row of all 32 banks
constexpr int threads = 256;
constexpr int rows = 4;     // a warp computes rows x columns parts of 8 x 16: 32 x 64 elements of C
constexpr int columns = 4;  // the operation gets B transposed as its A, and A transposed as its B
constexpr int stages = 3;   // buffers for parts of A and B, besides the operands in registers
constexpr int group = 8;    // tiles below each other that are computed before those to their right

/// A part of A and one of B, in pairs of neighbours.
struct Stage {
  double2 As[tile][depth / 2];
  double2 Bs[depth][tile / 2];
};
constexpr int shared_bytes = stages * sizeof(Stage);

/// @return the stage after this one, in turn.
__device__ int after(int number) {
  return number + 1 == stages ? 0 : number + 1;
}

/// @return where in its row of As or Bs a pair lies: so that the 8 pairs that 8 lanes read at once are in
/// different banks.
__device__ int place([[maybe_unused]] int row, int pair) {
  // TASK, 1 line: In a row, pairs 0 to 7 fill the 32 banks once, as do pairs 8 to 15. Exchange those 8 among
  //  themselves, differently in each of 8 rows that follow each other.
  return pair;
}

/// @return the first row and column of C of a tile: `group` tiles below each other first, so that the tiles
/// that are computed at the same time share rows of A and columns of B.
__device__ int2 corner(int number, [[maybe_unused]] int down, int across) {
  // TASK, 3 lines: A band is `group` rows of tiles; the last one may have fewer. Which band has the tile, and
  //  where in it?
  return {number / across * tile, number % across * tile};
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
        double* const to_a = &to.As[i][place(i, pa / 2)].x + pa % 2;
        double* const to_b = &to.Bs[q][jb / 16 * 8 + place(q, jb / 2 % 8)].x + jb % 2;
        __pipeline_memcpy_async(to_a, from_a + u * down * lda, sizeof(Vector), inside_a ? 0 : sizeof(Vector));
        __pipeline_memcpy_async(to_b, from_b + u * below * ldb, sizeof(Vector),
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
  const int i0 = warp / 2 * (8 * rows), j0 = warp % 2 * (16 * columns);
  const int g = thread % 32 / 4, t = thread % 4;
  // Of A lanes 0 to 7 read rows 0 and 4: their pairs are in other banks.
  const int row = 4 * (g % 2) + g / 2;

  /// Reads the lane's pair from the 8 x 8 part of As that begins in row i0 + 8 i and column p.
  __device__ __forceinline__ void read_a([[maybe_unused]] const Stage& part, [[maybe_unused]] int p,
                                         [[maybe_unused]] int i, [[maybe_unused]] Shape::B& a) const {
    // TASK, 3 lines: Of row `row`, columns 2 t and 2 t + 1: into a[0] and a[1].
  }

  /// Reads the lane's pairs from the 8 x 16 part of Bs that begins in row p and column j0 + 16 j.
  __device__ __forceinline__ void read_b(const Stage& part, int p, [[maybe_unused]] int j,
                                         [[maybe_unused]] Shape::A& b) const {
    // TASK, 6 lines: Of rows 2 t and 2 t + 1, columns 2 g and 2 g + 1: into b[0] to b[3].
    ladder::task();  // Delete this line when you start.
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
          // TASK, 1 line: sum[i][j][half] and sum[i][j][2 + half] are neighbours in C. In which row and
          //  column of C is the first? A lane's sums are in columns 2 t and 2 t + 1 of its 16 x 8 part;
          //  column c is the row of A that lane 4 c read.
          const int r = m, col = n;
          double* const to = C + r * ldc + col;
          const double left = sum[i][j][half], right = sum[i][j][2 + half];
          if (width == 2 && r < m && col < n) *reinterpret_cast<double2*>(to) = {left, right};
          if (width == 1 && r < m && col < n) to[0] = left;
          if (width == 1 && r < m && col + 1 < n) to[1] = right;
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
  const int2 at = corner(blockIdx.x, (m + tile - 1) / tile, (n + tile - 1) / tile);
  const int row0 = at.x, col0 = at.y;

  Copies<Vector> copies{m, n, k, row0, col0, A, B, lda, ldb};
  const Lane lane;
  Shape::A b[columns];
  Shape::B a[2][rows];  // of these terms and of the next, by turns
  Shape::C sum[rows][columns] = {};
  for (int part = 0; part < stages; ++part) copies.copy_part(stage, part * depth);
  __pipeline_wait_prior(stages - 1);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < rows; ++i) lane.read_a(stage[0], 0, i, a[0][i]);
#pragma unroll
  for (int j = 0; j < columns; ++j) lane.read_b(stage[0], 0, j, b[j]);
  for (int p0 = 0, now = 0; p0 < k; p0 += depth, now = after(now)) {
#pragma unroll
    for (int p = 0; p < depth; p += 8) {
      const bool last = p + 8 == depth;  // the next terms are the first ones of the next part
      if (last) {
        __pipeline_wait_prior(stages - 2);  // this thread's copies of the next part have arrived
        __syncthreads();                    // so have all others'; and all threads have read this part
        copies.copy_part(stage, p0 + stages * depth);
      }
      const Stage& next = stage[last ? after(now) : now];
#pragma unroll
      for (int j = 0; j < columns; ++j) {
#pragma unroll
        for (int i = 0; i < rows; ++i) tensor::multiply_add<Shape>(sum[i][j], b[j], a[p / 8 % 2][i]);
        lane.read_b(next, (p + 8) % depth, j, b[j]);
        lane.read_a(next, (p + 8) % depth, j, a[1 - p / 8 % 2][j]);
      }
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

/// C = A B, with conflict-free pairs in shared memory, and tiles in bands.
/// @throws ladder::Error when the device refuses the launch, or so much shared memory.
void swizzle(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  const int blocks = (p.m + tile - 1) / tile * ((p.n + tile - 1) / tile);
  const bool all = pairs(p.A, p.lda, p.k) && pairs(p.B, p.ldb, p.n) && pairs(p.C, p.ldc, p.n);
  const auto kernel = all ? multiply<double2> : multiply<double>;
  ladder::require_shared_memory(shared_bytes);
  ladder::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  kernel<<<blocks, threads, shared_bytes>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
