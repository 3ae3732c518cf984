/// @file
/// g2: a thread counts and adds by itself, and hands over once, at the end of its batch.
/// Before: g1, three atomic additions for every accepted pair.
/// Source: work E, whose threads have counts of their own.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_ep {
namespace {

constexpr int at_once = 128;  // pairs: a thread makes 256 numbers, then uses them

/// What a thread has found.
struct Tally {
  double sx = 0, sy = 0;
  unsigned q[bins] = {};
};

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

/// Adds the pairs whose numbers come after state x to the thread's own tally.
__device__ void add_batch(double x, int pairs, Tally& mine) {
  double numbers[2 * at_once];
  for (int done = 0; done < pairs; done += at_once) {
    const int now = min(at_once, pairs - done);
    for (int i = 0; i < 2 * now; ++i) numbers[i] = randlc(x, multiplier);
    for (int i = 0; i < now; ++i) {
      const double X = 2 * numbers[2 * i] - 1, Y = 2 * numbers[2 * i + 1] - 1;
      const double t = X * X + Y * Y;
      if (t > 1) continue;
      const double factor = sqrt(-2 * log(t) / t);
      const int l = int(fmax(fabs(X * factor), fabs(Y * factor)));
      // TASK, 3 lines: Count the pair in bin l and add X' = X * factor and Y' = Y * factor, without touching
      //  device memory.
      ladder::task();  // Delete this line when you start.
    }
  }
}

__global__ void tally(State pairs, int batch, double seed,  // state 0
                      double* sx, double* sy, Count* q) {   // one number, one number, bins
  const State first = (blockIdx.x * State(blockDim.x) + threadIdx.x) * batch;
  if (first >= pairs) return;
  Tally mine;
  add_batch(state_after(seed, 2 * first), int(min(State(batch), pairs - first)), mine);
  // TASK, 3 lines: Add the thread's tally to the result, which all threads share.
  ladder::task();  // Delete this line when you start.
}

}  // namespace

/// Counts and adds, one thread per batch.
/// @throws ladder::Error when the device refuses the launch.
void private_counts(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.sx, 0, sizeof *p.sx));
  ladder::check(cudaMemsetAsync(p.sy, 0, sizeof *p.sy));
  ladder::check(cudaMemsetAsync(p.q, 0, bins * sizeof *p.q));
  const std::int64_t threads = (p.pairs + p.batch - 1) / p.batch;
  const unsigned blocks = unsigned((threads + block_threads - 1) / block_threads);
  tally<<<blocks, block_threads>>>(p.pairs, p.batch, double(p.seed), p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
