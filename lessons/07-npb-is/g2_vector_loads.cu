/// @file
/// g2: four keys per load. A thread of g1 loads one key and adds once; a warp needs a request for 32 keys. One
/// load of 16 bytes brings four neighbours, so a quarter of the requests reads the same keys. The additions are
/// the same. Before: g1, a key per thread. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {
namespace {

constexpr int block_threads = 256;
constexpr int keys_of_block = 4 * block_threads;
constexpr int scan_threads = 512;  // of the one block that adds up; bins of a tile, too

/// Adds to rank[k] the number of keys equal to k, four neighbours per thread.
__global__ void count_keys(std::int64_t n, const int* keys,  // n, at a multiple of 16 bytes
                           unsigned* rank) {                 // bins; zeros
  // TASK, 10 lines: A thread takes keys 4 i to 4 i + 3 with one load, if there are four.
  //  An int4 at a multiple of 16 bytes is one load of a warp. The last thread may have fewer than four keys, and
  //  must not read beyond them.
  ladder::task();  // Delete this line when you start.
}

/// rank[k] becomes the sum of what was in rank[0] … rank[k - 1], tile by tile.
__global__ void add_up(int bins, unsigned* rank) {  // bins
  __shared__ unsigned sums[scan_threads];
  const int t = threadIdx.x;
  unsigned smaller = 0;  // keys in the tiles before
  for (int first = 0; first < bins; first += scan_threads) {
    const unsigned equal = first + t < bins ? rank[first + t] : 0;
    sums[t] = equal;
    __syncthreads();
    for (int distance = 1; distance < scan_threads; distance *= 2) {
      const unsigned left = t >= distance ? sums[t - distance] : 0;
      __syncthreads();
      sums[t] += left;
      __syncthreads();
    }
    if (first + t < bins) rank[first + t] = smaller + sums[t] - equal;
    smaller += sums[scan_threads - 1];
    __syncthreads();  // the next tile overwrites sums
  }
}

}  // namespace

/// Ranks the keys.
/// @throws ladder::Error when the device refuses a launch.
void vector_loads(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.rank, 0, p.bins * sizeof *p.rank));
  const unsigned blocks = unsigned((p.n + keys_of_block - 1) / keys_of_block);
  count_keys<<<blocks, block_threads>>>(p.n, p.keys, p.rank);
  ladder::check(cudaGetLastError());
  add_up<<<1, scan_threads>>>(p.bins, p.rank);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_is
