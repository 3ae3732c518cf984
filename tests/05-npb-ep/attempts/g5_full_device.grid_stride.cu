// verdict PASS
// must tail_efficiency
// must right in all
// not MISSED
// The grid is always as large as the device; each thread takes short batches, one after the other, a whole grid apart.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_ep {
namespace {

const int batch = 32;

__device__ double randlc(double& x, double a) {
  constexpr double r23 = 1.0 / (1 << 23), t23 = 1 << 23, r46 = r23 * r23, t46 = t23 * t23;
  const double a1 = int(r23 * a), a2 = a - t23 * a1;
  const double x1 = int(r23 * x), x2 = x - t23 * x1;
  const double middle = a1 * x2 + a2 * x1;
  const double z = middle - t23 * int(r23 * middle);
  const double low = t23 * z + a2 * x2;
  x = low - t46 * int(r46 * low);
  return r46 * x;
}

__global__ void all_pairs(long long pairs, double seed, double* sx, double* sy, Count* q) {
  __shared__ unsigned counts[bins][64];
  for (int l = 0; l < bins; l++) counts[l][threadIdx.x] = 0;
  double sum_x = 0, sum_y = 0;
  long long apart = (long long)gridDim.x * blockDim.x * batch;
  for (long long first = (blockIdx.x * 64ll + threadIdx.x) * batch; first < pairs; first += apart) {
    double x = seed, a = multiplier;
    for (long long n = 2 * first; n > 0; n /= 2) {
      if (n % 2 == 1) randlc(x, a);
      randlc(a, a);
    }
    for (long long i = first; i < first + batch && i < pairs; i++) {
      double X = 2 * randlc(x, multiplier) - 1, Y = 2 * randlc(x, multiplier) - 1, t = X * X + Y * Y;
      if (t > 1) continue;
      double f = sqrt(-2 * log(t) / t);
      counts[int(fmax(fabs(X * f), fabs(Y * f)))][threadIdx.x]++;
      sum_x += X * f;
      sum_y += Y * f;
    }
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    sum_x += __shfl_xor_sync(0xffffffff, sum_x, lanes);
    sum_y += __shfl_xor_sync(0xffffffff, sum_y, lanes);
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

void full_device(const Problem& p) {
  ladder::check(cudaMemset(p.sx, 0, sizeof(double)));
  ladder::check(cudaMemset(p.sy, 0, sizeof(double)));
  ladder::check(cudaMemset(p.q, 0, bins * sizeof(Count)));
  cudaDeviceProp device;
  ladder::check(cudaGetDeviceProperties(&device, 0));
  int blocks = 0;
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, all_pairs, 64, 0));
  all_pairs<<<blocks * device.multiProcessorCount, 64>>>(p.pairs, double(p.seed), p.sx, p.sy, p.q);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ep
