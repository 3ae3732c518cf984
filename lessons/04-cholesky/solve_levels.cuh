#pragma once
/// @file
/// Given, for g10: the tiles of L by column and by row, and the product of one with x. Source: none.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/device/cuda.hpp"
#include "common/device/pinned_pool.hpp"
#include "tiles.hpp"

namespace cholesky {

/// Tiles in one order, those of a line (a tile column, or a tile row) one after another, its diagonal tile
/// first.
struct Order {
  const int* start;  ///< tile_columns + 1: where the lines begin
  const int* other;  ///< tiles; place of each in the other order
};

/// Both orders of the tiles, and the tile columns by level: on the device, and in pinned memory. A tile's
/// place in the order by column is its number.
class Lists {
 public:
  Lists(const Problem& p, const std::vector<std::vector<int>>& levels, cudaStream_t stream)
      : columns_(p.tile_columns), tiles_(p.tiles), host_(count(p)), device_(count(p), stream) {
    int* next = host_.get();
    for (const std::vector<int>& level : levels) next = std::copy(level.begin(), level.end(), next);
    next = std::copy_n(p.column_start, columns_ + 1, next);
    int *const row_start = next, *const place = row_start + columns_ + 1, *const number = place + tiles_;
    std::vector<int> length(columns_, 0);
    for (int t = 0; t < tiles_; ++t) ++length[p.tile_row[t]];
    row_start[0] = 0;
    for (int i = 0; i < columns_; ++i) row_start[i + 1] = row_start[i] + length[i];
    std::vector<int> end(row_start, row_start + columns_);
    for (int i = 0; i < columns_; ++i) number[end[i]++] = p.column_start[i];  // the diagonal tile is first
    for (int k = 0; k < columns_; ++k)
      for (int t = p.column_start[k] + 1; t < p.column_start[k + 1]; ++t) number[end[p.tile_row[t]]++] = t;
    for (int e = 0; e < tiles_; ++e) place[number[e]] = e;
    ladder::check(
        cudaMemcpyAsync(device_.get(), host_.get(), device_.bytes(), cudaMemcpyHostToDevice, stream));
  }
  /// On the device.
  const int* columns() const { return device_.get(); }
  Order by_column() const { return {starts(device_), starts(device_) + 2 * (columns_ + 1)}; }
  Order by_row() const { return {starts(device_) + columns_ + 1, by_column().other + tiles_}; }
  /// Tiles of the longest line of a level.
  int longest(const std::vector<int>& level, bool row) const {
    const int* const start = starts(host_) + (row ? columns_ + 1 : 0);
    int most = 0;
    for (const int k : level) most = std::max(most, start[k + 1] - start[k]);
    return most;
  }
  static std::size_t count(const Problem& p) { return 3 * std::size_t(p.tile_columns) + 2 + 2 * p.tiles; }

 private:
  template <class Buffer>
  const int* starts(const Buffer& buffer) const {
    return buffer.get() + columns_;
  }
  int columns_, tiles_;
  ladder::PooledPinnedBuffer<int> host_;
  ladder::PooledBuffer<int> device_;
};

/// A x, or A^T x, A a tile: by a block of threads, at least one a row.
template <bool back>
__device__ void multiply(int s, const double* A, const double* x, double* product) {
  const int i = int(threadIdx.x), lane = i % 32;
  if constexpr (back) {
#pragma unroll 4
    for (int c = i / 32; c < s; c += int(blockDim.x) / 32) {  // a warp a column
      double sum = 0;
      for (int r = lane; r < s; r += 32) sum += A[c * s + r] * x[r];
      for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
      if (lane == 0) product[c] = sum;
    }
  } else {  // a thread a row
    double sum = 0;
#pragma unroll 16
    for (int c = 0; c < s; ++c) sum += i < s ? A[c * s + i] * x[c] : 0;
    if (i < s) product[i] = sum;
  }
}

}  // namespace cholesky
