#pragma once
/// @file
/// Given, for t2: the kernels of t1, for any columns, and for two panels at a time. Source: none.

#include <cuda_pipeline.h>

#include "augmented.cuh"
#include "choice.cuh"
#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "panel_rows.cuh"

namespace gauss {

/// Eliminates the columns `first` to `first` + nb - 1 below their diagonal. A thread has one row, in
/// registers, and no row changes its place until all pivots are known: then the block stores its rows where
/// they belong.
static __global__ void __launch_bounds__(panel_rows)
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

  int pivot = -1;    // which one the row is
  double ratio = 0;  // how many of the rows of the pivot before the row loses
  for (int k = 0; k < nb; ++k) {
    const Board board{announcements, first, k};
    const double* const before =
        choice.entries(k + 1);                // of pivot k - 1, the same place: zeros, when there is none
    const bool left = t < rows && pivot < 0;  // the row is no pivot's yet
    a[0] = fma(-ratio, before[1], a[1]);
    const Contender best = announce(choice, board, left ? contender(a[0], row) : no_contender());
#pragma unroll
    for (int c = 1; c < nb; ++c) a[c] = fma(-ratio, before[c + 1], a[c + 1]);
    a[nb] = 0;
    announce_entries(choice, board, best, row, a);
    choose(choice, board);
    if (row == first && choice.inverse == 0 && *info == 0) *info = first + k + 1;
    const int of_pivot = choice.rows[k] - top;
    if (0 <= of_pivot && of_pivot < rows && t < nb - k) panel.entries[k + t][of_pivot] = choice.entries(k)[t];
    if (t == of_pivot) {
      pivot = k;
    } else if (left) {
      ratio = a[0] * copysign(choice.inverse, choice.entries(k)[0]);
      panel.entries[k][t] = ratio;
    }
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

/// Moves the rows of columns `begin` to `end` - 1 as the panel's. To the right of the panel, eliminates below
/// the diagonal of its top: one thread per column.
/// @param earlier  nb: first subtract from the rows of the pivots multiples of those of the panel before. 0:
/// that is done
static __global__ void __launch_bounds__(exchange_threads)
    exchange(Augmented M, int first, int earlier, const Moves* moves, int begin, int end) {
  // ratios[k][c]: how many rows k the row c + 1 below it loses. +2: threads that store a column each meet few
  // banks.
  __shared__ alignas(16) double ratios[nb][nb + 2];
  __shared__ Moves move;
  const int t = threadIdx.x, column = begin + blockIdx.x * exchange_threads + t;
  const auto load_ratios =
      [&](bool of_earlier) {  // a row at a time; of the panel's own, those past the last row are 0
#pragma unroll 16
        for (int i = 0; i < nb; ++i) {
          const int c = of_earlier ? i : (i - t - 1 + nb) % nb;
          const double ratio = M(first + i, (of_earlier ? first - nb : first) + t);
          ratios[t][c] = of_earlier || i > t ? ratio : 0;
        }
      };
  move.pivot[t] = moves->pivot[t], move.other[t] = moves->other[t];
  __syncthreads();
  double u[nb];
#pragma unroll
  for (int k = 0; k < nb; ++k) u[k] = column < end ? M(move.pivot[k], column) : 0;
  load_ratios(earlier > 0);
  // The rows that go away come to places whose rows are in u now. Several loads before the stores: else each
  // would wait.
  for (int k = 0; k < nb && column < end; k += batch) {
    double moved[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) moved[i] = M(first + k + i, column);
#pragma unroll
    for (int i = 0; i < batch; ++i)
      if (move.other[k + i] >= 0) M(move.other[k + i], column) = moved[i];
  }
  for (int k = 0; k < nb && begin < first && column < end; ++k) {
    M(first + k, column) = u[0];
#pragma unroll
    for (int c = 0; c < nb - 1; ++c) u[c] = u[c + 1];
  }
  if (begin < first) return;  // to the left of the panel rows only move
  __syncthreads();            // the ratios are there
  if (earlier > 0) {
#pragma unroll 4
    for (int k = 0; k < nb; ++k) {
      const double above = column < end ? M(first - nb + k, column) : 0;
#pragma unroll
      for (int c = 0; c < nb; ++c) u[c] = fma(-ratios[k][c], above, u[c]);
    }
    __syncthreads();  // nobody needs these ratios any more
    load_ratios(false);
    __syncthreads();
  }
  for (int k = 0; k < nb && column < end; ++k) {
    const double finished = u[0];
    M(first + k, column) = finished;
#pragma unroll
    for (int c = 0; c < nb / 2; ++c) u[c] = fma(-ratios[k][c], finished, u[c + 1]);
    if (k >= nb / 2) continue;  // no more rows are left
#pragma unroll
    for (int c = nb / 2; c < nb - 1; ++c) u[c] = fma(-ratios[k][c], finished, u[c + 1]);
  }
}

constexpr int update_threads = 128;
constexpr int depth = 16;  // pivots of one pass
constexpr int stages = 4;  // buffers for parts of L and U: all but one are in flight

/// What a pass of a tile needs of L and of U, in pairs of neighbours.
/// @tparam across  columns of the tile
template <int across>
struct Factors {
  double2 L[tile_rows][depth / 2];
  double2 U[depth][across / 2];
};
template <int across>
constexpr int factors_bytes = stages * sizeof(Factors<across>);

/// @return where in its row of L or U a pair lies: so that the 8 pairs that 8 lanes read at once are in
/// different banks.
inline __device__ int place(int row, int pair) {
  return pair ^ row % 8;
}

/// Below the rows of `terms` pivots from `first` on, and from column `begin` on, subtracts from the matrix
/// the product of their columns and their rows. One block per tile, 2 x 2 warps.
template <int across>
static __global__ void __launch_bounds__(update_threads)
    update(Augmented M, int first, int terms, int begin) {
  using Shape = ladder::tensor::Double16x8x8;  // C, 16 x 8, += A, 16 x 8, times B, 8 x 8
  constexpr int rows = 4;                      // a warp computes rows x columns parts of 8 x 16: as in t1
  constexpr int columns = across / 32;
  extern __shared__ char memory[];
  Factors<across>* const stage = reinterpret_cast<Factors<across>*>(memory);
  const int row0 = first + terms + blockIdx.y * tile_rows, col0 = begin + blockIdx.x * across;
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  // Where this thread's pairs of a part begin. In the next rows of the part they are `*_step` further.
  const int i_l = 2 * thread / depth, p_l = 2 * thread % depth, p_u = 2 * thread / across,
            j_u = 2 * thread % across;
  constexpr int l_step = 2 * update_threads / depth, u_step = 2 * update_threads / across;
  const double *from_l = &M(row0 + i_l, first + p_l), *from_u = &M(first + p_u, col0 + j_u);
  const auto copy_part = [&](int p0) {
    Factors<across>& to = stage[p0 / depth % stages];
    for (int i = 0; i < tile_rows && p0 < terms; i += l_step)
      __pipeline_memcpy_async(&to.L[i + i_l][place(i + i_l, p_l / 2)], from_l + i * M.ld, sizeof(double2));
    for (int p = 0; p < depth && p0 < terms; p += u_step)
      __pipeline_memcpy_async(&to.U[p + p_u][place(p + p_u, j_u / 2)], from_u + p * M.ld, sizeof(double2));
    __pipeline_commit();
    from_l += depth, from_u += depth * M.ld;
  };
  for (int part = 0; part < stages - 1; ++part) copy_part(part * depth);

  // The warp's elements begin in row i0 and column j0 of the tile. In the layout a lane has two numbers.
  const int i0 = warp / 2 * (8 * rows), j0 = warp % 2 * (16 * columns);
  const int g = lane / 4, t = lane % 4;
  const int row = 4 * (g % 2) + g / 2;  // of L: lanes 0 to 7 then read rows 0 and 4, in other banks
  const auto element = [&](int i, int j, int half) {  // and the one to its right
    return reinterpret_cast<double2*>(&M(row0 + i0 + 8 * i + t + 4 * half, col0 + j0 + 16 * j + 2 * g));
  };
  Shape::C sum[rows][columns];
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const double2 now = *element(i, j, half);
        sum[i][j][half] = now.x, sum[i][j][2 + half] = now.y;
      }
  for (int p0 = 0; p0 < terms; p0 += depth) {
    __pipeline_wait_prior(stages -
                          2);  // this thread's copies of this part have arrived; younger parts need not
    __syncthreads();           // so have all others'; and no thread reads the part before any more
    copy_part(p0 + (stages - 1) * depth);
    const Factors<across>& of = stage[p0 / depth % stages];
#pragma unroll
    for (int p = 0; p < depth; p += 8) {
      Shape::B l[rows];
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        const double2 pair = of.L[i0 + 8 * i + row][place(row, p / 2 + t)];
        l[i][0] = -pair.x, l[i][1] = -pair.y;
      }
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        Shape::A u;
        for (int half = 0; half < 2; ++half) {
          const int q = p + 2 * t + half;
          const double2 pair = of.U[q][place(q, (j0 + 16 * j) / 2 + g)];
          u[2 * half] = pair.x, u[2 * half + 1] = pair.y;
        }
#pragma unroll
        for (int i = 0; i < rows; ++i) ladder::tensor::multiply_add<Shape>(sum[i][j], u, l[i]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) *element(i, j, half) = {sum[i][j][half], sum[i][j][2 + half]};
}

/// Allows the kernels the shared memory that they need, and gives all of them the same division of L1: a
/// multiprocessor changes it only when it is empty, and blocks of several kernels are to share one.
/// @throws ladder::Error
inline void allow_shared_memory() {
  const auto allow = [](auto kernel, int bytes) {
    ladder::require_shared_memory(bytes);
    ladder::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    ladder::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
  };
  allow(factor, sizeof(Panel));
  allow(exchange, 0);
  allow(update<nb>, factors_bytes<nb>);
  allow(update<tile_columns>, factors_bytes<tile_columns>);
}

/// Launches `kernel` with all of its blocks resident at once, or throws.
template <class... Parameters>
void launch_resident(cudaStream_t stream, void (*kernel)(Parameters...), int blocks, int threads,
                     std::size_t shared_bytes, Parameters... values) {
  void* arguments[] = {&values...};
  ladder::check(cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments, shared_bytes, stream));
}

}  // namespace gauss
