/// @file
/// g8: a product with a reciprocal root instead of a division and a root.
/// Before: g7, where the two take twice as many instructions as the logarithm. Source: none.

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
__device__ double minus_two_log(double t, const TableEntry* table) {  // table_size
  constexpr unsigned upper_word_of_first = 0x3fe80000, apart = 1 << 13;
  // Half of the distance makes the nearest c of the last one below.
  const int above_first = int(__double2hiint(t) - upper_word_of_first + apart / 2);
  const int i = above_first >> 13 & (table_size - 1), minus_n = above_first >> 20;
  const double m = __hiloint2double(__double2hiint(t) - (minus_n << 20), __double2loint(t));
  const double n = __hiloint2double(0x43300000, -minus_n) - 0x1p52;  // 2^52 + n has n in its lower word
  const double z = fma(m, table[i].inverse, -1.0);  // with one rounding: z is exact to its own last digits
  double series = -2.0 / 5;
  series = fma(series, z, 2.0 / 4);
  series = fma(series, z, -2.0 / 3);
  series = fma(series, z, 1.0);
  series = fma(series, z, -2.0);
  constexpr double two_log_2 = 1.3862943611198906;
  return fma(series, z, fma(n, two_log_2, table[i].minus_two_log));
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
  for (int i = threadIdx.x; i < table_size; i += block_threads) table[i] = logarithms.of[i];
  __syncthreads();  // each thread reads what others have copied
  double sum_x = 0, sum_y = 0;
  const int mine = first < pairs ? int(min(State(batch), pairs - first)) : 0;
  State x = state_after(powers, seed, 2 * first);
  for (int i = 0; i < mine; ++i) {
    const double X = next(x), Y = next(x);
    const double t = X * X + Y * Y;
    if (t > 1) continue;
    const double a = minus_two_log(t, table);
    // BEGIN SOLUTION sqrt(a / t) without a root and without a division: CUDA has rsqrt(x), 1 / sqrt(x). For t
    //  = 1, a is 0.
    //| ladder::task();  // Delete this line when you start.
    //| const double factor = a;
    // The reciprocal root of 0 is infinite, and 0 times that is not a number. All other products are far
    // above 1e-300, and do not change.
    const double factor = a * rsqrt(fma(a, t, 1e-300));
    // END SOLUTION
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
void reciprocal_root(const Problem& p) {
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
