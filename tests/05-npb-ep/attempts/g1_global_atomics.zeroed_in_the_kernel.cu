// verdict WRONG
// must race in device memory
// must sx
// not barrier that
// The first thread clears the result, and a barrier follows: it holds up no other block.
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
  long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (thread == 0) {
    *sx = *sy = 0;
    for (int l = 0; l < bins; l++) q[l] = 0;
  }
  __syncthreads();
  double x = jump(seed, 2 * thread * batch);
  for (long long i = thread * batch; i < (thread + 1) * batch && i < pairs; i++) {
    double X = 2 * random_number(&x, multiplier) - 1;
    double Y = 2 * random_number(&x, multiplier) - 1;
    double t = X * X + Y * Y;
    if (t > 1) continue;
    double f = sqrt(-2 * log(t) / t);
    atomicAdd(&q[(int)fmax(fabs(X * f), fabs(Y * f))], 1);
    atomicAdd(sx, X * f);
    atomicAdd(sy, Y * f);
  }
}

}  // namespace

void global_atomics(const Problem& p) {
  long long threads = (p.pairs + p.batch - 1) / p.batch;
  ep<<<(unsigned)((threads + 63) / 64), 64>>>(p.pairs, p.batch, (double)p.seed, p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
