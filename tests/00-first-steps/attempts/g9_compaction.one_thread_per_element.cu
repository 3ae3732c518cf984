// verdict MISSED
// must active_lanes
// must right in all 6 classes
// not WRONG
// What one writes first: each thread softens its own element, if it is bright.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void soften(int n, float limit, const float* A, float* B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = A[i];
  if (x >= limit)
    for (int step = 0; step < softening_steps; step++) x -= x * x * x / 64;
  B[i] = x;
}

}  // namespace

void compaction(const Problem& p) {
  int n = p.rows * p.columns;
  soften<<<(n + 255) / 256, 256>>>(n, p.limit, p.A, p.B);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps
