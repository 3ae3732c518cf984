/// @file
/// g6: the generator in integers, and the jump by a table of powers.
/// Before: g5, where the generator does about 40 operations in double precision per pair, more than the pair
/// itself needs. Source: none; NPB's report defines the stream, in doubles since many machines of its
/// time had no 64-bit integers.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_ep {
namespace {

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
__device__ State state_after([[maybe_unused]] const Powers& powers, State x, [[maybe_unused]] State n) {
  // TASK, 3 lines: One multiplication for each bit of n that is set. What overflows is a multiple of 2^64, so
  //  of 2^46.
  ladder::task();  // Delete this line when you start.
  return x;
}

/// x becomes the next state. @return 2r - 1 for its number r = 2^-46 x.
__device__ double next([[maybe_unused]] State& x) {
  // TASK, 2 lines: One multiplication and one mask. Then 2r - 1 without rounding: __longlong_as_double makes
  //  a double of 64 given bits.
  ladder::task();  // Delete this line when you start.
  return 0;
}

/// The sum over the lanes of a warp, in lane 0. All lanes take part.
template <class T>
__device__ T warp_sum(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  return value;
}

__global__ void tally(State pairs, int batch, State seed, const Powers powers,  // state 0
                      double* sx, double* sy, Count* q) {  // one number, one number, bins
  const State first = (blockIdx.x * State(blockDim.x) + threadIdx.x) * batch;
  // One column per thread: its counts. No thread touches another's column, so no barrier is needed.
  __shared__ unsigned counts[bins][block_threads];
  for (int l = 0; l < bins; ++l) counts[l][threadIdx.x] = 0;
  double sum_x = 0, sum_y = 0;
  const int mine = first < pairs ? int(min(State(batch), pairs - first)) : 0;
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
  // Registers, shared memory, threads and the most blocks: the least of these limits counts, and CUDA knows
  // them all.
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tally, block_threads, 0));
  return blocks * multiprocessors;
}

}  // namespace

/// Counts and adds, with as many threads as the device holds.
/// @throws ladder::Error when the device refuses the launch.
void integer_generator(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.sx, 0, sizeof *p.sx));
  ladder::check(cudaMemsetAsync(p.sy, 0, sizeof *p.sy));
  ladder::check(cudaMemsetAsync(p.q, 0, bins * sizeof *p.q));
  const std::int64_t resident = std::int64_t(resident_blocks()) * block_threads;
  const std::int64_t share = (p.pairs + resident - 1) / resident;
  const std::int64_t threads = (p.pairs + share - 1) / share;
  const unsigned blocks = unsigned((threads + block_threads - 1) / block_threads);
  tally<<<blocks, block_threads>>>(p.pairs, int(share), p.seed, make_powers(), p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
