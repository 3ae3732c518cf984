// verdict PASS
// must less than the reference needs
// must atomics
// not WRONG
// not REVIEW
// A thread leaves out the bins that it has not met: right, and fewer additions than the rung asks for.
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

__global__ void ep(long long pairs, int batch, double seed, double* sx, double* sy, Count* q) {
  long long first = (blockIdx.x * (long long)blockDim.x + threadIdx.x) * batch;
  if (first >= pairs) return;
  long long last = first + batch < pairs ? first + batch : pairs;
  double x = seed, power = multiplier;
  for (long long n = 2 * first; n > 0; n >>= 1) {
    if (n & 1) random_number(&x, power);
    double copy = power;
    random_number(&power, copy);
  }
  int count[bins];
  for (int l = 0; l < bins; l++) count[l] = 0;
  double sum_x = 0, sum_y = 0;
  for (long long i = first; i < last; i++) {
    double u = 2 * random_number(&x, multiplier) - 1;
    double v = 2 * random_number(&x, multiplier) - 1;
    double t = u * u + v * v;
    if (t <= 1) {
      double f = sqrt(-2 * log(t) / t);
      u *= f;
      v *= f;
      count[(int)fmax(fabs(u), fabs(v))]++;
      sum_x += u;
      sum_y += v;
    }
  }
  for (int l = 0; l < bins; l++)
    if (count[l] > 0) atomicAdd(&q[l], (Count)count[l]);
  atomicAdd(sx, sum_x);
  atomicAdd(sy, sum_y);
}

}  // namespace

void private_counts(const Problem& p) {
  ladder::check(cudaMemset(p.sx, 0, sizeof(double)));
  ladder::check(cudaMemset(p.sy, 0, sizeof(double)));
  ladder::check(cudaMemset(p.q, 0, bins * sizeof(Count)));
  long long threads = (p.pairs + p.batch - 1) / p.batch;
  ep<<<(unsigned)((threads + 63) / 64), 64>>>(p.pairs, p.batch, (double)p.seed, p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
