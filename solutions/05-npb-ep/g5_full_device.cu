/// @file
/// g5: the grid is sized to the device. It has as many threads as the device holds at once, whatever the
/// class, and each thread takes an equal share of the pairs. Before: g4, where NPB's batch of 2^16 pairs says
/// how many threads there are: 4,096 in class A. Source: none; jumping ahead in the stream (c1) makes a batch
/// of any length possible.

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
  for (int i = 0; i < mine; ++i) {
    const double X = 2 * randlc(x, multiplier) - 1;
    const double Y = 2 * randlc(x, multiplier) - 1;
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
  // BEGIN SOLUTION Ask CUDA how many blocks of `tally`, of block_threads threads and without dynamic shared
  //  memory, one multiprocessor holds at once, and how many multiprocessors the current device has. Check the
  //  calls.
  //| return 1;
  int device = 0, multiprocessors = 0, blocks = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  // Registers, shared memory, threads and the most blocks: the least of these limits counts, and CUDA knows
  // them all.
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tally, block_threads, 0));
  return blocks * multiprocessors;
  // END SOLUTION
}

}  // namespace

/// Counts and adds, with as many threads as the device holds.
/// @throws ladder::Error when the device refuses the launch.
void full_device(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.sx, 0, sizeof *p.sx));
  ladder::check(cudaMemsetAsync(p.sy, 0, sizeof *p.sy));
  ladder::check(cudaMemsetAsync(p.q, 0, bins * sizeof *p.q));
  [[maybe_unused]] const std::int64_t resident = std::int64_t(resident_blocks()) * block_threads;  // threads
  // BEGIN SOLUTION How many pairs does a thread take, when the threads that the device holds at once share
  //  all pairs equally? At least one, and rounded up: no pair may be left.
  //| ladder::task();  // Delete this line when you start.
  //| const std::int64_t share = p.batch;
  const std::int64_t share = (p.pairs + resident - 1) / resident;
  // END SOLUTION
  const std::int64_t threads = (p.pairs + share - 1) / share;
  const unsigned blocks = unsigned((threads + block_threads - 1) / block_threads);
  tally<<<blocks, block_threads>>>(p.pairs, int(share), double(p.seed), p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
