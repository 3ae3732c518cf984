// verdict PASS
// must right in all
// must Remark
// must no number of this rung depends on it
// not WRONG
// One thread adds a whole row: no barrier at all, and each lane reads another row.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void sum_rows(int rows, int columns, const float* A, double* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  double mine = 0;
  for (int j = 0; j < columns; ++j) mine += A[std::size_t(i) * columns + j];
  sum[i] = mine;
}

}  // namespace

void warp_shuffle(const Problem& p) {
  sum_rows<<<parts(p.rows, 64), 64>>>(p.rows, p.columns, p.A, p.sum);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps
