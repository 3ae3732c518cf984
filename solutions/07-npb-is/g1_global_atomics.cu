/// @file
/// g1: one thread per key. All threads count in one table in device memory, and only atomic additions keep it
/// right; one block then adds the counts up. Source: none; public versions of IS for GPUs count in this way.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {
namespace {

constexpr int block_threads = 256;
constexpr int scan_threads = 512;  // of the one block that adds up; bins of a tile, too

/// rank[k] becomes the number of keys equal to k.
__global__ void count_keys(std::int64_t n, const int* keys,  // n
                           unsigned* rank) {                 // bins; zeros
  // BEGIN SOLUTION One thread per key: add one to the count of its value, so that no other thread can lose
  //  it.
  //| ladder::task();  // Delete this line when you start.
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&rank[keys[i]], 1u);
  // END SOLUTION
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
    // BEGIN SOLUTION Make sums[t] the sum of the counts of threads 0 … t of this tile.
    //  Each stage adds what is `distance` places to the left, 1, 2, 4, …, as in lesson 00's scan. A thread
    //  must not write before others have read: two barriers in each stage.
    //| ladder::task();  // Delete this line when you start.
    for (int distance = 1; distance < scan_threads; distance *= 2) {
      const unsigned left = t >= distance ? sums[t - distance] : 0;
      __syncthreads();
      sums[t] += left;
      __syncthreads();
    }
    // END SOLUTION
    if (first + t < bins) rank[first + t] = smaller + sums[t] - equal;
    smaller += sums[scan_threads - 1];
    __syncthreads();  // the next tile overwrites sums
  }
}

}  // namespace

/// Ranks the keys.
/// @throws ladder::Error when the device refuses a launch.
void global_atomics(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.rank, 0, p.bins * sizeof *p.rank));
  const unsigned blocks = unsigned((p.n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads>>>(p.n, p.keys, p.rank);
  ladder::check(cudaGetLastError());
  add_up<<<1, scan_threads>>>(p.bins, p.rank);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_is
