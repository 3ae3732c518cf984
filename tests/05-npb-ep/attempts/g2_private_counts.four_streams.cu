// verdict PASS
// must right in all
// must atomics
// not findings
// A quarter of the batches in each of four streams; the default stream orders them after the memsets.
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

__global__ void ep(long long begin, long long end, int batch, double seed, double* sx, double* sy, Count* q) {
  long long first = begin + (blockIdx.x * (long long)blockDim.x + threadIdx.x) * batch;
  if (first >= end) return;
  long long last = first + batch < end ? first + batch : end;
  Own own;
  work(jump(seed, 2 * first), last - first, own);
  for (int l = 0; l < bins; l++) atomicAdd(&q[l], (Count)own.q[l]);
  atomicAdd(sx, own.sx);
  atomicAdd(sy, own.sy);
}

}  // namespace

void private_counts(const Problem& p) {
  ladder::check(cudaMemset(p.sx, 0, sizeof(double)));
  ladder::check(cudaMemset(p.sy, 0, sizeof(double)));
  ladder::check(cudaMemset(p.q, 0, bins * sizeof(Count)));
  const int streams = 4;
  long long batches = (p.pairs + p.batch - 1) / p.batch, per_stream = (batches + streams - 1) / streams;
  for (int s = 0; s < streams; s++) {
    long long begin = s * per_stream * p.batch, end = begin + per_stream * p.batch;
    if (end > p.pairs) end = p.pairs;
    if (begin >= end) break;
    cudaStream_t stream;
    ladder::check(cudaStreamCreate(&stream));
    ep<<<(unsigned)((per_stream + 63) / 64), 64, 0, stream>>>(begin, end, p.batch, (double)p.seed, p.sx, p.sy,
                                                              p.q);
    ladder::check(cudaGetLastError());
    ladder::check(cudaStreamDestroy(stream));
  }
}

}  // namespace npb_ep
