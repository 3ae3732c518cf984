/// @file
/// g6: all of g5 in one launch. The blocks of a grid that is resident as a whole share the tiles, wait for
/// each other, and share the buckets. A small problem has small tiles, so that there is one for each
/// multiprocessor. Before: g5, two kernels, whose tiles have 16,384 keys. Source: none.

#include <cooperative_groups.h>

#include <algorithm>
#include <bit>

#include "block_scan.cuh"
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {
namespace {

using LowBits = unsigned short;  // of a key: what its bucket does not say

constexpr int few_buckets = 128;    // one for each multiprocessor of a large device, in small problems
constexpr int usual_buckets = 512;  // more, where a bucket would have more values than 16 bits
constexpr int few_bits = 14;        // of a key, in at most few_buckets
constexpr int block_threads = 512;
constexpr int max_rows = 32;  // keys of a thread, a block apart
constexpr int rank_threads = block_threads;
constexpr unsigned load_keys = 8;  // of a load of 16 bytes
constexpr unsigned run_lanes = 2;  // neighbouring threads that read a run together: a sector

/// How a problem is divided.
struct Plan {
  int shift, buckets;  // a bucket has 2^shift values
  int rows;            // keys of a thread
  unsigned tile_keys;  // of a tile: rows * block_threads
  std::size_t tiles;
  unsigned window_bins;  // counts that there is room for
  LowBits* sorted_keys;  // tiles x tile_keys
  LowBits* run_begin;    // (buckets + 1) x tiles
};

/// Sorts a tile of keys by bucket. Those of a bucket are then neighbours, a run.
/// @param place  [buckets + 1], in shared memory
__device__ void sort_tile(std::int64_t n, const int* keys,  // n
                          const Plan& plan, std::size_t tile, unsigned* place) {
  __shared__ __align__(16) LowBits sorted[max_rows * block_threads];
  __shared__ unsigned sums[32];
  const int shift = plan.shift, buckets = plan.buckets, rows = plan.rows;
  const std::size_t tiles = plan.tiles;
  LowBits* const run_begin = plan.run_begin;
  const std::int64_t first = std::int64_t(tile) * plan.tile_keys;
  for (int b = threadIdx.x; b <= buckets; b += block_threads) place[b] = 0;
  __syncthreads();
  const auto load_key = [&](int r) {
    const std::int64_t i = first + r * block_threads + threadIdx.x;
    // Behind the last key there are keys of a bucket behind the last one.
    return i < n ? unsigned(keys[i]) : unsigned(buckets) << shift;
  };
#pragma unroll 16
  for (int r = 0; r < rows; ++r) atomicAdd(&place[load_key(r) >> shift], 1u);
  __syncthreads();
  scan_in_block(place, buckets + 1, sums);
  for (int b = threadIdx.x; b <= buckets; b += block_threads) run_begin[b * tiles + tile] = place[b];
  __syncthreads();  // what follows changes place[b]
#pragma unroll 16
  for (int r = 0; r < rows; ++r) {
    const unsigned key = load_key(r);
    sorted[atomicAdd(&place[key >> shift], 1u)] = key & ((1u << shift) - 1);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < plan.tile_keys / load_keys; i += block_threads)
    reinterpret_cast<uint4*>(plan.sorted_keys + first)[i] = reinterpret_cast<const uint4*>(sorted)[i];
}

/// Shows a thread its part of a run, keys[begin] … keys[end - 1], by `visit(key)`.
/// @param keys  begins at a multiple of 16 bytes, and may be read up to the next one behind the run
/// @param lane  the thread's number among the run_lanes that share the run
template <class Visitor>
__device__ void visit_run(const LowBits* keys, unsigned begin, unsigned end, unsigned lane, Visitor&& visit) {
  for (unsigned i = (begin / load_keys + lane) * load_keys; i < end; i += run_lanes * load_keys) {
    const uint4 eight = *reinterpret_cast<const uint4*>(keys + i);
    const unsigned pairs[] = {eight.x, eight.y, eight.z, eight.w};
    for (unsigned j = 0; j < load_keys; ++j)
      if (i + j >= begin && i + j < end) visit(pairs[j / 2] >> 16 * (j % 2) & 0xffff);
  }
}

/// Ranks the values of a bucket, as many at a time as there is room for.
/// @param counts  [window_bins], in shared memory
__device__ void rank_bucket(int bins, const Plan& plan, unsigned bucket, unsigned* counts,
                            unsigned* rank) {  // bins
  __shared__ unsigned sums[32], before;
  const std::size_t tiles = plan.tiles;
  const unsigned tile_keys = plan.tile_keys;
  const LowBits* const sorted_keys = plan.sorted_keys;
  const unsigned first_bin = bucket << plan.shift, width = min(unsigned(bins) - first_bin, 1u << plan.shift);
  const LowBits* const begin = plan.run_begin + bucket * tiles;  // of the bucket's run in each tile
  const LowBits* const end = begin + tiles;                      // where the next bucket's begins
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  unsigned part = 0;
  for (std::size_t tile = threadIdx.x; tile < tiles; tile += rank_threads) part += begin[tile];
  atomicAdd(&before, part);
  __syncthreads();
  unsigned smaller = before;
  for (unsigned window = 0; window < width; window += plan.window_bins) {
    const unsigned window_width = min(width - window, plan.window_bins);
    for (unsigned k = threadIdx.x; k < window_width; k += rank_threads) counts[k] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x % run_lanes;
    for (std::size_t tile = threadIdx.x / run_lanes; tile < tiles; tile += rank_threads / run_lanes)
      visit_run(sorted_keys + tile * tile_keys, begin[tile], end[tile], lane, [&](unsigned key) {
        const unsigned k = key - window;  // a key below the window becomes very large
        if (k < window_width) atomicAdd(&counts[k], 1u);
      });
    __syncthreads();
    const unsigned in_window = scan_in_block(counts, window_width, sums);
    for (unsigned k = threadIdx.x; k < window_width; k += rank_threads)
      rank[first_bin + window + k] = smaller + counts[k];
    smaller += in_window;
    __syncthreads();  // the next window clears counts
  }
}

/// All of it. All blocks are resident.
__global__ void __launch_bounds__(block_threads, 4)  // four blocks on a multiprocessor
    rank_all(Problem p, Plan plan) {
  extern __shared__ unsigned shared[];  // place of sort_tile, and then counts of rank_bucket
  [[maybe_unused]] const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  // BEGIN SOLUTION The blocks share the tiles (sort_tile), and then the buckets (rank_bucket), with any
  //  number of each. What must be complete before the first bucket is ranked?
  //| [[maybe_unused]] p, plan;
  //| ladder::task();  // Delete this line when you start.
  for (std::size_t tile = blockIdx.x; tile < plan.tiles; tile += gridDim.x)
    sort_tile(p.n, p.keys, plan, tile, shared);
  grid.sync();  // every run is stored
  for (int bucket = blockIdx.x; bucket < plan.buckets; bucket += gridDim.x)
    rank_bucket(p.bins, plan, bucket, shared, p.rank);
  // END SOLUTION
}

/// An attribute of the device.
int device_has(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// Divides a problem; its memory comes later.
Plan plan_of(const Problem& p) {
  Plan plan{};
  while (plan.shift < 16 &&
         (p.bins - 1) >> plan.shift >= (plan.shift < few_bits ? few_buckets : usual_buckets))
    ++plan.shift;
  plan.buckets = ((p.bins - 1) >> plan.shift) + 1;
  // BEGIN SOLUTION There is to be a tile for each multiprocessor. How many rows of block_threads keys does it
  //  have, at least one and at most max_rows? device_has(cudaDevAttrMultiProcessorCount) is their number.
  //| ladder::task();  // Delete this line when you start.
  const std::int64_t threads = std::int64_t(device_has(cudaDevAttrMultiProcessorCount)) * block_threads;
  plan.rows = int(std::clamp<std::int64_t>((p.n + threads - 1) / threads, 1, max_rows));
  // END SOLUTION
  plan.tile_keys = plan.rows * block_threads;
  plan.tiles = std::size_t((p.n + plan.tile_keys - 1) / plan.tile_keys);
  const int tile_bytes = max_rows * block_threads * int(sizeof(LowBits)) + 1024;  // and what a scan needs
  const int room = (device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin) - tile_bytes) / int(sizeof(unsigned));
  plan.window_bins = std::min(std::bit_floor(unsigned(room)), 1u << plan.shift);
  return plan;
}

}  // namespace

/// Ranks the keys.
/// @throws ladder::Error when the device refuses a launch, or has no memory for the tiles.
void one_launch(const Problem& p) {
  Plan plan = plan_of(p);
  const ladder::PooledBuffer<LowBits> memory(plan.tiles * (plan.tile_keys + plan.buckets + 1));
  plan.sorted_keys = memory.get(), plan.run_begin = plan.sorted_keys + plan.tiles * plan.tile_keys;
  const std::size_t shared_bytes =
      std::max(plan.buckets + 1u, plan.window_bins) * sizeof(unsigned);  // place, or counts
  ladder::check(
      cudaFuncSetAttribute(rank_all, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)));
  int resident = 0;
  ladder::check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, rank_all, block_threads, shared_bytes));
  resident *= device_has(cudaDevAttrMultiProcessorCount);
  // BEGIN SOLUTION Launch rank_all so that all its blocks are resident at once, as many as there is work for:
  //  cudaLaunchCooperativeKernel(kernel, grid, block, arguments, bytes of shared memory). `arguments` is an
  //  array of void*, each the address of one argument.
  //| ladder::task();  // Delete this line when you start.
  //| [[maybe_unused]] resident;
  const std::size_t work = std::max(plan.tiles, std::size_t(plan.buckets));
  const unsigned blocks = unsigned(std::min(work, std::size_t(resident)));
  Problem problem = p;
  void* arguments[] = {&problem, &plan};
  ladder::check(cudaLaunchCooperativeKernel(rank_all, blocks, block_threads, arguments, shared_bytes));
  // END SOLUTION
}

}  // namespace npb_is
