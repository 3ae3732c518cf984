/// @file
/// g7: the logarithm from a table. A product with a number of the table takes t near 1, where five terms of a
/// series are enough.
/// Before: g6, where an accepted pair spends more instructions on the logarithm than on all the rest.
/// Source: P. Tang, Table-driven implementation of the logarithm function in IEEE floating-point arithmetic,
/// 1990.

#include "common/device/cuda.hpp"
#include "logarithm_table.hpp"
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
__device__ State state_after(const Powers& powers, State x, State n) {
  for (int k = 0; n >> k != 0; ++k)
    if ((n >> k) % 2 == 1) x = x * powers.of_two[k] & mask;
  return x;
}

/// x becomes the next state. @return 2r - 1 for its number r = 2^-46 x.
__device__ double next(State& x) {
  x = x * multiplier & mask;
  // A double from 2 up to 4 is 2 + 2r when the 52 bits of its fraction are the 46 bits of x and six zeros.
  return __longlong_as_double(1024ll << 52 | static_cast<long long>(x) << 6) - 3;
}

/// -2 ln t for 0 < t <= 1, by a table of the block. t is 2^-n m, with m from 0.75 to 1.5.
__device__ double minus_two_log(double t, [[maybe_unused]] const TableEntry* table) {  // table_size
  constexpr unsigned upper_word_of_first = 0x3fe80000, apart = 1 << 13;
  // Half of the distance makes the nearest c of the last one below.
  [[maybe_unused]] const int above_first = int(__double2hiint(t) - upper_word_of_first + apart / 2);
  // TASK, 11 lines: The bits of above_first from 2^13 on: 7 say which c is nearest to m, those above them are
  //  -n. Lower t's exponent by it: that is m. z = m / c - 1 is below 2^-8, and
  //  -2 ln t = n 2 ln 2 - 2 ln c - 2 ln(1 + z), where ln(1 + z) = z - z^2/2 + z^3/3 - z^4/4 + z^5/5.
  ladder::task();  // Delete this line when you start.
  return t;
}

/// The sum over the lanes of a warp, in lane 0. All lanes take part.
template <class T>
__device__ T warp_sum(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  return value;
}

__global__ void tally(State pairs, int batch, State seed, const Powers powers,  // state 0
                      const LogarithmTable logarithms, double* sx, double* sy,
                      Count* q) {  // one number, one number, bins
  const State first = (blockIdx.x * State(blockDim.x) + threadIdx.x) * batch;
  // One column per thread: its counts. No thread touches another's column, so no barrier is needed.
  __shared__ unsigned counts[bins][block_threads];
  for (int l = 0; l < bins; ++l) counts[l][threadIdx.x] = 0;
  __shared__ TableEntry table[table_size];
  // TASK, 2 lines: Copy the table to shared memory: a parameter is read one lane after the other where lanes
  //  want different entries.
  double sum_x = 0, sum_y = 0;
  const int mine = first < pairs ? int(min(State(batch), pairs - first)) : 0;
  State x = state_after(powers, seed, 2 * first);
  for (int i = 0; i < mine; ++i) {
    const double X = next(x), Y = next(x);
    const double t = X * X + Y * Y;
    if (t > 1) continue;
    const double factor = sqrt(minus_two_log(t, table) / t);
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
void table_logarithm(const Problem& p) {
  static const LogarithmTable logarithms = make_logarithm_table();
  ladder::check(cudaMemsetAsync(p.sx, 0, sizeof *p.sx));
  ladder::check(cudaMemsetAsync(p.sy, 0, sizeof *p.sy));
  ladder::check(cudaMemsetAsync(p.q, 0, bins * sizeof *p.q));
  const std::int64_t resident = std::int64_t(resident_blocks()) * block_threads;
  const std::int64_t share = (p.pairs + resident - 1) / resident;
  const std::int64_t threads = (p.pairs + share - 1) / share;
  const unsigned blocks = unsigned((threads + block_threads - 1) / block_threads);
  tally<<<blocks, block_threads>>>(p.pairs, int(share), p.seed, make_powers(), logarithms, p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
