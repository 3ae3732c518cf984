// verdict MISSED
// must right in all
// must barriers
// must atomics
// not race
// A tree in shared memory, for the sums alone. Threads with a batch set one flag to the same value; a block without work leaves.
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

struct Own {
  double sx = 0, sy = 0;
  int q[bins] = {0};
};

__device__ void work(double x, long long pairs, Own& own) {
  for (long long i = 0; i < pairs; i++) {
    double X = 2 * random_number(&x, multiplier) - 1;
    double Y = 2 * random_number(&x, multiplier) - 1;
    double t = X * X + Y * Y;
    if (t > 1) continue;
    double f = sqrt(-2 * log(t) / t);
    own.q[(int)fmax(fabs(X * f), fabs(Y * f))]++;
    own.sx += X * f;
    own.sy += Y * f;
  }
}

__global__ void ep(long long pairs, int batch, double seed, double* sx, double* sy, Count* q) {
  __shared__ double part[2][64];
  __shared__ bool any;
  int t = threadIdx.x;
  if (t == 0) any = false;
  __syncthreads();
  long long first = (blockIdx.x * (long long)blockDim.x + t) * batch;
  Own own;
  if (first < pairs) {
    any = true;
    work(jump(seed, 2 * first), min((long long)batch, pairs - first), own);
    for (int l = 0; l < bins; l++) atomicAdd(&q[l], (Count)own.q[l]);
  }
  part[0][t] = own.sx;
  part[1][t] = own.sy;
  __syncthreads();
  if (!any) return;
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) {
      part[0][t] += part[0][t + half];
      part[1][t] += part[1][t + half];
    }
    __syncthreads();
  }
  if (t == 0) atomicAdd(sx, part[0][0]);
  if (t == 1) atomicAdd(sy, part[1][0]);
}

}  // namespace

void warp_reduction(const Problem& p) {
  ladder::check(cudaMemset(p.sx, 0, sizeof(double)));
  ladder::check(cudaMemset(p.sy, 0, sizeof(double)));
  ladder::check(cudaMemset(p.q, 0, bins * sizeof(Count)));
  long long threads = (p.pairs + p.batch - 1) / p.batch;
  ep<<<(unsigned)((threads + 63) / 64 + 1), 64>>>(p.pairs, p.batch, (double)p.seed, p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
