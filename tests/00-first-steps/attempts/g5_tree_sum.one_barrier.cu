// verdict WRONG
// must part[32]
// must No barrier separates the passes of this loop
// not Experiment
// A barrier after the loads, none between the rounds.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;

__global__ void sum_row(int columns, const float* A, double* sum) {
  __shared__ double part[threads];
  const int t = threadIdx.x;
  const float* row = A + std::size_t(blockIdx.x) * columns;
  double mine = 0;
  for (int j = t; j < columns; j += threads) mine += row[j];
  part[t] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2)
    if (t < half) part[t] += part[t + half];
  if (t == 0) sum[blockIdx.x] = part[0];
}

}  // namespace

void tree_sum(const Problem& p) {
  sum_row<<<p.rows, threads>>>(p.columns, p.A, p.sum);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps
