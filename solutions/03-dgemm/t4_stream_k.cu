/// @file
/// t4: stream-K. With one tile per block, a small matrix leaves multiprocessors without a block, and a large one the last
/// wave nearly empty. Here every block takes an equal share of the passes of all tiles. A tile that several blocks have a
/// part of is added up by the one that finishes last.
/// Before: one tile per block. Source: M. Osama et al., "Stream-K: Work-Centric Parallel Decomposition for Dense
/// Matrix-Matrix Multiplication on the GPU", PPoPP 2023.

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "dgemm.hpp"
#include "shares.cuh"

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
constexpr int least = 2;    // passes of a share: with fewer there would be more parts to write and to add

/// A part of A and one of B, in pairs of neighbours.
struct Stage {
  double2 As[tile][depth / 2];
  double2 Bs[depth][tile / 2];
};
constexpr int shared_bytes = stages * sizeof(Stage);
constexpr int pairs_of_thread = rows * columns * 2;
using Sums = Shape::C[rows][columns];

/// @return the stage after this one, in turn.
__device__ int after(int number) {
  return number + 1 == stages ? 0 : number + 1;
}

/// Takes the next piece from what is left of a block's share. @return false when there is none.
__device__ bool take(const Plan& plan, Share& left, Piece& piece) {
  // BEGIN SOLUTION A piece ends where its tile ends, or the share.
  //| return false;
  if (left.pass == left.end) return false;
  piece.tile = int(left.pass / plan.passes);
  piece.first = int(left.pass % plan.passes);
  piece.last = int(min((long long)plan.passes, piece.first + left.end - left.pass));
  left.pass += piece.last - piece.first;
  return true;
  // END SOLUTION
}

/// @return where in its row of As or Bs a pair lies: so that the 8 pairs that 8 lanes read at once are in different banks.
__device__ int place(int row, int pair) {
  return pair ^ (row & 7);
}

/// @return the first row and column of C of a tile: `group` tiles below each other first, so that the tiles that are
/// computed at the same time share rows of A and columns of B.
__device__ int2 corner(int number, int down, int across) {
  const int band = number / (group * across), in_band = number % (group * across);
  const int height = min(group, down - band * group);
  return {(band * group + in_band % height) * tile, in_band / height * tile};
}

/// Adds the terms of the passes first to last - 1 to the sums of a tile.
template <class Vector>
__device__ __forceinline__ void add_passes(const Problem& of, int2 at, const Piece& piece, Sums& sum) {
  constexpr int width = sizeof(Vector) / sizeof(double);  // elements per request
  extern __shared__ Stage stage[];

  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row0 = at.x, col0 = at.y;
  const int m = of.m, n = of.n, k = of.k, begin = piece.first * depth, end = piece.last * depth;
  const double *const A = of.A, *const B = of.B;
  const std::size_t lda = of.lda, ldb = of.ldb;

  // Of a part, this thread copies `count` vectors of each matrix: from row ia and term pa of A on, rows `down` apart; from term
  // qb and column jb of B on, rows `below` apart.
  constexpr int count = tile * depth / (threads * width), down = tile / count, below = depth / count;
  const int ia = thread * width / depth, pa = thread * width % depth;
  const int qb = thread * width / tile, jb = thread * width % tile;
  const double* from_a = A + (row0 + ia) * lda + begin + pa;
  const double* from_b = B + (begin + qb) * ldb + col0 + jb;

  // Begins to copy the columns of A and the rows of B from p0 on into the next stage, and makes one batch of it. Where the sum
  // has no such terms, zeros. Call it for one part after another.
  int fresh = 0;
  const auto copy_part = [&](int p0) {
    Stage& to = stage[fresh];
#pragma unroll
    for (int u = 0; u < count; ++u) {
      const int i = ia + u * down, q = qb + u * below;
      const bool inside_a = row0 + i < m && p0 + pa < k;
      const bool inside_b = p0 + q < k && col0 + jb < n;
      double* const to_a = &to.As[i][place(i, pa / 2)].x + pa % 2;
      double* const to_b = &to.Bs[q][jb / 16 * 8 + place(q, jb / 2 % 8)].x + jb % 2;
      __pipeline_memcpy_async(to_a, from_a + u * down * lda, sizeof(Vector), inside_a ? 0 : sizeof(Vector));
      __pipeline_memcpy_async(to_b, from_b + u * below * ldb, sizeof(Vector), inside_b ? 0 : sizeof(Vector));
    }
    from_a += depth;
    from_b += depth * ldb;
    fresh = after(fresh);
    __pipeline_commit();
  };

  // The warp's 32 x 64 elements begin in row i0 and column j0 of the tile. In the layout a lane has two numbers.
  const int i0 = warp / 2 * (8 * rows), j0 = warp % 2 * (16 * columns);
  const int g = lane / 4, t = lane % 4;
  // Of A lanes 0 to 7 read rows 0 and 4: their pairs are in other banks.
  const int row = 4 * (g % 2) + g / 2;
  Shape::A b[columns];
  Shape::B a[2][rows];  // of these terms and of the next, by turns
  // Reads the lane's pair from the 8 x 8 part of As that begins in row i0 + 8 i and column p.
  const auto read_a = [&](const Stage& part, int p, int into, int i) {
    const double2 both = part.As[i0 + 8 * i + row][place(row, p / 2 + t)];
    a[into][i][0] = both.x;
    a[into][i][1] = both.y;
  };
  // Reads the lane's pairs from the 8 x 16 part of Bs that begins in row p and column j0 + 16 j.
  const auto read_b = [&](const Stage& part, int p, int j) {
    for (int half = 0; half < 2; ++half) {
      const int q = 2 * t + half;
      const double2 both = part.Bs[p + q][(j0 + 16 * j) / 2 + place(q, g)];
      b[j][2 * half] = both.x;
      b[j][2 * half + 1] = both.y;
    }
  };

  for (int part = 0; part < stages; ++part) copy_part(begin + part * depth);
  __pipeline_wait_prior(stages - 1);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < rows; ++i) read_a(stage[0], 0, 0, i);
