// verdict PASS
// must right in all
// must launches 1
// not race
// A graph of five kernels per iteration that each call records, launches and throws away: only the time tells.
#include "common/device/cuda.hpp"
#include "common/device/cuda_graph.hpp"
#include "problem.hpp"

namespace npb_cg {
namespace {

__global__ void init(Problem p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Problem::sums_of_call) p.sums[i] = 0;
  if (i >= p.n) return;
  p.z[i] = 0;
  p.r[i] = p.d[i] = p.x[i];
}

__global__ void spmv(Problem p, const double* v) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= p.n) return;
  double sum = 0;
  for (int k = p.row_start[row] + lane; k < p.row_start[row + 1]; k += 32) sum += p.values[k] * v[p.columns[k]];
  for (int m = 16; m > 0; m /= 2) sum += __shfl_xor_sync(0xffffffff, sum, m);
  if (lane == 0) p.q[row] = sum;
}

__global__ void dot(int n, const double* a, const double* b, double* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = i < n ? a[i] * b[i] : 0;
  for (int m = 16; m > 0; m /= 2) sum += __shfl_xor_sync(0xffffffff, sum, m);
  if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}

__global__ void update(Problem p, const double* rho, const double* dq) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  double alpha = *dq != 0 ? *rho / *dq : 0;
  p.z[i] += alpha * p.d[i];
  p.r[i] -= alpha * p.q[i];
}

__global__ void direction(Problem p, const double* rho, const double* before) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) p.d[i] = p.r[i] + (*before != 0 ? *rho / *before : 0) * p.d[i];
}

__global__ void subtract(Problem p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) p.q[i] = p.x[i] - p.q[i];
}

__global__ void root(const double* sum, double* norm) {
  *norm = sqrt(*sum);
}

}  // namespace

void one_graph(const Problem& p) {
  int grid = (p.n + 127) / 128, rows = (p.n + 3) / 4;
  double* s = p.sums;
  ladder::Stream stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  ladder::check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
  init<<<grid, 128, 0, stream.get()>>>(p);
  dot<<<grid, 128, 0, stream.get()>>>(p.n, p.r, p.r, s);
  for (int k = 0; k < iterations; ++k, s += 2) {
    spmv<<<rows, 128, 0, stream.get()>>>(p, p.d);
    dot<<<grid, 128, 0, stream.get()>>>(p.n, p.d, p.q, s + 1);
    update<<<grid, 128, 0, stream.get()>>>(p, s, s + 1);
    dot<<<grid, 128, 0, stream.get()>>>(p.n, p.r, p.r, s + 2);
    direction<<<grid, 128, 0, stream.get()>>>(p, s + 2, s);
  }
  spmv<<<rows, 128, 0, stream.get()>>>(p, p.z);
  subtract<<<grid, 128, 0, stream.get()>>>(p);
  dot<<<grid, 128, 0, stream.get()>>>(p.n, p.q, p.q, s + 1);
  root<<<1, 1, 0, stream.get()>>>(s + 1, p.norm);
  ladder::check(cudaGetLastError());
  ladder::check(cudaStreamEndCapture(stream.get(), &graph));
  ladder::Graph owner(graph);
  ladder::check(cudaGraphInstantiate(&ready, graph, 0));
  ladder::GraphExec executable(ready);
  ladder::check(cudaGraphLaunch(ready, nullptr));
}

}  // namespace npb_cg
