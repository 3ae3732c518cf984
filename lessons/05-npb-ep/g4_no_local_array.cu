/// @file
/// g4: no array of a thread is left. Two numbers are used as soon as they are made; counts are in shared
/// memory. Before: g3, with 256 numbers and ten counts of each thread in local memory: that is device memory,
/// though cached. Source: none; the arrays are those of g1.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_ep {
namespace {

/// x becomes a x mod 2^46, without rounding, in doubles: 46 bits times 46 bits do not fit one, so both are
/// cut into halves of 23.
/// @return 2^-46 x. NPB's routine of this name.
__device__ double randlc(double& x, double a) {
  constexpr double r23 = 1.0 / (1 << 23), t23 = 1 << 23, r46 = r23 * r23, t46 = t23 * t23;
  const double a1 = int(r23 * a), a2 = a - t23 * a1;
  const double x1 = int(r23 * x), x2 = x - t23 * x1;
  const double middle = a1 * x2 + a2 * x1;
  const double z = middle - t23 * int(r23 * middle);  // of the middle only its lower half is below 2^46
  const double low = t23 * z + a2 * x2;
  x = low - t46 * int(r46 * low);
  return r46 * x;
}

/// State n of the stream whose state 0 is x.
__device__ double state_after(double x, State n) {
  for (double a = multiplier; n > 0; n /= 2) {
    if (n % 2 == 1) randlc(x, a);
    randlc(a, a);
  }
  return x;
}

/// The sum over the lanes of a warp, in lane 0. All lanes take part.
template <class T>
__device__ T warp_sum(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  return value;
}

__global__ void tally(State pairs, int batch, double seed,  // state 0
                      double* sx, double* sy, Count* q) {   // one number, one number, bins
  const State first = (blockIdx.x * State(blockDim.x) + threadIdx.x) * batch;
  // One column per thread: its counts. No thread touches another's column, so no barrier is needed.
  __shared__ unsigned counts[bins][block_threads];
  for (int l = 0; l < bins; ++l) counts[l][threadIdx.x] = 0;
  double sum_x = 0, sum_y = 0;
  const int mine = first < pairs ? int(min(State(batch), pairs - first)) : 0;
  double x = state_after(seed, 2 * first);
  // TASK, 10 lines: Add the thread's pairs. Use each number where it is made, and count in the thread's
  //  column.
  ladder::task();  // Delete this line when you start.
  for (int i = 0; i < mine; ++i) randlc(x, multiplier);
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

}  // namespace

/// Counts and adds, one thread per batch.
/// @throws ladder::Error when the device refuses the launch.
void no_local_array(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.sx, 0, sizeof *p.sx));
  ladder::check(cudaMemsetAsync(p.sy, 0, sizeof *p.sy));
  ladder::check(cudaMemsetAsync(p.q, 0, bins * sizeof *p.q));
  const std::int64_t threads = (p.pairs + p.batch - 1) / p.batch;
  const unsigned blocks = unsigned((threads + block_threads - 1) / block_threads);
  tally<<<blocks, block_threads>>>(p.pairs, p.batch, double(p.seed), p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
