/// @file
/// g10: several pairs of a thread at a time, and no branch around those that are rejected.
/// Before: g9, where a thread waits for each pair's chain of instructions before it begins the next one.
/// Source: none.

#include "approximate_root.hpp"
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

/// x, whose upper 46 bits are a state, becomes the next one. @return 2r - 1 for its number r = 2^-64 x.
__device__ double next(State& x) {
  x *= multiplier;
  return __longlong_as_double(1024ll << 52 | static_cast<long long>(x >> 12)) - 3;
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

/// sqrt(a / t) for 0 < t <= 1 and a = -2 ln t, wrong by less than 3 2^-53 of it.
__device__ double root_of_quotient(double a, double t) {
  const double y = approximate_reciprocal_root(fma(a, t, 1e-300));  // above 0 for t = 1, whose a is 0
  const double g = a * y, h = t * y;
  // A product and a difference would lose e's digits. The rounding of g is in e too: half of it is corrected.
  const double e = fma(-g, h, 1.0);
  // What is left out, 5/16 e^3, is below 2^-55 of the root.
  return fma(g * e, fma(e, 0.375, 0.5), g);
}

/// Rows of counts: one for [0, 1), then four for each of [1, 2), [2, 4) and [4, 8). No pair reaches 8,
/// whatever the seed: the page shows why.
constexpr int rows = 13;

/// The bin of the pairs that a row counts.
__device__ int bin_of(int row) {
  return row == 0 ? 0 : (4 + (row - 1) % 4) << (row - 1) / 4 >> 2;
}

/// The row of max(|x|, |y|).
__device__ int row_of(double x, double y) {
  const int larger = max(__double2hiint(x) & 0x7fffffff, __double2hiint(y) & 0x7fffffff);
  return max((larger >> 18) - (0x3ff00000 >> 18) + 1, 0);
}

/// The sum over the lanes of a warp, in lane 0. All lanes take part.
template <class T>
__device__ T warp_sum(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  return value;
}

/// The next pairs of a thread, all at a time: their counts and sums.
template <int pairs>
__device__ void add_pairs(State& x, const TableEntry* table, unsigned (*counts)[block_threads],  // rows
                          double& sum_x, double& sum_y) {
  double X[pairs], Y[pairs], t[pairs];
  for (int i = 0; i < pairs; ++i) {
    X[i] = next(x), Y[i] = next(x);
    t[i] = X[i] * X[i] + Y[i] * Y[i];
  }
  // BEGIN SOLUTION All of them go the whole way. With which t is the factor of a rejected pair 0, and what
  //  is added to its count? One loop for the factors, and one for the rest, so that neighbours in the code
  //  are independent.
  //| ladder::task();  // Delete this line when you start.
  double factor[pairs];
  for (int i = 0; i < pairs; ++i) {
    const double at_most_1 = fmin(t[i], 1.0);  // the logarithm of 1 is 0, and so is the factor
    factor[i] = root_of_quotient(minus_two_log(at_most_1, table), at_most_1);
  }
  for (int i = 0; i < pairs; ++i) {
    counts[row_of(X[i] * factor[i], Y[i] * factor[i])][threadIdx.x] += t[i] <= 1;
    sum_x += X[i] * factor[i];
    sum_y += Y[i] * factor[i];
  }
  // END SOLUTION
}

__global__ void tally(State pairs, int batch, State seed, const Powers powers,  // state 0
                      const LogarithmTable logarithms, double* sx, double* sy,
                      Count* q) {  // one number, one number, bins
  const State first = (blockIdx.x * State(blockDim.x) + threadIdx.x) * batch;
  // One column per thread: its counts. No thread touches another's column, so no barrier is needed.
  __shared__ unsigned counts[rows][block_threads];
  for (int l = 0; l < rows; ++l) counts[l][threadIdx.x] = 0;
  __shared__ TableEntry table[table_size];
  for (int i = threadIdx.x; i < table_size; i += block_threads) table[i] = logarithms.of[i];
  __syncthreads();  // each thread reads what others have copied
  double sum_x = 0, sum_y = 0;
  const int mine = first < pairs ? int(min(State(batch), pairs - first)) : 0;
  State x = state_after(powers, seed, 2 * first) << 18;
  constexpr int group = 4;
  for (int i = mine / group; i > 0; --i) add_pairs<group>(x, table, counts, sum_x, sum_y);
  for (int i = mine % group; i > 0; --i) add_pairs<1>(x, table, counts, sum_x, sum_y);
  const double all_x = warp_sum(sum_x), all_y = warp_sum(sum_y);
  const bool leads = threadIdx.x % 32 == 0;
  if (leads) {
    atomicAdd(sx, all_x);
    atomicAdd(sy, all_y);
  }
  for (int l = 0; l < rows; ++l) {
    const unsigned count = warp_sum(counts[l][threadIdx.x]);
    if (leads) atomicAdd(q + bin_of(l), Count(count));
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
void pair_groups(const Problem& p) {
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
