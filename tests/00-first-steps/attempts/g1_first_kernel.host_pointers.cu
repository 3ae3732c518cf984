// verdict CRASHED
// must host memory and device memory mixed up, line
// must pointer to host memory
// not exit code
// The kernel gets the host's pointers.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;

__global__ void brighten(int elements, float gain, float offset, const float* A, float* B) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) B[i] = gain * A[i] + offset;
}

}  // namespace

void first_kernel(const Problem& p) {
  const int elements = p.rows * p.columns;
  brighten<<<(elements + threads - 1) / threads, threads>>>(elements, p.gain, p.offset, p.A, p.B);
  ladder::check(cudaGetLastError());
  ladder::check(cudaDeviceSynchronize());
}

}  // namespace first_steps
