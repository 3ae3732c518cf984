/// @file
/// t4: split-K. With one tile of 128 x 128 per block, a small matrix leaves multiprocessors without a block,
/// and a large one the last wave nearly empty. Here tiles are half as large, and lie or stand. Where too few
/// are left for all multiprocessors, several blocks share a tile: each computes some passes of it, and adds
/// up a slice of all their parts. Before: one tile per block. Source: M. Osama et al., "Stream-K:
/// Work-Centric Parallel Decomposition for Dense Matrix-Matrix Multiplication on the GPU", PPoPP 2023,
/// section 3.

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

namespace tensor = ladder::tensor;
using Shape = tensor::Double16x8x8;  // C, 16 x 8, += A, 16 x 8, times B, 8 x 8

constexpr int depth = 16;  // terms of the sum in one pass: 8 pairs, a row of all 32 banks
// Of a block: a multiprocessor holds two, and one stores while the other multiplies.
constexpr int threads = 128;
constexpr int rows = 4;      // a warp computes rows x columns parts of 8 x 16: 32 x 64 elements of C
constexpr int columns = 4;   // the operation gets B transposed as its A, and A transposed as its B
constexpr int stages = 4;    // buffers for parts of A and B, besides the operands in registers
constexpr int strip = 1024;  // rows of C whose tiles are computed before those of the next rows
// Passes of a tile that is worth sharing: to write and add parts takes as long as 20 or so.
constexpr int worth = 24;
constexpr int least = 4;  // passes of a share

/// The elements of C that a block computes: height x width.
template <int warps_down, int warps_across>
struct Tile {
  static_assert(32 * warps_down * warps_across == threads);
  static constexpr int height = 8 * rows * warps_down, width = 16 * columns * warps_across,
                       across = warps_across;

  /// A part of A and one of B, in pairs of neighbours.
  struct Stage {
    double2 As[height][depth / 2];
    double2 Bs[depth][width / 2];
  };
  static constexpr int shared_bytes = stages * sizeof(Stage);
};
using Tall = Tile<4, 1>;  // 128 x 64
using Wide = Tile<2, 2>;  // 64 x 128

constexpr int pairs_of_thread = rows * columns * 2;
using Sums = Shape::C[rows][columns];

/// How the work is divided. Of each of the tiles 0 to shared - 1 `parts` blocks compute some passes; each
/// other tile is computed by one block.
struct Plan {
  int down, across;  ///< tiles of C
  int passes;        ///< of each tile
  int shared, parts;
  __host__ __device__ int tiles() const { return down * across; }
};

/// @return the stage after this one, in turn.
__device__ int after(int number) {
  return number + 1 == stages ? 0 : number + 1;
}

/// @return where in its row of As or Bs a pair lies: so that the 8 pairs that 8 lanes read at once are in
/// different banks.
__device__ int place(int row, int pair) {
  return pair ^ (row & 7);
}

/// @return the first row and column of C of a tile: those in `strip` rows first, one column of tiles after
/// another, so that the tiles that are computed at the same time share rows of A and columns of B.
template <class Tile>
__device__ int2 corner(const Plan& plan, int number) {
  constexpr int group = strip / Tile::height;
  const int band = number / (group * plan.across), in_band = number % (group * plan.across);
  const int height = min(group, plan.down - band * group);
  return {(band * group + in_band % height) * Tile::height, in_band / height * Tile::width};
}

/// A thread's copies of A and B, one part after another, from term `begin` to `end` - 1. Of a part of A it
/// copies count_a vectors, from row ia and term pa on, rows `down` apart; of one of B count_b, from term qb
/// and column jb on, rows `below` apart.
template <class Tile, class Vector>
struct Copies {
  using Stage = typename Tile::Stage;
  static constexpr int width = sizeof(Vector) / sizeof(double);  // elements per request
  static constexpr int down = threads * width / depth, count_a = Tile::height / down;
  static constexpr int below = threads * width / Tile::width, count_b = depth / below;
  int m, n, k, row0, col0;
  const double *A, *B;
  std::size_t lda, ldb;
  int begin, end;
  const int thread = threadIdx.x, ia = thread * width / depth, pa = thread * width % depth;
  const int qb = thread * width / Tile::width, jb = thread * width % Tile::width;
  const double* from_a = A + (row0 + ia) * lda + begin + pa;
  const double* from_b = B + (begin + qb) * ldb + col0 + jb;
  int fresh = 0;  // the stage of the next part