#pragma unroll
  for (int j = 0; j < columns; ++j) read_b(stage[0], 0, j);
  for (int p0 = begin, now = 0; p0 < end; p0 += depth, now = after(now)) {
#pragma unroll
    for (int p = 0; p < depth; p += 8) {
      const bool last = p + 8 == depth;  // the next terms are the first ones of the next part
      if (last) {
        __pipeline_wait_prior(stages - 2);  // this thread's copies of the next part have arrived
        __syncthreads();                    // so have all others'; and all threads have read this part
        copy_part(p0 + stages * depth);
      }
      const Stage& next = stage[last ? after(now) : now];
#pragma unroll
      for (int j = 0; j < columns; ++j) {
#pragma unroll
        for (int i = 0; i < rows; ++i) tensor::multiply_add<Shape>(sum[i][j], b[j], a[p / 8 % 2][i]);
        read_b(next, (p + 8) % depth, j);
        read_a(next, (p + 8) % depth, 1 - p / 8 % 2, j);
      }
    }
  }
  __pipeline_wait_prior(0);  // the parts after the last one, which nobody multiplies
  __syncthreads();           // all have read: the next piece may have the stages
}

/// Stores the sums of a tile that lie in C.
template <class Vector>
__device__ __forceinline__ void store(const Problem& of, int2 at, const Sums& sum) {
  constexpr int width = sizeof(Vector) / sizeof(double);
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row0 = at.x, col0 = at.y;
  const int i0 = warp / 2 * (8 * rows), j0 = warp % 2 * (16 * columns);
  const int g = lane / 4, t = lane % 4;
  const int m = of.m, n = of.n;
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int r = row0 + i0 + 8 * i + t + 4 * half, col = col0 + j0 + 16 * j + 2 * g;
        double* const to = of.C + r * std::size_t(of.ldc) + col;
        const double left = sum[i][j][half], right = sum[i][j][2 + half];
        if (width == 2 && r < m && col < n) *reinterpret_cast<double2*>(to) = {left, right};
        if (width == 1 && r < m && col < n) to[0] = left;
        if (width == 1 && r < m && col + 1 < n) to[1] = right;
      }
}

/// How much of a shared tile is begun and done, in passes. All 0 before a launch, and after it.
struct Progress {
  int taken, written;
};
constexpr int most_shared = 1024;
__device__ Progress progress[most_shared];

/// Adds up a tile that several blocks have a piece of: the last one to be ready reads the parts of the others.
/// @param parts  [2 gridDim.x][pairs_of_thread][threads]: block b's part of a tile that it begins is parts[2 b + 1], of
///               one that it does not begin parts[2 b]
/// @return whether this block is the last one, and has the sums of the tile.
__device__ bool add_up(const Plan& plan, const Piece& piece, Sums& sum, double2* parts) {
  const auto part = [&](int block, bool begins) {
    return parts + (2 * block + begins) * std::size_t(pairs_of_thread * threads) + threadIdx.x;
  };
  __shared__ bool is_last;
  const int passes = piece.last - piece.first;
  Progress& of_tile = progress[piece.tile];
  // BEGIN SOLUTION Add this block's passes to `taken`: is it the last one? All others write their part, pair e of this thread
  //  to part(own, …)[e * threads]: of sum[i][j] elements 0 and 2, then 1 and 3. When all threads have written, and every
  //  block can see it, add the passes to `written`. The last one waits for what is still being written, sets both back to 0,
  //  and adds the parts in the order of the blocks, its own among them: the sum must not depend on who is last.
  //| [[maybe_unused]] part, is_last, passes, of_tile;
  //| return false;
  const long long begin = (long long)piece.tile * plan.passes;
  const int first = block_of(plan, begin), last = block_of(plan, begin + plan.passes - 1), own = blockIdx.x;
  if (threadIdx.x == 0) is_last = atomicAdd(&of_tile.taken, passes) + passes == plan.passes;
  __syncthreads();
  const bool keeps = is_last && own <= first + 1;  // the first two may change places: a + b = b + a
  if (!keeps) {
    double2* const to = part(own, own == first);
#pragma unroll
    for (int e = 0; e < pairs_of_thread; ++e) {
      Shape::C& c = sum[e / 2 / columns][e / 2 % columns];
      to[e * threads] = {c[e % 2], c[2 + e % 2]};
      c[e % 2] = c[2 + e % 2] = 0;
    }
  }
  if (!is_last) {
    __threadfence();  // a block that sees the count sees the part
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&of_tile.written, passes);
    return false;
  }
  if (threadIdx.x == 0) {
    while (atomicAdd(&of_tile.written, 0) + passes < plan.passes) {
    }
    of_tile = {};  // for the next launch
  }
  __syncthreads();
  __threadfence();
