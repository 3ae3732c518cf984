// verdict PASS
// must right in all
// must Remark
// must no number of this rung depends on it
// not WRONG
// Each thread adds neighbours: a lane's element is far from that of the next lane.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;

__global__ void sum_row(int columns, const float* A, double* sum) {
  __shared__ double part[threads];
  const int t = threadIdx.x;
  const float* row = A + std::size_t(blockIdx.x) * columns;
  const int share = (columns + threads - 1) / threads;
  double mine = 0;
  for (int j = t * share; j < min((t + 1) * share, columns); ++j) mine += row[j];
  part[t] = mine;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
  if (t == 0) sum[blockIdx.x] = part[0];
}

}  // namespace

void tree_sum(const Problem& p) {
  sum_row<<<p.rows, threads>>>(p.columns, p.A, p.sum);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps
