// verdict MISSED
// must atomics
// must right in all
// not WRONG
// Without the idea: each element is counted in the image's histogram at once.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void count_values(int elements, const float* A, unsigned* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) atomicAdd(&count[int(A[i] * bins)], 1u);
}

}  // namespace

void private_histogram(const Problem& p) {
  int elements = p.rows * p.columns;
  ladder::check(cudaMemset(p.count, 0, bins * sizeof *p.count));
  count_values<<<(elements + 255) / 256, 256>>>(elements, p.A, p.count);
  ladder::check(cudaGetLastError());
}

}  // namespace first_steps