#pragma unroll 1
  for (int block = first; block <= last; ++block)
    if (block != own || !keeps)
#pragma unroll
      for (int e = 0; e < pairs_of_thread; ++e) {
        const double2 its = part(block, block == first)[e * threads];
        Shape::C& c = sum[e / 2 / columns][e / 2 % columns];
        c[e % 2] += its.x;
        c[2 + e % 2] += its.y;
      }
  return true;
  // END SOLUTION
}

/// Each block computes a tile that is not shared.
/// @tparam Vector  what a lane copies per request: double, or double2 where pairs() says that it may
template <class Vector>
__global__ void __launch_bounds__(threads) multiply_whole(Problem p, Plan plan) {
  const Piece piece{plan.shared + int(blockIdx.x), 0, plan.passes};
  const int2 at = corner(piece.tile, plan.down, plan.across);
  Sums sum = {};
  add_passes<Vector>(p, at, piece, sum);
  store<Vector>(p, at, sum);
}

/// Each block computes its share of the passes of all tiles that are shared.
template <class Vector>
__global__ void __launch_bounds__(threads) multiply_shared(Problem p, Plan plan, double2* parts) {
  // BEGIN SOLUTION The block's share of the line: no pass may be lost where the division leaves a remainder.
  //| Share left{0, 0};
  const long long line = plan.line(), block = blockIdx.x;
  Share left{line * block / gridDim.x, line * (block + 1) / gridDim.x};
  // END SOLUTION
  for (Piece piece; take(plan, left, piece);) {
    const int2 at = corner(piece.tile, plan.down, plan.across);
    Sums sum = {};
    add_passes<Vector>(p, at, piece, sum);
    const bool whole = piece.last - piece.first == plan.passes;
    if (whole || add_up(plan, piece, sum, parts)) store<Vector>(p, at, sum);
  }
}

/// @return whether all rows of a matrix begin at a multiple of 16 bytes and have an even number of columns.
bool pairs(const double* data, std::size_t ld, int columns) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(double2) == 0 && ld % 2 == 0 && columns % 2 == 0;
}

}  // namespace

/// C = A B, the tiles of the last wave in equal shares for all blocks that the device holds.
/// @throws ladder::Error when the device refuses a launch, or has no memory for the parts: at most two tiles per block.
void stream_k(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // no tile
  const bool all = pairs(p.A, p.lda, p.k) && pairs(p.B, p.ldb, p.n) && pairs(p.C, p.ldc, p.n);
  const auto of_whole = all ? multiply_whole<double2> : multiply_whole<double>;
  const auto of_shared = all ? multiply_shared<double2> : multiply_shared<double>;
  constexpr auto most_bytes = cudaFuncAttributeMaxDynamicSharedMemorySize;
  ladder::check(cudaFuncSetAttribute(of_whole, most_bytes, shared_bytes));
  ladder::check(cudaFuncSetAttribute(of_shared, most_bytes, shared_bytes));
  Plan plan{.down = (p.m + tile - 1) / tile, .across = (p.n + tile - 1) / tile};
  plan.passes = std::max(1, (p.k + depth - 1) / depth);  // k = 0: one pass of zeros
  const int places = resident_blocks(of_shared, threads, shared_bytes);
  // BEGIN SOLUTION How many tiles are shared? Those of the last wave, if it is at most half full: else sharing saves little,
  //  and blocks at different terms of their sums find nothing of each other's in L2. And by how many blocks? By all that the
  //  device holds, but no share has fewer than `least` passes. One block for each tile would share nothing.
  //| ladder::task();  // Delete this line when you start.
  //| const int blocks = places;
  const int over = plan.tiles() % places;  // tiles of the last wave
  if (over <= std::min(places / 2, most_shared)) plan.shared = over;
  const int blocks = int(std::min<long long>(places, plan.line() / least));
  if (blocks <= plan.shared) plan.shared = 0;
  // END SOLUTION
  if (plan.tiles() > plan.shared) of_whole<<<plan.tiles() - plan.shared, threads, shared_bytes>>>(p, plan);
  ladder::check(cudaGetLastError());
  if (plan.shared == 0) return;
  const ladder::PooledBuffer<double2> parts(std::size_t(2) * blocks * pairs_of_thread * threads);
  of_shared<<<blocks, threads, shared_bytes>>>(p, plan, parts.get());
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
