/// @file
/// g5: a tile of keys is sorted by bucket and stays where it is; the block that ranks a bucket gathers its
/// keys from all tiles. Nothing is counted before keys move, and 16 bits of a key are enough. Before: g4,
/// which reads all keys once more to find places for them, and moves all their bits. Source: none.

#include <algorithm>
#include <bit>

#include "block_scan.cuh"
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {
namespace {

using LowBits = unsigned short;  // of a key: what its bucket does not say

constexpr int usual_buckets = 512;  // more, where a bucket would have more values than 16 bits
constexpr int block_threads = 512;
constexpr int rows = 32;  // keys of a thread, a block apart
constexpr int tile_keys = rows * block_threads;
constexpr int rank_threads = 1024;
constexpr unsigned load_keys = 8;  // of a load of 16 bytes
constexpr unsigned run_lanes = 2;  // neighbouring threads that read a run together: a sector

/// Sorts a tile of keys by bucket. Those of a bucket are then neighbours, a run.
__global__ void __launch_bounds__(block_threads, 4)           // four blocks on a multiprocessor
    sort_tiles(std::int64_t n, const int* keys,               // n
               int shift, int buckets, LowBits* sorted_keys,  // tiles x tile_keys
               LowBits* run_begin) {                          // (buckets + 1) x tiles
  extern __shared__ unsigned place[];                         // buckets + 1
  __shared__ __align__(16) LowBits sorted[tile_keys];
  __shared__ unsigned sums[32];
  const std::size_t tiles = gridDim.x, tile = blockIdx.x;
  const std::int64_t first = std::int64_t(tile) * tile_keys;
  for (int b = threadIdx.x; b <= buckets; b += block_threads) place[b] = 0;
  __syncthreads();
  // A thread loads its keys twice, from a cache the second time: in registers they would leave room for fewer
  // blocks.
  const auto load_key = [&](int r) {
    const std::int64_t i = first + r * block_threads + threadIdx.x;
    // Behind the last key there are keys of a bucket behind the last one.
    return i < n ? unsigned(keys[i]) : unsigned(buckets) << shift;
  };
#pragma unroll 16
  for (int r = 0; r < rows; ++r) atomicAdd(&place[load_key(r) >> shift], 1u);
  __syncthreads();
  // BEGIN SOLUTION place[b] is the number of the tile's keys in bucket b. Make it the place in `sorted` where
  //  its run begins. run_begin[b * tiles + tile] is that place, too, also for b = buckets, behind the last
  //  run. Then copy the low `shift` bits of each key to `sorted`: the next key of bucket b to place[b].
  //| [[maybe_unused]] run_begin, sums;
  //| ladder::task();  // Delete this line when you start.
  scan_in_block(place, buckets + 1, sums);
  for (int b = threadIdx.x; b <= buckets; b += block_threads) run_begin[b * tiles + tile] = place[b];
  __syncthreads();  // what follows changes place[b]
#pragma unroll 16
  for (int r = 0; r < rows; ++r) {
    const unsigned key = load_key(r);
    sorted[atomicAdd(&place[key >> shift], 1u)] = key & ((1u << shift) - 1);
  }
  // END SOLUTION
  __syncthreads();
  for (unsigned i = threadIdx.x; i < tile_keys / load_keys; i += block_threads)
    reinterpret_cast<uint4*>(sorted_keys + first)[i] = reinterpret_cast<const uint4*>(sorted)[i];
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

/// Ranks the values of a bucket, as many at a time as there is room for. One block per bucket.
__global__ void __launch_bounds__(rank_threads)
    rank_buckets(int bins, int shift, unsigned window_bins, std::size_t tiles,
                 const LowBits* sorted_keys,  // tiles x tile_keys
                 const LowBits* run_begin,    // (buckets + 1) x tiles
                 unsigned* rank) {            // bins
  extern __shared__ unsigned counts[];        // window_bins
  __shared__ unsigned sums[32], before;
  const unsigned first_bin = blockIdx.x << shift, width = min(unsigned(bins) - first_bin, 1u << shift);
  const LowBits* const begin = run_begin + blockIdx.x * tiles;  // of the bucket's run in each tile
  const LowBits* const end = begin + tiles;                     // where the next bucket's begins
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  // BEGIN SOLUTION A run begins behind all smaller keys of its tile. How many keys are smaller than the first
  //  value of the bucket? Add them up in `before`.
  //| [[maybe_unused]] begin;
  //| ladder::task();  // Delete this line when you start.
  unsigned part = 0;
  for (std::size_t tile = threadIdx.x; tile < tiles; tile += rank_threads) part += begin[tile];
  atomicAdd(&before, part);
  __syncthreads();
  // END SOLUTION
  unsigned smaller = before;
  for (unsigned window = 0; window < width; window += window_bins) {
    const unsigned window_width = min(width - window, window_bins);
    for (unsigned k = threadIdx.x; k < window_width; k += rank_threads) counts[k] = 0;
    __syncthreads();
    // BEGIN SOLUTION Count the bucket's keys whose low bits are window … window + window_width - 1:
    //  visit_run, for the run of each tile. run_lanes threads share one; the keys of tile t begin at t *
    //  tile_keys.
    //| [[maybe_unused]] sorted_keys, end;
    //| ladder::task();  // Delete this line when you start.
    const unsigned lane = threadIdx.x % run_lanes;
    for (std::size_t tile = threadIdx.x / run_lanes; tile < tiles; tile += rank_threads / run_lanes)
      visit_run(sorted_keys + tile * tile_keys, begin[tile], end[tile], lane, [&](unsigned key) {
        const unsigned k = key - window;  // a key below the window becomes very large
        if (k < window_width) atomicAdd(&counts[k], 1u);
      });
    // END SOLUTION
    __syncthreads();
    const unsigned in_window = scan_in_block(counts, window_width, sums);
    for (unsigned k = threadIdx.x; k < window_width; k += rank_threads)
      rank[first_bin + window + k] = smaller + counts[k];
    smaller += in_window;
    __syncthreads();  // the next window clears counts
  }
}

/// Counts that fit into the shared memory of a block, next to what scan_in_block needs.
unsigned room_for_counts() {
  int device = 0, bytes = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return std::bit_floor((bytes - 1024u) / unsigned(sizeof(unsigned)));
}

}  // namespace

/// Ranks the keys.
/// @throws ladder::Error when the device refuses a launch, or has no memory for the tiles.
void sorted_tiles(const Problem& p) {
  int shift = 0;
  while (shift < 16 && (p.bins - 1) >> shift >= usual_buckets) ++shift;
  const int buckets = ((p.bins - 1) >> shift) + 1;
  const std::size_t tiles = std::size_t((p.n + tile_keys - 1) / tile_keys);
  const ladder::PooledBuffer<LowBits> memory(tiles * (tile_keys + buckets + 1));
  LowBits *sorted_keys = memory.get(), *run_begin = sorted_keys + tiles * tile_keys;
  const int place_bytes = (buckets + 1) * int(sizeof(unsigned));
  // A kernel that wants more than 48 KiB has to say so.
  ladder::check(cudaFuncSetAttribute(sort_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, place_bytes));
  sort_tiles<<<unsigned(tiles), block_threads, place_bytes>>>(p.n, p.keys, shift, buckets, sorted_keys,
                                                              run_begin);
  ladder::check(cudaGetLastError());
  const unsigned window_bins = std::min(room_for_counts(), 1u << shift);
  const int count_bytes = int(window_bins * sizeof(unsigned));
  ladder::check(cudaFuncSetAttribute(rank_buckets, cudaFuncAttributeMaxDynamicSharedMemorySize, count_bytes));
  rank_buckets<<<buckets, rank_threads, count_bytes>>>(p.bins, shift, window_bins, tiles, sorted_keys,
                                                       run_begin, p.rank);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_is
