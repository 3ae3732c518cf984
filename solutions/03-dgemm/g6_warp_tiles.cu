/// @file
/// g6: warp tiles, and operands one term ahead. In g5 a part begins with copies and with reads of operands,
/// and nobody multiplies meanwhile. Here operands are read while the products of the term before are
/// computed, at the border of two parts, too. A warp computes 32 x 64 elements of C, and its lanes are
/// numbered so that their reads take as few wavefronts as possible. Before: g5, two buffers. Source: CUTLASS,
/// "Efficient GEMM in CUDA".

#include <cuda_pipeline.h>

#include <cstdint>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

constexpr int R = 8;  // a thread computes R x R elements of C
constexpr int threads = 256;
constexpr int tile = 128;            // rows and columns of C of a block
constexpr int depth = 8;             // terms of the sum in one part
constexpr int stages = 3;            // buffers for parts of A and B
constexpr int down = 4, across = 8;  // lanes of a warp in C's rows and columns: it computes 32 x 64 elements
constexpr int warp_rows = down * R, warp_columns = across * R;

/// Reads two neighbours from shared memory in one request.
/// @param from  at a multiple of 16 bytes
__device__ void read_two(double* to, const double* from) {
  const double2 both = *reinterpret_cast<const double2*>(from);
  to[0] = both.x;
  to[1] = both.y;
}

/// @return the stage after this one, in turn.
__device__ int after(int number) {
  return number + 1 == stages ? 0 : number + 1;
}

/// @return where term p is in its row of As. Rows fill half of the banks, so row i + 2 begins in the same
/// bank as row i: pairs 0 and 1, and 2 and 3, change places in every other two rows.
__device__ int place(int row, int p) {
  return p ^ (row & 2);
}

/// @return this lane's row and column among the down x across lanes of its warp.
__device__ int2 lane_place(int lane) {
  // BEGIN SOLUTION Two bits of the lane's number say its row, three its column. A wavefront serves 32 lanes
  //  that read 8 bytes each, or 16 lanes with 16, only where l and l ^ 1 have the same address for all l, or
  //  l and l ^ 2. And those 16 lanes, 0 to 15 or 16 to 31, should need all 8 pairs. Which bits are which?
  //| return {lane / across, lane % across};
  return {(lane >> 1 & 1) | (lane >> 3 & 2), (lane & 1) | (lane >> 1 & 6)};
  // END SOLUTION
}

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
  __shared__ alignas(16) double As[stages][tile][depth];
  __shared__ alignas(16) double Bs[stages][depth][tile];

  const int thread = threadIdx.x, warp = thread / 32;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile;

  // Of a part, this thread copies `count` vectors of each matrix: from row ia and term pa of A on, rows
  // `apart` from each other; from term qb and column jb of B on, rows `below` from each other. What does not
  // change from part to part is computed here: the FP64 units wait while a warp computes addresses.
  constexpr int count = tile * depth / (threads * width), apart = tile / count, below = depth / count;
  const int ia = thread * width / depth, pa = thread * width % depth;
  const int qb = thread * width / tile, jb = thread * width % tile;
  const double* from_a = A + (row0 + ia) * lda + pa;
  const double* from_b = B + qb * ldb + col0 + jb;

  // Begins to copy the columns of A and the rows of B from p0 on into a stage, and makes one batch of it:
  // zeros where the sum has no such terms. Call it for one part after another, and for `stages` parts after
  // the last one, too: with a branch around the copies the products could not be computed between them.
  const auto copy_part = [&](int p0, int stage) {
#pragma unroll
    for (int u = 0; u < count; ++u) {
      const int i = ia + u * apart, q = qb + u * below;
      const bool inside_a = row0 + i < m && p0 + pa < k;
      const bool inside_b = p0 + q < k && col0 + jb < n;
      __pipeline_memcpy_async(&As[stage][i][place(i, pa)], from_a + u * apart * lda, sizeof(Vector),
                              inside_a ? 0 : sizeof(Vector));
      __pipeline_memcpy_async(&Bs[stage][q][jb], from_b + u * below * ldb, sizeof(Vector),
                              inside_b ? 0 : sizeof(Vector));
    }
    from_a += depth;
    from_b += depth * ldb;
    __pipeline_commit();
  };

  // The lane's first row and column in the tile. sum[i][j] with an even j, and sum[i][j + 1], are in row
  // row + down i and in columns col + across j and the next one.
  const int2 lane = lane_place(thread % 32);
  const int row = warp / 2 * warp_rows + lane.x;
  const int col = warp % 2 * warp_columns + 2 * lane.y;
  double a[2][R];  // operands of this term and of the next, by turns
  double b[2][R];
  const auto read_operands = [&](int stage, int p, int into) {
    // BEGIN SOLUTION The lane's 8 elements of As and its 8 of Bs of term p of this stage: into a[into] and
    //  b[into].
    //| [[maybe_unused]] stage, p, into, row, col, a, b;
    for (int i = 0; i < R; ++i) a[into][i] = As[stage][row + down * i][place(row, p)];
    for (int j = 0; j < R; j += 2) read_two(&b[into][j], &Bs[stage][p][col + across * j]);
    // END SOLUTION
  };

  double sum[R][R] = {};
  // BEGIN SOLUTION Begin to copy the first parts, as many as there are stages. Wait for the first one, and
  //  read the operands of its first term.
  for (int part = 0; part < stages; ++part) copy_part(part * depth, part);
  __pipeline_wait_prior(stages - 1);
  __syncthreads();
  read_operands(0, 0, 0);
  // END SOLUTION
  for (int p0 = 0, stage = 0; p0 < k; p0 += depth, stage = after(stage)) {
#pragma unroll
    for (int p = 0; p < depth; ++p) {
      const bool last = p == depth - 1;  // of the terms of this part: the next one is in the next stage
      // BEGIN SOLUTION The operands of this term are in registers, by turns in a[0], b[0] and a[1], b[1].
      //  Begin to read those of the next term, then add this term's products. What must hold before the first
      //  term of the next part is read? And which stage may then be filled again, with which part?
      //| [[maybe_unused]] stage, last;
      //| ladder::task();  // Delete this line when you start.
      if (last) {
        __pipeline_wait_prior(stages - 2);  // this thread's copies of the next part have arrived
        __syncthreads();                    // so have all others'; and all have read all of this part
      }
      read_operands(last ? after(stage) : stage, (p + 1) % depth, (p + 1) % 2);
      if (last) copy_part(p0 + stages * depth, stage);
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) sum[i][j] += a[p % 2][i] * b[p % 2][j];
      // END SOLUTION
    }
  }
  __pipeline_wait_prior(0);  // for the first parts of a short sum: no copy may outlive its block
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; j += 2) {
      const int r = row0 + row + down * i, c = col0 + col + across * j;
      double* const to = C + r * ldc + c;
      if (width == 2 && r < m && c < n) *reinterpret_cast<double2*>(to) = {sum[i][j], sum[i][j + 1]};
      if (width == 1 && r < m && c < n) to[0] = sum[i][j];
      if (width == 1 && r < m && c + 1 < n) to[1] = sum[i][j + 1];
    }
}

/// @return whether all rows of a matrix begin at a multiple of 16 bytes and have an even number of columns.
bool pairs(const double* data, std::size_t ld, int columns) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(double2) == 0 && ld % 2 == 0 && columns % 2 == 0;
}

}  // namespace

/// C = A B, with the operands of the next term in flight to registers while this one is multiplied.
/// @throws ladder::Error when the device refuses the launch.
void warp_tiles(const Problem& p) {
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
