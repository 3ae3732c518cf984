/// @file
/// t1: blocks of 64 pivots. A panel of 64 columns is eliminated first, in registers. The rest of the matrix
/// is then loaded and stored once for 64 pivots: what it loses is a product of two matrices, which tensor
/// cores compute. Before: g9, once for two pivots. Source: none. Blocked elimination: LAPACK's dgetrf.

#include <cuda_pipeline.h>

#include "augmented.cuh"
#include "choice.cuh"
#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "panel_rows.cuh"
#include "problem.hpp"

namespace gauss {
namespace {

namespace tensor = ladder::tensor;
using Shape = tensor::Double16x8x8;  // C, 16 x 8, += A, 16 x 8, times B, 8 x 8

/// Eliminates the columns `first` to `first` + nb - 1 below their diagonal. A thread has one row, in
/// registers, and no row changes its place until all pivots are known: then the block stores its rows where
/// they belong.
__global__ void __launch_bounds__(panel_rows)
    factor(Augmented M, int first, Announcements* announcements,  // 1
           Moves* moves, int* info) {                             // 1; 1
  extern __shared__ Panel panels[];
  __shared__ Choice choice;
  __shared__ int place[panel_rows];
  Panel& panel = panels[0];
  const int t = threadIdx.x, top = first + blockIdx.x * panel_rows, row = top + t;
  const int rows = min(panel_rows, M.n - top);
  load_rows(M, first, top, rows, panel);
  choice.clear();
  __pipeline_wait_prior(0);
  __syncthreads();
  double a[nb + 1];  // a[c + 1]: what column c has, as long as it has lost nothing
  a[0] = 0;
#pragma unroll
  for (int c = 0; c < nb; ++c) a[c + 1] = t < rows ? panel.entries[c][t] : 0;

  [[maybe_unused]] int pivot = -1;    // which one the row is
  [[maybe_unused]] double ratio = 0;  // how many of the rows of the pivot before the row loses
  for (int k = 0; k < nb; ++k) {
    const Board board{announcements, first, k};
    [[maybe_unused]] const double* const before =
        choice.entries(k + 1);                // of pivot k - 1, the same place: zeros, when there is none
    const bool left = t < rows && pivot < 0;  // the row is no pivot's yet
    // TASK, 1 line: Subtract from the row its multiple of the row before; column k comes to a[0]: first this
    //  entry alone, from a[1].
    ladder::task();  // Delete this line when you start.
    const Contender best = announce(choice, board, left ? contender(a[0], row) : no_contender());
    // TASK, 3 lines: Then all other entries, while the announcement is in flight: a[c + 1] to a[c]. a[nb] is
    //  0 from then on.
    ladder::task();  // Delete this line when you start.
    announce_entries(choice, board, best, row, a);
    choose(choice, board);
    if (row == first && choice.inverse == 0 && *info == 0) *info = first + k + 1;
    // TASK, 8 lines: Pivot k is in row choice.rows[k]. Its entries from column k on are choice.entries(k)[0],
    //  [1], …: the block that has the row keeps them. Entry e of thread t's row belongs into
    //  panel.entries[e][t]. Any other row that is left gets its ratio, and keeps it as entry k.
    //  choice.inverse is 1 / |pivot|.
    ladder::task();  // Delete this line when you start.
  }
  place[t] = pivot >= 0 ? first + pivot : place_of(row, first, choice.rows);
  if (blockIdx.x == 0 && t < nb) {
    moves->pivot[t] = choice.rows[t];
    moves->other[t] = pivot >= 0 ? -1 : place[t];
  }
  __syncthreads();  // all rows are in shared memory
  store_rows(M, first, rows, place, panel);
}

constexpr int exchange_threads = 64;
constexpr int batch = 32;  // rows whose elements a thread loads before it stores them

/// Moves the rows to the right of a panel as the panel's, and eliminates below the diagonal of its top: one
/// thread per column, b included.
__global__ void __launch_bounds__(exchange_threads) exchange(Augmented M, int first, const Moves* moves) {
  // ratios[k][c]: how many rows k the row c + 1 below it loses. +2: threads that store a column each meet few
  // banks.
  __shared__ alignas(16) double ratios[nb][nb + 2];
  __shared__ Moves move;
  const int t = threadIdx.x, column = first + nb + blockIdx.x * exchange_threads + t;
  move.pivot[t] = moves->pivot[t], move.other[t] = moves->other[t];
  __syncthreads();
  [[maybe_unused]] double u[nb];
#pragma unroll
  for (int k = 0; k < nb; ++k) u[k] = column <= M.n ? M(move.pivot[k], column) : 0;
#pragma unroll 16
  for (int i = 0; i < nb; ++i)  // a row at a time; ratios past the last row are 0
    ratios[t][(i - t - 1 + nb) % nb] = i > t ? M(first + i, first + t) : 0;
  // The rows that go away come to places whose rows are in u now. Several loads before the stores: else each
  // would wait.
  for (int k = 0; k < nb && column <= M.n; k += batch) {
    double moved[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) moved[i] = M(first + k + i, column);
#pragma unroll
    for (int i = 0; i < batch; ++i)
      if (move.other[k + i] >= 0) M(move.other[k + i], column) = moved[i];
  }
  __syncthreads();  // the ratios are there
  if (column > M.n) return;
  // TASK, 9 lines: u[k] is what the row of pivot k has in this column. From the top down, each row is
  //  finished when multiples of all rows above it are subtracted: then it goes to row first + k. As above,
  //  u[0] may be the row that is finished.
  ladder::task();  // Delete this line when you start.
}

constexpr int update_threads = 128;
constexpr int rows = 4;     // a warp computes rows x columns parts of 8 x 16: 32 x 64 elements of C
constexpr int columns = 4;  // the operation gets U transposed as its A, and L transposed as its B
constexpr int depth = 16;   // pivots of one batch of copies

/// What a tile needs of L and of U, in pairs of neighbours.
struct Factors {
  double2 L[tile_rows][nb / 2];
  double2 U[nb][tile_columns / 2];
};

/// @return where in its row of L or U a pair lies: so that the 8 pairs that 8 lanes read at once are in
/// different banks.
__device__ int place(int row, int pair) {
  return pair ^ row % 8;
}

using Sums = Shape::C[rows][columns];

/// Begins to copy what a tile needs, in a batch for each `depth` pivots.
__device__ __forceinline__ void copy_factors(const Augmented& M, int first, int row0, int col0, Factors& of) {
  const int thread = threadIdx.x;
#pragma unroll
  for (int p0 = 0; p0 < nb; p0 += depth) {
#pragma unroll
    for (int e0 = 0; e0 < tile_rows * depth; e0 += 2 * update_threads) {
      const int e = e0 + 2 * thread, i = e / depth, p = p0 + e % depth;
      __pipeline_memcpy_async(&of.L[i][place(i, p / 2)], &M(row0 + i, first + p), sizeof(double2));
    }
#pragma unroll
    for (int e0 = 0; e0 < tile_columns * depth; e0 += 2 * update_threads) {
      const int e = e0 + 2 * thread, p = p0 + e / tile_columns, j = e % tile_columns;
      __pipeline_memcpy_async(&of.U[p][place(p, j / 2)], &M(first + p, col0 + j), sizeof(double2));
    }
    __pipeline_commit();
  }
}

/// A lane of a warp, whose 32 x 64 elements begin in row i0 and column j0 of the tile. In the layout it has
/// two numbers, g and t.
struct Lane {
  const int thread = threadIdx.x, warp = thread / 32;
  const int i0 = warp / 2 * (8 * rows), j0 = warp % 2 * (16 * columns);
  const int g = thread % 32 / 4, t = thread % 4;
  const int row = 4 * (g % 2) + g / 2;  // of L: lanes 0 to 7 then read rows 0 and 4, in other banks

