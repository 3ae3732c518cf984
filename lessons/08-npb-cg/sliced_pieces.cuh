#pragma once
/// @file
/// How g7 lays the matrix out: which rows of a block make a slice in a piece, and where its entries are.
/// Given: g7 says what moves there, and how a product reads it.

#include <cstdint>

#include "column_pieces.cuh"
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_cg {

constexpr int warp_lanes = 32;
constexpr int row_lanes = 4;                        // that share a row in a slice
constexpr int slice_rows = warp_lanes / row_lanes;  // rows of a slice
constexpr int layout_threads = 1024;                // of kernels that make the layout

/// The matrix in pieces (see Division), and in each piece the rows of a block in slices of 8, those with the
/// most entries first. A slice takes as many steps as its longest row needs: in each step every lane of a
/// warp has one entry, and those of a step are neighbours in memory. What a shorter row lacks are zeros.
struct Slices {
  int pieces, rows;      ///< of all; of a block
  int per_part;          ///< slices of a block in a piece
  int* steps;            ///< 1; of all slices
  int* starts;           ///< blocks x pieces x (per_part + 1); first step of each slice, end of the last one
  std::uint16_t* order;  ///< blocks x pieces x rows; the block's rows, slice after slice
  std::uint16_t* columns;  ///< 32 x steps; of entries, counted from the first of the piece
  double* values;          ///< 32 x steps
  bool operator==(const Slices&) const = default;

  __device__ std::size_t part(int block, int piece) const { return std::size_t(block) * pieces + piece; }
  __device__ int* starts_of(int block, int piece) const {
    return starts + part(block, piece) * (per_part + 1);
  }
  __device__ std::uint16_t* order_of(int block, int piece) const { return order + part(block, piece) * rows; }
};

/// Makes of each number the sum of all before it, by the first warp. All threads of the block call.
/// @return the sum of all, in the first warp
static __device__ int sum_before(int count, int* numbers) {
  __syncthreads();
  int sum = 0;
  for (int begin = 0; begin < count && threadIdx.x < warp_lanes; begin += warp_lanes) {
    const int i = begin + threadIdx.x, number = i < count ? numbers[i] : 0;
    int up_to = number;
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
      const int other = __shfl_up_sync(~0u, up_to, distance);
      if (threadIdx.x >= distance) up_to += other;
    }
    if (i < count) numbers[i] = sum + up_to - number;
    sum += __shfl_sync(~0u, up_to, warp_lanes - 1);
  }
  __syncthreads();
  return sum;
}

/// Orders the rows of block blockIdx.x in piece blockIdx.y, and says where each slice begins. Whichever block
/// comes first takes the first steps; *steps begins with 0.
static __global__ void order_rows(Division v, const int* bounds, Slices slices) {  // (pieces + 1) x n
  constexpr int lengths = 256;          // longer rows count as the longest: their order does not matter much
  extern __shared__ int step_counts[];  // per_part + 1
  __shared__ int places[lengths];
  __shared__ int first_step;
  const int begin = blockIdx.x * v.rows, rows = max(0, min(v.rows, v.n - begin));
  const int* const lower = bounds + (long long)(blockIdx.y) * v.n + begin;
  const int* const upper = lower + v.n;
  int* const starts = slices.starts_of(blockIdx.x, blockIdx.y);
  std::uint16_t* const order = slices.order_of(blockIdx.x, blockIdx.y);
  // A counting sort: rows of each length, places of each length, the place of each row.
  const auto rank = [&](int row) { return max(0, lengths - 1 - (upper[row] - lower[row])); };
  for (int i = threadIdx.x; i < lengths; i += layout_threads) places[i] = 0;
  __syncthreads();
  for (int row = threadIdx.x; row < rows; row += layout_threads) atomicAdd(&places[rank(row)], 1);
  sum_before(lengths, places);
  for (int row = threadIdx.x; row < rows; row += layout_threads)
    order[atomicAdd(&places[rank(row)], 1)] = row;
  __syncthreads();
  for (int slice = threadIdx.x; slice <= slices.per_part; slice += layout_threads) {
    int longest = 0;
    for (int place = slice * slice_rows; place < min(rows, (slice + 1) * slice_rows); ++place)
      longest = max(longest, upper[order[place]] - lower[order[place]]);
    step_counts[slice] = (longest + row_lanes - 1) / row_lanes;
  }
  const int all = sum_before(slices.per_part + 1, step_counts);
  if (threadIdx.x == 0) first_step = atomicAdd(slices.steps, all);
  __syncthreads();
  for (int slice = threadIdx.x; slice <= slices.per_part; slice += layout_threads)
    starts[slice] = first_step + step_counts[slice];
}

/// The bounds, the slices with their rows in order, and memory for their entries, which are not there yet.
struct Layout {
  ladder::PooledBuffer<int> bounds;  ///< (v.pieces + 1) x v.n; see divide
  ladder::PooledBuffer<int> steps, starts;
  ladder::PooledBuffer<std::uint16_t> order;
  Slices slices;
  ladder::PooledBuffer<std::uint16_t> columns;
  ladder::PooledBuffer<double> values;

  /// The host waits once: for the number of steps, which says how much memory the entries need.
  /// @throws ladder::Error when the device refuses a call, or has too little memory.
  Layout(const Problem& p, Division v)
      : bounds(std::size_t(v.pieces + 1) * v.n),
        steps(1),
        starts(std::size_t(v.blocks) * v.pieces * (up(v.rows, slice_rows) + 1)),
        order(std::size_t(v.blocks) * v.pieces * v.rows),
        slices{v.pieces, v.rows, up(v.rows, slice_rows), steps.get(), starts.get(), order.get(),
               nullptr,  nullptr},
        columns(count_entries(p, v)),
        values(columns.size()) {
    slices.columns = columns.get(), slices.values = values.get();
  }

 private:
  std::size_t count_entries(const Problem& p, Division v) {
    constexpr int divide_threads = 256;
    divide<<<up(p.n, divide_threads), divide_threads>>>(v, p.row_start, p.columns, bounds.get());
    ladder::check(cudaGetLastError());
    ladder::check(cudaMemsetAsync(steps.get(), 0, steps.bytes()));
    order_rows<<<dim3(v.blocks, v.pieces), layout_threads, sizeof(int) * (slices.per_part + 1)>>>(
        v, bounds.get(), slices);
    ladder::check(cudaGetLastError());
    int count = 0;
    ladder::check(cudaMemcpy(&count, steps.get(), steps.bytes(), cudaMemcpyDeviceToHost));
    return std::size_t(count) * warp_lanes;
  }
};

}  // namespace npb_cg
