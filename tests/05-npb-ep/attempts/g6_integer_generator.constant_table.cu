// verdict PASS
// must right in all
// must fp64_operations
// not Warning
// The table of powers is in constant memory, copied there before each launch; 2r - 1 by a conversion.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_ep {
namespace {

__constant__ State table[46];

template <int bits>
__device__ State jump(State x, State n) {
#pragma unroll
  for (int k = 0; k < bits; k++)
    if (n >> k & 1) x = x * table[k] & mask;
  return x;
}

__device__ double next(State& x) {
  x = (x * multiplier) & mask;
  return x * (2 * scale) - 1;
}

__global__ void ep(long long pairs, int share, State seed, double* sx, double* sy, Count* q) {
  __shared__ unsigned counts[bins][64];
  for (int l = 0; l < bins; l++) counts[l][threadIdx.x] = 0;
  long long first = (blockIdx.x * 64ll + threadIdx.x) * share;
  State x = jump<46>(seed, 2 * first);
  double sum_x = 0, sum_y = 0;
  for (long long i = first; i < first + share && i < pairs; i++) {
    double X = next(x), Y = next(x), t = X * X + Y * Y;
    if (t > 1) continue;
    double f = sqrt(-2 * log(t) / t);
    counts[(int)fmax(fabs(X * f), fabs(Y * f))][threadIdx.x]++;
    sum_x += X * f;
    sum_y += Y * f;
  }
  for (int d = 16; d > 0; d /= 2) {
    sum_x += __shfl_xor_sync(0xffffffff, sum_x, d);
    sum_y += __shfl_xor_sync(0xffffffff, sum_y, d);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sx, sum_x);
    atomicAdd(sy, sum_y);
  }
  __syncthreads();
  if (threadIdx.x < bins) {
    Count sum = 0;
    for (int t = 0; t < 64; t++) sum += counts[threadIdx.x][t];
    atomicAdd(q + threadIdx.x, sum);
  }
}

}  // namespace

void integer_generator(const Problem& p) {
  ladder::check(cudaMemset(p.sx, 0, sizeof(double)));
  ladder::check(cudaMemset(p.sy, 0, sizeof(double)));
  ladder::check(cudaMemset(p.q, 0, bins * sizeof(Count)));
  static State powers[46];
  powers[0] = multiplier;
  for (int k = 1; k < 46; k++) powers[k] = powers[k - 1] * powers[k - 1] & mask;
  ladder::check(cudaMemcpyToSymbol(table, powers, sizeof powers));
  int blocks = 0, multiprocessors = 0;
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, ep, 64, 0));
  long long resident = 64ll * blocks * multiprocessors;
  int share = (p.pairs + resident - 1) / resident;
  ep<<<blocks * multiprocessors, 64>>>(p.pairs, share, p.seed, p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
