// verdict PASS
// must right in all
// must waits 0
// not race
// A kernel of one thread computes alpha, another one beta: more launches, and no wait either.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_cg {
namespace {

struct Scalars {
  double rho, before, dq, alpha, beta, norm2;
};

__global__ void init(const Problem p, Scalars* s) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < p.n; i += blockDim.x * gridDim.x) {
    p.z[i] = 0;
    p.r[i] = p.x[i];
    p.d[i] = p.x[i];
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *s = Scalars{};
}

__global__ void spmv(const Problem p, const double* v) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (warp >= p.n) return;
  double sum = 0;
  for (int k = p.row_start[warp] + lane; k < p.row_start[warp + 1]; k += 32) sum += p.values[k] * v[p.columns[k]];
  for (int m = 16; m; m >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, m);
  if (lane == 0) p.q[warp] = sum;
}

__global__ void dot(int n, const double* a, const double* b, double* result) {
  double sum = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
  for (int m = 16; m; m >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, m);
  if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}

__global__ void compute_alpha(Scalars* s) {
  s->alpha = s->dq == 0 ? 0 : s->rho / s->dq;
  s->before = s->rho;
  s->rho = 0;
  s->dq = 0;
}

__global__ void update(const Problem p, const Scalars* s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  p.z[i] += s->alpha * p.d[i];
  p.r[i] -= s->alpha * p.q[i];
}

__global__ void compute_beta(Scalars* s) {
  s->beta = s->before == 0 ? 0 : s->rho / s->before;
}

__global__ void direction(const Problem p, const Scalars* s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) p.d[i] = p.r[i] + s->beta * p.d[i];
}

__global__ void difference(const Problem p, Scalars* s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) atomicAdd(&s->norm2, (p.x[i] - p.q[i]) * (p.x[i] - p.q[i]));
}

__global__ void finish(const Problem p, const Scalars* s) {
  *p.norm = sqrt(s->norm2);
}

}  // namespace

void dots_on_device(const Problem& p) {
  int grid = (p.n + 127) / 128, rows = (p.n + 3) / 4;
  Scalars* s = reinterpret_cast<Scalars*>(p.sums);
  init<<<grid, 128>>>(p, s);
  ladder::check(cudaGetLastError());
  dot<<<grid, 128>>>(p.n, p.r, p.r, &s->rho);
  ladder::check(cudaGetLastError());
  for (int k = 0; k < iterations; ++k) {
    spmv<<<rows, 128>>>(p, p.d);
    dot<<<grid, 128>>>(p.n, p.d, p.q, &s->dq);
    compute_alpha<<<1, 1>>>(s);
    update<<<grid, 128>>>(p, s);
    dot<<<grid, 128>>>(p.n, p.r, p.r, &s->rho);
    compute_beta<<<1, 1>>>(s);
    direction<<<grid, 128>>>(p, s);
    ladder::check(cudaGetLastError());
  }
  spmv<<<rows, 128>>>(p, p.z);
  difference<<<grid, 128>>>(p, s);
  finish<<<1, 1>>>(p, s);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_cg
