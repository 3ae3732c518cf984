#pragma once
/// @file
/// Given, for g6 to g9: L L^T x = b on the device, which has L and reads it many times as fast as the host
/// reads its own. Columns that do not touch make a level (tiles.hpp). Forward from the first level on: its
/// diagonal tiles, all at once, then what its other tiles take from the rows below; back from the last level
/// on, the other way round. For g10: solve_diagonal. Source: none.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/device/cuda.hpp"
#include "common/device/pinned_pool.hpp"
#include "tiles.hpp"

namespace cholesky {

/// A tile below the diagonal.
struct TileBelow {
  int number, row, column;
};

/// The row of a tile that is this thread's. Read from its last corner on, L^T is a lower triangle, too.
template <bool back>
__device__ int own_row_of(int s) {
  return back ? s - 1 - int(threadIdx.x) : int(threadIdx.x);
}

/// An element of A^-1 y, or A^-T y, A a diagonal tile: by all threads of a block, one a row.
/// @param y  of own_row_of(s); 0 of a thread without a row
template <bool back>
__device__ double solve_diagonal(int s, const double* A, double y) {
  constexpr int width = 16;  // columns that a thread has of its row, loaded before the first is needed
  __shared__ double solved[width];
  const int i = int(threadIdx.x), lane = i % 32;
  const double* const own_row = back ? A + (s - 1 - i) * s + s - 1 : A + i;  // element j is own_row[j * step]
  const int step = back ? -1 : s;
  const double inverse = i < s ? 1 / own_row[i * step] : 0;
  for (int first = 0; first < s; first += width) {
    double row[width];
#pragma unroll
    for (int j = 0; j < width; ++j) row[j] = i < s && first + j < i ? own_row[(first + j) * step] : 0;
    if (i / 32 == first / 32) {  // the warp of the columns' own rows: who has its element hands it on
#pragma unroll
      for (int j = 0; j < width; ++j) {
        const double xj = __shfl_sync(0xffffffff, y * inverse, first % 32 + j);
        if (lane == first % 32 + j) y = solved[j] = xj;
        y -= row[j] * xj;
      }
    }
    __syncthreads();
    if (i / 32 > first / 32)
#pragma unroll
      for (int j = 0; j < width; ++j) y -= row[j] * solved[j];
    __syncthreads();
  }
  return y;
}

/// x of a tile column becomes L^-1 x, or L^-T x, L its diagonal tile: a block of threads a column.
template <bool back>
__global__ void __launch_bounds__(1024)
    solve_diagonals(int s, const double* L, const int* columns, const int* column_start, double* x) {
  const int column = columns[blockIdx.x];
  double* const own = x + std::size_t(column) * s + own_row_of<back>(s);
  const bool has_row = int(threadIdx.x) < s;
  const double y = solve_diagonal<back>(s, L + std::size_t(column_start[column]) * s * s, has_row ? *own : 0);
  if (has_row) *own = y;
}

/// Columns of a tile that a block of threads takes.
constexpr int columns_a_strip = 32;

/// x of its row loses each tile times x of its column.
static __global__ void take_products(int s, const double* L, const TileBelow* tiles, double* x) {
  const TileBelow tile = tiles[blockIdx.x];
  const int first = int(blockIdx.y) * columns_a_strip, end = min(s, first + columns_a_strip);
  const double* const A = L + std::size_t(tile.number) * s * s;
  const double* const factor = x + std::size_t(tile.column) * s;
  for (int r = int(threadIdx.x); r < s; r += int(blockDim.x)) {
    double sum = 0;
    for (int c = first; c < end; ++c) sum += A[c * s + r] * factor[c];
    atomicAdd(x + std::size_t(tile.row) * s + r, -sum);
  }
}

/// x of its column loses each tile, transposed, times x of its row: a warp a column of the tile.
static __global__ void take_transposed_products(int s, const double* L, const TileBelow* tiles, double* x) {
  const TileBelow tile = tiles[blockIdx.x];
  const int first = int(blockIdx.y) * columns_a_strip, end = min(s, first + columns_a_strip),
            lane = int(threadIdx.x) % 32;
  const double* const A = L + std::size_t(tile.number) * s * s;
  const double* const factor = x + std::size_t(tile.row) * s;
  for (int c = first + int(threadIdx.x) / 32; c < end; c += int(blockDim.x) / 32) {
    double sum = 0;
    for (int r = lane; r < s; r += 32) sum += A[c * s + r] * factor[r];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (lane == 0) atomicAdd(x + std::size_t(tile.column) * s + c, -sum);
  }
}

/// Bytes on the device that solve_on_device needs next to L.
inline std::size_t solve_bytes(const Problem& p) {
  return p.n * sizeof(double) + (p.tiles - p.tile_columns) * sizeof(TileBelow) +
         (2 * p.tile_columns + 1) * sizeof(int);
}

/// x = L^-T L^-1 b, for L at @p dL. Returns when x is there.
/// @throws ladder::Error when the device has no room for solve_bytes, or a call fails
inline void solve_on_device(const Problem& p, const double* dL, cudaStream_t stream) {
  constexpr int threads = 128;
  const int s = p.s, row_threads = (s + 31) / 32 * 32, strips = (s + columns_a_strip - 1) / columns_a_strip;
  // By level: where its columns and its tiles below them begin.
  const std::vector<std::vector<int>> levels = levels_of(p);
  std::vector<int> first_column{0}, first_tile{0};
  // Columns by level, then column_start.
  const ladder::PooledPinnedBuffer<int> numbers(2 * p.tile_columns + 1);
  const ladder::PooledPinnedBuffer<TileBelow> below(p.tiles - p.tile_columns);
  for (const std::vector<int>& level : levels) {
    int place = first_tile.back();
    for (const int k : level)
      for (int t = p.column_start[k] + 1; t < p.column_start[k + 1]; ++t)
        below[place++] = {t, p.tile_row[t], k};
    std::copy(level.begin(), level.end(), numbers.get() + first_column.back());
    first_column.push_back(first_column.back() + int(level.size()));
    first_tile.push_back(place);
  }
  std::copy_n(p.column_start, p.tile_columns + 1, numbers.get() + p.tile_columns);
  const ladder::PooledPinnedBuffer<double> x(p.n);
  std::copy_n(p.b, p.n, x.get());
  const ladder::PooledBuffer<int> dnumbers(numbers.size(), stream);
  const ladder::PooledBuffer<TileBelow> dbelow(below.size(), stream);
  const ladder::PooledBuffer<double> dx(p.n, stream);
  const auto copy = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    ladder::check(cudaMemcpyAsync(to, from, bytes, kind, stream));
  };
  copy(dnumbers.get(), numbers.get(), dnumbers.bytes(), cudaMemcpyHostToDevice);
  if (below.size() > 0) copy(dbelow.get(), below.get(), dbelow.bytes(), cudaMemcpyHostToDevice);
  copy(dx.get(), x.get(), dx.bytes(), cudaMemcpyHostToDevice);
  const int* const dcolumn_start = dnumbers.get() + p.tile_columns;
  const auto count = [](const std::vector<int>& first, std::size_t l) { return first[l + 1] - first[l]; };
  for (std::size_t l = 0; l < levels.size(); ++l) {
    solve_diagonals<false><<<count(first_column, l), row_threads, 0, stream>>>(
        s, dL, dnumbers.get() + first_column[l], dcolumn_start, dx.get());
    ladder::check(cudaGetLastError());
    if (const int tiles = count(first_tile, l)) {
      take_products<<<dim3(tiles, strips), threads, 0, stream>>>(s, dL, dbelow.get() + first_tile[l],
                                                                 dx.get());
      ladder::check(cudaGetLastError());
    }
  }
  for (std::size_t l = levels.size(); l-- > 0;) {
    if (const int tiles = count(first_tile, l)) {
      take_transposed_products<<<dim3(tiles, strips), threads, 0, stream>>>(
          s, dL, dbelow.get() + first_tile[l], dx.get());
      ladder::check(cudaGetLastError());
    }
    solve_diagonals<true><<<count(first_column, l), row_threads, 0, stream>>>(
        s, dL, dnumbers.get() + first_column[l], dcolumn_start, dx.get());
    ladder::check(cudaGetLastError());
  }
  copy(x.get(), dx.get(), dx.bytes(), cudaMemcpyDeviceToHost);
  ladder::check(cudaStreamSynchronize(stream));
  std::copy_n(x.get(), p.n, p.x);
}

}  // namespace cholesky