  /// Subtracts the products of pivots p to p + 7.
  __device__ __forceinline__ void subtract([[maybe_unused]] const Factors& of, [[maybe_unused]] int p,
                                           [[maybe_unused]] Sums& sum) const {
    // TASK, 17 lines: As in 03/t3, read the lane's pairs. Of the 8 x 16 part of U that begins in row p and
    //  column j0 + 16 j, those of rows 2 t and 2 t + 1, columns 2 g and 2 g + 1: into u[0] to u[3]. Of the 8
    //  x 8 part of L that begins in row i0 + 8 i and column p, that of row `row`, columns 2 t and 2 t + 1.
    //  sum[i][j] holds what is in M: subtract the products from it, though an operation only adds.
    ladder::task();  // Delete this line when you start.
  }
};

/// Subtracts the product of a panel's columns and its rows from the matrix below and to the right of it. One
/// block per tile, 2 x 2 warps of 32 x 64 elements.
__global__ void __launch_bounds__(update_threads) update(Augmented M, int first) {
  extern __shared__ Factors both[];
  Factors& of = both[0];
  const int row0 = first + nb + blockIdx.y * tile_rows, col0 = first + nb + blockIdx.x * tile_columns;
  copy_factors(M, first, row0, col0, of);
  const Lane lane;
  const auto element = [&](int i, int j, int half) {  // and the one to its right
    return reinterpret_cast<double2*>(
        &M(row0 + lane.i0 + 8 * i + lane.t + 4 * half, col0 + lane.j0 + 16 * j + 2 * lane.g));
  };
  Sums sum;
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const double2 now = *element(i, j, half);
        sum[i][j][half] = now.x, sum[i][j][2 + half] = now.y;
      }
#pragma unroll
  for (int p = 0; p < nb; p += 8) {
    if (p == 0 * depth) __pipeline_wait_prior(3);  // the first batch has arrived
    if (p == 1 * depth) __pipeline_wait_prior(2);
    if (p == 2 * depth) __pipeline_wait_prior(1);
    if (p == 3 * depth) __pipeline_wait_prior(0);
    if (p % depth == 0) __syncthreads();  // so have the copies of all other threads
    lane.subtract(of, p, sum);
  }
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) *element(i, j, half) = {sum[i][j][half], sum[i][j][2 + half]};
}

