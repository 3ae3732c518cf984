// verdict WRONG
// must 6,000 pairs
// must too small by a multiple of 256
// not race
// Counts of one byte, to save shared memory.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_ep {
namespace {

__device__ double random_number(double* x, double a) {
  const double r23 = 1.0 / 8388608, t23 = 8388608, r46 = r23 * r23, t46 = t23 * t23;
  double a1 = floor(r23 * a), a2 = a - t23 * a1;
  double x1 = floor(r23 * *x), x2 = *x - t23 * x1;
  double t1 = a1 * x2 + a2 * x1;
  double z = t1 - t23 * floor(r23 * t1);
  double t3 = t23 * z + a2 * x2;
  *x = t3 - t46 * floor(r46 * t3);
  return r46 * *x;
}

__device__ double jump(double x, long long n) {
  for (double power = multiplier; n > 0; n >>= 1) {
    if (n & 1) random_number(&x, power);
    double copy = power;
    random_number(&power, copy);
  }
  return x;
}

__global__ void ep(long long pairs, int batch, double seed, double* sx, double* sy, Count* q) {
  __shared__ unsigned char counts[bins][64];
  int column = threadIdx.x;
  for (int l = 0; l < bins; l++) counts[l][column] = 0;
  long long first = (blockIdx.x * 64ll + threadIdx.x) * batch;
  double x = jump(seed, 2 * first), sum_x = 0, sum_y = 0;
  for (long long i = first; i < first + batch && i < pairs; i++) {
    double X = 2 * random_number(&x, multiplier) - 1;
    double Y = 2 * random_number(&x, multiplier) - 1;
    double t = X * X + Y * Y;
    if (t <= 1) {
      double f = sqrt(-2 * log(t) / t);
      counts[(int)fmax(fabs(X * f), fabs(Y * f))][column]++;
      sum_x += X * f;
      sum_y += Y * f;
    }
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

void no_local_array(const Problem& p) {
  ladder::check(cudaMemset(p.sx, 0, sizeof(double)));
  ladder::check(cudaMemset(p.sy, 0, sizeof(double)));
  ladder::check(cudaMemset(p.q, 0, bins * sizeof(Count)));
  long long threads = (p.pairs + p.batch - 1) / p.batch;
  ep<<<(unsigned)((threads + 63) / 64), 64>>>(p.pairs, p.batch, (double)p.seed, p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