  /// Begins to copy the columns of A and the rows of B from p0 on into the next stage, and makes one batch of
  /// it: zeros where the sum has no such terms. Parts after the last one are left out, but for the first
  /// `stages`: operands are read a part ahead, and so of every stage. Call it for one part after another.
  __device__ __forceinline__ void copy_part(Stage* stage, int p0) {
    Stage& to = stage[fresh];
    if (p0 < max(end, begin + stages * depth)) {
#pragma unroll
      for (int u = 0; u < count_a; ++u) {
        const int i = ia + u * down;
        const bool inside = row0 + i < m && p0 + pa < k;
        double* const to_a = &to.As[i][place(i, pa / 2)].x + pa % 2;
        __pipeline_memcpy_async(to_a, from_a + u * down * lda, sizeof(Vector), inside ? 0 : sizeof(Vector));
      }
#pragma unroll
      for (int u = 0; u < count_b; ++u) {
        const int q = qb + u * below;
        const bool inside = p0 + q < k && col0 + jb < n;
        double* const to_b = &to.Bs[q][jb / 16 * 8 + place(q, jb / 2 % 8)].x + jb % 2;
        __pipeline_memcpy_async(to_b, from_b + u * below * ldb, sizeof(Vector), inside ? 0 : sizeof(Vector));
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
template <class Tile>
struct Lane {
  using Stage = typename Tile::Stage;
  const int thread = threadIdx.x, warp = thread / 32;
  const int i0 = warp / Tile::across * (8 * rows), j0 = warp % Tile::across * (16 * columns);
  const int g = thread % 32 / 4, t = thread % 4;
  // Of A lanes 0 to 7 read rows 0 and 4: their pairs are in other banks.
  const int row = 4 * (g % 2) + g / 2;

  /// Reads the lane's pair from the 8 x 8 part of As that begins in row i0 + 8 i and column p.
  __device__ __forceinline__ void read_a(const Stage& part, int p, int i, Shape::B& a) const {
    const double2 both = part.As[i0 + 8 * i + row][place(row, p / 2 + t)];
    a[0] = both.x;
    a[1] = both.y;
  }

  /// Reads the lane's pairs from the 8 x 16 part of Bs that begins in row p and column j0 + 16 j.
  __device__ __forceinline__ void read_b(const Stage& part, int p, int j, Shape::A& b) const {
    for (int half = 0; half < 2; ++half) {
      const int q = 2 * t + half;
      const double2 both = part.Bs[p + q][(j0 + 16 * j) / 2 + place(q, g)];
      b[2 * half] = both.x;
      b[2 * half + 1] = both.y;
    }
  }
};

/// Adds the terms of the passes first to last - 1 to the sums of a tile.
template <class Tile, class Vector>
__device__ __forceinline__ void add_passes(const Problem& of, int2 at, int first, int last, Sums& sum) {
  using Stage = typename Tile::Stage;
  extern __shared__ double2 shared[];
  Stage* const stage = reinterpret_cast<Stage*>(shared);
  const int begin = first * depth, end = last * depth;

  const std::size_t lda = of.lda, ldb = of.ldb;
  Copies<Tile, Vector> copies{of.m, of.n, of.k, at.x, at.y, of.A, of.B, lda, ldb, begin, end};
  const Lane<Tile> lane;
  Shape::A b[columns];
  Shape::B a[2][rows];  // of these terms and of the next, by turns
  for (int part = 0; part < stages; ++part) copies.copy_part(stage, begin + part * depth);
  __pipeline_wait_prior(stages - 1);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < rows; ++i) lane.read_a(stage[0], 0, i, a[0][i]);
#pragma unroll
  for (int j = 0; j < columns; ++j) lane.read_b(stage[0], 0, j, b[j]);
  for (int p0 = begin, now = 0; p0 < end; p0 += depth, now = after(now)) {
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
}

/// @return pair e of a thread's sums: two neighbours in a row of C.
__device__ __forceinline__ double2 pair_of(const Sums& sum, int e) {
  const Shape::C& c = sum[e / 2 / columns][e / 2 % columns];
  return {c[e % 2], c[2 + e % 2]};
}

/// Stores pair e of this thread where it belongs in C, if it lies there.
template <class Tile, class Vector>
__device__ __forceinline__ void store(const Problem& of, int2 at, int e, double2 pair) {
  constexpr int width = sizeof(Vector) / sizeof(double);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const int i = e / 2 / columns, j = e / 2 % columns, half = e % 2;
  const int r = at.x + warp / Tile::across * (8 * rows) + 8 * i + t + 4 * half;
  const int col = at.y + warp % Tile::across * (16 * columns) + 16 * j + 2 * g;
  double* const to = of.C + r * std::size_t(of.ldc) + col;
  if (width == 2 && r < of.m && col < of.n) *reinterpret_cast<double2*>(to) = pair;
  if (width == 1 && r < of.m && col < of.n) to[0] = pair.x;
  if (width == 1 && r < of.m && col + 1 < of.n) to[1] = pair.y;
}

/// Each block computes a tile that is not shared.
/// @tparam Vector  what a lane copies per request: double, or double2 where pairs() says that it may
template <class Tile, class Vector>
__global__ void __launch_bounds__(threads, 2) multiply_whole(Problem p, Plan plan) {
  const int2 at = corner<Tile>(plan, plan.shared + blockIdx.x);
  Sums sum = {};
  add_passes<Tile, Vector>(p, at, 0, plan.passes, sum);
#pragma unroll
  for (int e = 0; e < pairs_of_thread; ++e) store<Tile, Vector>(p, at, e, pair_of(sum, e));
}

/// `parts` blocks that follow each other compute a shared tile. All blocks must be on the device at once.
/// @param memory  [shared][parts][pairs_of_thread][threads]
template <class Tile, class Vector>
__global__ void __launch_bounds__(threads, 2) multiply_shared(Problem p, Plan plan, double2* memory) {
  // BEGIN SOLUTION Which tile, and which of its passes? None may be lost where the division leaves a
  //  remainder.
  //| [[maybe_unused]] const int tile = 0, own = 0, first = 0, last = 0;
  const int tile = blockIdx.x / plan.parts, own = blockIdx.x % plan.parts;
  const int first = int((long long)plan.passes * own / plan.parts);
  const int last = int((long long)plan.passes * (own + 1) / plan.parts);
  // END SOLUTION
  const int2 at = corner<Tile>(plan, tile);
  Sums sum = {};
  add_passes<Tile, Vector>(p, at, first, last, sum);

  // Of pair e of this thread, that of block b of the tile.
  const auto part = [&](int b, int e) -> double2& {
    return memory[((std::size_t(tile) * plan.parts + b) * pairs_of_thread + e) * threads + threadIdx.x];
  };
  // BEGIN SOLUTION Write down all pairs of this block. When all blocks have, add up some: block 0 of the
  //  tile the first ones, of all `parts` blocks, in their order. Nobody else adds these. The sum goes to its
  //  place in C.
  //| [[maybe_unused]] part;
#pragma unroll
  for (int e = 0; e < pairs_of_thread; ++e) part(own, e) = pair_of(sum, e);
  cooperative_groups::this_grid().sync();
  for (int e = pairs_of_thread * own / plan.parts; e < pairs_of_thread * (own + 1) / plan.parts; ++e) {
    double2 all{};
#pragma unroll 8
    for (int b = 0; b < plan.parts; ++b) {
      const double2 its = part(b, e);
      all.x += its.x;
      all.y += its.y;
    }
    store<Tile, Vector>(p, at, e, all);
  }
  // END SOLUTION
}

/// C = A B in tiles of this kind.
template <class Tile, class Vector>
void multiply(const Problem& p, Plan plan) {
  const auto of_whole = multiply_whole<Tile, Vector>;
  const auto of_shared = multiply_shared<Tile, Vector>;
  constexpr auto most_bytes = cudaFuncAttributeMaxDynamicSharedMemorySize;
  ladder::require_shared_memory(Tile::shared_bytes);
  int device = 0, multiprocessors = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  // BEGIN SOLUTION How many tiles are shared, and by how many blocks each? Those that are left over when
  //  every multiprocessor has had the same number of tiles; by as many blocks as there are multiprocessors
  //  for each. A tile of fewer than `worth` passes is not worth it, and no share has fewer than `least`.
  //| ladder::task();  // Delete this line when you start.
  const int left = plan.tiles() % multiprocessors;
  if (left > 0 && plan.passes >= worth) plan.parts = std::min(multiprocessors / left, plan.passes / least);
  if (plan.parts > 1) plan.shared = left;
  // END SOLUTION
  if (plan.tiles() > plan.shared) {
    ladder::check(cudaFuncSetAttribute(of_whole, most_bytes, Tile::shared_bytes));
    of_whole<<<plan.tiles() - plan.shared, threads, Tile::shared_bytes>>>(p, plan);
    ladder::check(cudaGetLastError());
  }
  if (plan.shared == 0) return;
  ladder::check(cudaFuncSetAttribute(of_shared, most_bytes, Tile::shared_bytes));
  const int blocks = plan.shared * plan.parts;
  const ladder::PooledBuffer<double2> buffer(std::size_t(blocks) * pairs_of_thread * threads);
  Problem problem = p;
  double2* memory = buffer.get();
  void* arguments[] = {&problem, &plan, &memory};
  // BEGIN SOLUTION Launch `of_shared` so that all its blocks are on the device at once: as in 02/g10.
  //| [[maybe_unused]] of_shared, blocks, arguments;
  ladder::check(cudaLaunchCooperativeKernel(of_shared, blocks, threads, arguments, Tile::shared_bytes));
  // END SOLUTION
}

/// @return whether all rows of a matrix begin at a multiple of 16 bytes and have an even number of columns.
bool pairs(const double* data, std::size_t ld, int columns) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(double2) == 0 && ld % 2 == 0 && columns % 2 == 0;
}

/// @return how C is divided into tiles of this kind.
template <class Tile>
Plan plan_of(const Problem& p) {
  return {.down = (p.m + Tile::height - 1) / Tile::height,
          .across = (p.n + Tile::width - 1) / Tile::width,
          .passes = std::max(1, (p.k + depth - 1) / depth),  // k = 0: one pass of zeros
          .shared = 0,
          .parts = 1};
}

}  // namespace

/// C = A B, in those tiles of which there are fewer; where they are too few for all multiprocessors, some are
/// shared.
/// @throws ladder::Error when the device refuses a launch, or has no memory for the parts: a tile per
/// multiprocessor.
void split_k(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // no tile
  const bool all = pairs(p.A, p.lda, p.k) && pairs(p.B, p.ldb, p.n) && pairs(p.C, p.ldc, p.n);
  const Plan tall = plan_of<Tall>(p), wide = plan_of<Wide>(p);
  // With as many of both: of Wide the copies of single elements need more registers than a thread has.
  const bool wider = all ? wide.tiles() <= tall.tiles() : wide.tiles() < tall.tiles();
  if (all) wider ? multiply<Wide, double2>(p, wide) : multiply<Tall, double2>(p, tall);
  if (!all) wider ? multiply<Wide, double>(p, wide) : multiply<Tall, double>(p, tall);
}

}  // namespace dgemm