/// Launches `kernel` with all of its blocks resident at once, or throws.
template <class... Parameters>
void launch_resident(void (*kernel)(Parameters...), int blocks, int threads, std::size_t shared_bytes,
                     Parameters... values) {
  void* arguments[] = {&values...};
  ladder::check(cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments, shared_bytes, nullptr));
}

}  // namespace

/// Solves A x = b with partial pivoting, 64 pivots at a time.
/// @throws ladder::Error when the device refuses a call, has no memory for a copy of A, or cannot hold all
/// rows at once.
void blocked(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  Augmented M = augmented(p);
  const ladder::PooledBuffer<double> copy(M.elements());
  const ladder::PooledBuffer<Announcements> announcements(1);
  const ladder::PooledBuffer<Moves> moves(1);
  M.data = copy.get();
  ladder::check(cudaMemsetAsync(announcements.get(), 0, announcements.bytes()));
  ladder::require_shared_memory(std::max(sizeof(Panel), sizeof(Factors)));
  ladder::check(cudaFuncSetAttribute(factor, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Panel)));
  ladder::check(cudaFuncSetAttribute(update, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Factors)));
  copy_system<<<M.n, copy_threads>>>(p, M);
  ladder::check(cudaGetLastError());
  for (int first = 0; first < M.n; first += nb) {
    // rows below the panel; as many columns of A are to its right, and b
    [[maybe_unused]] const int below = M.n - first - nb;
    // TASK, 9 lines: Launch factor, with all rows from `first` on, by launch_resident; then exchange and
    //  update. How many blocks does each need? A grid must not be empty.
    ladder::task();  // Delete this line when you start.
  }
  launch_resident(substitute, substitution_blocks(M), substitution_threads, 0, M, p.n, p.x);
}

}  // namespace gauss
