/// @file
/// g2: a scan in a single pass. A tile of bins per block: each block adds up its own tile, tells the others
/// the sum, and looks back at the sums of the tiles before, until one of them knows all that came before it.
/// So all multiprocessors scan at the same time, and bins are read and written once. Before: g1, whose one
/// block adds up tile after tile. Source: D. Merrill and M. Garland, Single-pass Parallel Prefix Scan with
/// Decoupled Look-back, 2016.

#include <cuda/atomic>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {
namespace {

constexpr int block_threads = 256;
constexpr int warps = block_threads / 32;
constexpr int rows = 16;  // of 32 bins; a warp scans so many, one after another
constexpr int tile_bins = warps * rows * 32;
constexpr unsigned all_lanes = 0xffffffff;

/// What a tile tells the others, in one word of 64 bits that is stored at once: a mark in the upper half, a
/// sum in the lower one. A word of 0 means: nothing yet.
using State = unsigned long long;
constexpr State own_sum = State(1) << 32;     // the sum of the tile's own bins
constexpr State sum_so_far = State(2) << 32;  // the sum of all bins up to the tile's last one
using StateRef = cuda::atomic_ref<State, cuda::thread_scope_device>;

/// rank[k] becomes the number of keys equal to k.
__global__ void count_keys(std::int64_t n, const int* keys,  // n
                           unsigned* rank) {                 // bins; zeros
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&rank[keys[i]], 1u);
}

/// The scan of a warp.
/// @return in lane l the sum of `mine` over lanes 0 to l.
__device__ unsigned scan_lanes(unsigned mine) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned left = __shfl_up_sync(all_lanes, mine, distance);
    if (lane >= distance) mine += left;
  }
  return mine;
}

/// The sum of all tiles before `tile`; each lane of the warp has it.
__device__ unsigned sum_before(int tile, State* states) {  // tiles
  const int lane = threadIdx.x % 32;
  unsigned before = 0;
  // TASK, 11 lines: Lane l reads the state of tile - 1 - l, again and again, until all 32 lanes have a mark.
  //  A lane left of tile 0 has the sum so far 0. The nearest lane whose mark is sum_so_far has all that is
  //  left of it: add its sum and those of the lanes before it, and return. If no lane has it, add all 32
  //  sums, and look at the 32 tiles to the left of these.
  ladder::task();  // Delete this line when you start.
  return before;
}

/// rank[k] becomes the sum of what was in rank[0] … rank[k - 1].
__global__ void add_up(int bins, unsigned* rank,            // bins
                       State* states, unsigned* started) {  // tiles, 1; zeros
  __shared__ int tile;                                      // of this block
  __shared__ unsigned sums[warps];
  __shared__ unsigned before_tile;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Not blockIdx.x: a block waits for the tiles before its own, so their blocks must have started before it.
  if (threadIdx.x == 0) tile = int(atomicAdd(started, 1u));
  __syncthreads();

  const int first = tile * tile_bins + warp * rows * 32 + lane;
  unsigned smaller[rows], sum = 0;  // of the bins before, in the warp's part; of all of them
  for (int r = 0; r < rows; ++r) {
    const unsigned equal = first + r * 32 < bins ? rank[first + r * 32] : 0;
    const unsigned up_to = scan_lanes(equal);
    smaller[r] = sum + up_to - equal;
    sum += __shfl_sync(all_lanes, up_to, 31);
  }
  if (lane == 0) sums[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    // TASK, 8 lines: Tell the other tiles the sum of this one, look back, and tell them the sum so far.
    //  One lane stores each state, with StateRef(states[tile]).store(…, cuda::memory_order_relaxed). The sum
    //  of the tiles before this one goes to before_tile.
    [[maybe_unused]] const State marks[] = {own_sum, sum_so_far};
    ladder::task();  // Delete this line when you start.
  }
  __syncthreads();

  unsigned before = before_tile;
  for (int w = 0; w < warp; ++w) before += sums[w];
  for (int r = 0; r < rows; ++r)
    if (first + r * 32 < bins) rank[first + r * 32] = before + smaller[r];
}

}  // namespace

/// Ranks the keys.
/// @throws ladder::Error when the device refuses a launch, or has no memory for the states.
void look_back(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.rank, 0, p.bins * sizeof *p.rank));
  const unsigned blocks = unsigned((p.n + block_threads - 1) / block_threads);
  count_keys<<<blocks, block_threads>>>(p.n, p.keys, p.rank);
  ladder::check(cudaGetLastError());
  const unsigned tiles = unsigned((p.bins - 1) / tile_bins + 1);
  const ladder::PooledBuffer<State> states(tiles + 1);  // the last word counts the blocks that have started
  ladder::check(cudaMemsetAsync(states.get(), 0, states.bytes()));
  add_up<<<tiles, block_threads>>>(p.bins, p.rank, states.get(),
                                   reinterpret_cast<unsigned*>(states.get() + tiles));
  ladder::check(cudaGetLastError());
}

}  // namespace npb_is
