/// @file
/// g4: four keys in each load. Before: g3, whose threads load a key of 4 bytes, and wait for it: too few
/// bytes are in flight to keep the memory busy. Source: none.

#include <algorithm>

#include "block_scan.cuh"
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {
namespace {

constexpr int max_buckets = 1024;
constexpr int block_threads = 512;
constexpr int rows = 16;  // keys of a thread, a block apart
constexpr int tile_keys = rows * block_threads;
constexpr int count_blocks = 2048;  // at most; each adds its counts to device memory once
constexpr int rank_threads = 1024;
constexpr int window_bins = 8192;  // counts of a block in shared memory: 32 KiB

/// Shows a thread its share of keys[begin] … keys[end - 1], by `visit(key)`: every `threads`-th four of them.
/// @param keys  begins at a multiple of 16 bytes
/// @param me    the thread's number among those that share, 0 … threads - 1; threads >= 4
template <class Visitor>
__device__ void visit_share(const int* keys, unsigned begin, unsigned end, unsigned me, unsigned threads,
                            Visitor&& visit) {
  // BEGIN SOLUTION Fours begin at multiples of four. Keys before the first whole four, and after the last
  //  one, are loaded by themselves, each by one thread. An int4 is four keys: reinterpret_cast<const
  //  int4*>(keys)[f].
  //| ladder::task();  // Delete this line when you start.
  //| [[maybe_unused]] keys, begin, end, me, threads, visit;
  const unsigned first_four = min((begin + 3) / 4, end / 4), behind_fours = end / 4;
  if (me < 4) {
    if (const unsigned i = begin + me; i < 4 * first_four) visit(keys[i]);
    if (const unsigned i = max(begin, 4 * behind_fours) + me; i < end) visit(keys[i]);
  }
  for (unsigned f = first_four + me; f < behind_fours; f += threads) {
    const int4 four = reinterpret_cast<const int4*>(keys)[f];
    visit(four.x), visit(four.y), visit(four.z), visit(four.w);
  }
  // END SOLUTION
}

/// bucket_count[b] becomes the number of keys in bucket b.
__global__ void count_keys(std::int64_t n, const int* keys,                   // n
                           int shift, int buckets, unsigned* bucket_count) {  // buckets; zeros
  __shared__ unsigned counts[max_buckets];
  for (int b = threadIdx.x; b < buckets; b += block_threads) counts[b] = 0;
  __syncthreads();
  visit_share(keys, 0, unsigned(n), blockIdx.x * block_threads + threadIdx.x, gridDim.x * block_threads,
              [&](int key) { atomicAdd(&counts[key >> shift], 1u); });
  __syncthreads();
  for (int b = threadIdx.x; b < buckets; b += block_threads) atomicAdd(&bucket_count[b], counts[b]);
}

/// begin[b] becomes the number of keys in the buckets before b, and so does next[b]. One block.
__global__ void begin_buckets(int buckets, const unsigned* bucket_count,  // buckets
                              unsigned* begin, unsigned* next) {          // buckets + 1, buckets
  __shared__ unsigned counts[max_buckets], sums[32];
  for (int b = threadIdx.x; b < buckets; b += block_threads) counts[b] = bucket_count[b];
  __syncthreads();
  const unsigned n = scan_in_block(counts, buckets, sums);
  for (int b = threadIdx.x; b < buckets; b += block_threads) begin[b] = next[b] = counts[b];
  if (threadIdx.x == 0) begin[buckets] = n;
}

/// Copies a tile of keys into their buckets: first sorts it by bucket in shared memory, so that neighbouring
/// threads then write to neighbouring places.
__global__ void scatter_keys(std::int64_t n, const int* keys,         // n
                             int shift, int buckets, unsigned* next,  // buckets: where its next key goes
                             int* buffer) {                           // n
  __shared__ int sorted[tile_keys];
  __shared__ unsigned place[max_buckets], target[max_buckets];
  __shared__ unsigned sums[32];
  for (int b = threadIdx.x; b < buckets; b += block_threads) place[b] = 0;
  __syncthreads();
  const std::int64_t first = std::int64_t(blockIdx.x) * tile_keys;
  const int keys_here = int(min(n - first, std::int64_t(tile_keys)));
  int key[rows];
  unsigned order[rows];  // of this key among those of its bucket in this tile
  for (int r = 0; r < rows; ++r) {
    const int i = r * block_threads + threadIdx.x;
    if (i < keys_here) key[r] = keys[first + i];
  }
  for (int r = 0; r < rows; ++r)
    if (r * block_threads + int(threadIdx.x) < keys_here) order[r] = atomicAdd(&place[key[r] >> shift], 1u);
  __syncthreads();

  for (int b = threadIdx.x; b < buckets; b += block_threads) target[b] = atomicAdd(&next[b], place[b]);
  __syncthreads();
  scan_in_block(place, buckets, sums);
  for (int b = threadIdx.x; b < buckets; b += block_threads) target[b] -= place[b];
  for (int r = 0; r < rows; ++r)
    if (r * block_threads + int(threadIdx.x) < keys_here) sorted[place[key[r] >> shift] + order[r]] = key[r];
  __syncthreads();
  for (int i = threadIdx.x; i < keys_here; i += block_threads)
    buffer[target[sorted[i] >> shift] + i] = sorted[i];
}

/// Ranks the values of a bucket. One block per bucket; a bucket of more than window_bins values takes several
/// passes over its keys.
__global__ void __launch_bounds__(rank_threads, 2)            // two blocks on a multiprocessor
    rank_buckets(int bins, int shift, const unsigned* begin,  // buckets + 1
                 const int* buffer, unsigned* rank) {         // n, bins
  __shared__ unsigned counts[window_bins];
  __shared__ unsigned sums[32];
  const unsigned first = begin[blockIdx.x];
  const unsigned last = begin[blockIdx.x + 1];
  const unsigned first_bin = blockIdx.x << shift, last_bin = min(unsigned(bins), first_bin + (1u << shift));
  unsigned smaller = first;
  for (unsigned window = first_bin; window < last_bin; window += window_bins) {
    const unsigned width = min(last_bin - window, unsigned(window_bins));
    for (unsigned k = threadIdx.x; k < width; k += rank_threads) counts[k] = 0;
    __syncthreads();
    visit_share(buffer, first, last, threadIdx.x, rank_threads, [&](int key) {
      const unsigned k = key - window;  // a key below the window becomes very large
      if (k < width) atomicAdd(&counts[k], 1u);
    });
    __syncthreads();
    const unsigned in_window = scan_in_block(counts, width, sums);
    for (unsigned k = threadIdx.x; k < width; k += rank_threads) rank[window + k] = smaller + counts[k];
    smaller += in_window;
    __syncthreads();  // the next window clears counts
  }
}

}  // namespace

/// Ranks the keys.
/// @throws ladder::Error when the device refuses a launch, or has no memory for the buckets' counts.
void vector_loads(const Problem& p) {
  int shift = 0;
  while ((p.bins - 1) >> shift >= max_buckets) ++shift;
  const int buckets = ((p.bins - 1) >> shift) + 1;
  const ladder::PooledBuffer<unsigned> table(3 * max_buckets + 1);
  unsigned *bucket_count = table.get(), *next = bucket_count + max_buckets, *begin = next + max_buckets;
  ladder::check(cudaMemsetAsync(bucket_count, 0, buckets * sizeof *bucket_count));
  const unsigned tiles = unsigned((p.n + tile_keys - 1) / tile_keys);
  const unsigned counting = std::min(tiles, unsigned(count_blocks));
  count_keys<<<counting, block_threads>>>(p.n, p.keys, shift, buckets, bucket_count);
  ladder::check(cudaGetLastError());
  begin_buckets<<<1, block_threads>>>(buckets, bucket_count, begin, next);
  ladder::check(cudaGetLastError());
  scatter_keys<<<tiles, block_threads>>>(p.n, p.keys, shift, buckets, next, p.buffer);
  ladder::check(cudaGetLastError());
  rank_buckets<<<buckets, rank_threads>>>(p.bins, shift, begin, p.buffer, p.rank);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_is
