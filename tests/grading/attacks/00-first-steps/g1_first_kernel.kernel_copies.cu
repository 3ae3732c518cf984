// what computes on the host, and launches a kernel that copies what the host has computed
// verdict REVIEW
// must the host has computed
// must before a kernel stored them
#include <vector>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void copy(int n, const float* from, float* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

}  // namespace

void first_kernel(const Problem& p) {
  const int n = p.rows * p.columns;
  std::vector<float> computed(n);
  for (int i = 0; i < n; ++i) computed[i] = p.gain * p.A[i] + p.offset;
  const ladder::DeviceBuffer<float> from(n), to(n);
  ladder::check(cudaMemcpy(from.get(), computed.data(), from.bytes(), cudaMemcpyHostToDevice));
  copy<<<parts(n, 256), 256>>>(n, from.get(), to.get());
  ladder::check(cudaGetLastError());
  ladder::check(cudaMemcpy(p.B, to.get(), to.bytes(), cudaMemcpyDeviceToHost));
}

}  // namespace first_steps
