/// @file
/// g6: the generator in integers, a jump by a table of powers, and a grid that fills the device.
/// Before: g5, where the generator does about 40 operations in double precision a pair, more than the pair itself needs, and
/// where class A has 4,096 threads: a batch of 2^16 pairs each.
/// Source: none; NPB's report defines the stream, in doubles since processors of its time had no 64-bit integers.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "npb_ep.hpp"

namespace npb_ep {
namespace {

constexpr int threads = 128;      // of a block
constexpr int fewest_pairs = 32;  // of a thread: jumping ahead costs about as much as two pairs

/// a^(2^k) mod 2^46 for each bit k of a jump.
struct Powers {
  State of_two[46];
};

constexpr Powers make_powers() {
  Powers powers{};
  State a = multiplier;
  for (State& power : powers.of_two) power = a, a = a * a & mask;
  return powers;
}

/// State n of the stream whose state 0 is x.
__device__ State state_after(const Powers& powers, State x, State n) {
  // TASK, 3 lines: One multiplication for each bit of n that is set. What overflows is a multiple of 2^64, so of 2^46.
  (void)powers, (void)n;
  return x;
}

/// x becomes the next state. @return 2r - 1 for its number r = 2^-46 x.
__device__ double next(State& x) {
  // TASK, 2 lines: One multiplication and one mask. Then 2r - 1 without rounding.
  (void)x;
  return 0;
}

/// The sum over the lanes of a warp, in lane 0. All lanes take part.
template <class T>
__device__ T warp_sum(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  return value;
}

/// Each thread takes `chunk` neighbouring pairs.
__global__ void __launch_bounds__(threads)
    tally(State pairs, int chunk, State seed, const Powers powers,  // state 0
          double* sx, double* sy, Count* q) {                       // 1, 1, bins
  __shared__ unsigned counts[bins][threads];
  for (int l = 0; l < bins; ++l) counts[l][threadIdx.x] = 0;
  double sum_x = 0, sum_y = 0;
  const State first = (blockIdx.x * State(threads) + threadIdx.x) * chunk;
  const int mine = first < pairs ? int(min(State(chunk), pairs - first)) : 0;
  State x = state_after(powers, seed, 2 * first);
  for (int i = 0; i < mine; ++i) {
    const double X = next(x), Y = next(x);
    const double t = X * X + Y * Y;
    if (t > 1) continue;
    const double factor = sqrt(-2 * log(t) / t);
    counts[int(fmax(fabs(X * factor), fabs(Y * factor)))][threadIdx.x] += 1;
    sum_x += X * factor;
    sum_y += Y * factor;
  }
  const double all_x = warp_sum(sum_x), all_y = warp_sum(sum_y);
  const bool leads = threadIdx.x % 32 == 0;
  if (leads) {
    atomicAdd(sx, all_x);
    atomicAdd(sy, all_y);
  }
  for (int l = 0; l < bins; ++l) {
    const unsigned count = warp_sum(counts[l][threadIdx.x]);
    if (leads) atomicAdd(q + l, Count(count));
  }
}

/// Blocks of `tally` that the whole device holds at once.
/// @throws ladder::Error
int resident_blocks() {
  int device = 0, multiprocessors = 0, blocks = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tally, threads, 0));
  return blocks * multiprocessors;
}

}  // namespace

/// Counts and adds, with as many threads as the device holds.
/// @throws ladder::Error when the device refuses the launch.
void integer_generator(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.sx, 0, sizeof *p.sx));
  ladder::check(cudaMemsetAsync(p.sy, 0, sizeof *p.sy));
  ladder::check(cudaMemsetAsync(p.q, 0, bins * sizeof *p.q));
  // TASK, 2 lines: How many pairs does a thread take, when one wave of blocks takes them all? Not fewer than fewest_pairs.
  ladder::task();  // Delete this line when you start.
  const std::int64_t chunk = p.batch;
  const unsigned blocks = unsigned((p.pairs + chunk * threads - 1) / (chunk * threads));
  tally<<<blocks, threads>>>(p.pairs, int(chunk), p.seed, make_powers(), p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
