// verdict CRASHED
// must 1 x 1: access out of bounds, line
// must reads dA + 1 (of 1)
// not 12 bytes
// The guard is forgotten.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;

__global__ void brighten(int elements, float gain, float offset, const float* A, float* B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B[i] = gain * A[i] + offset;
}

}  // namespace

void first_kernel(const Problem& p) {
  int elements = p.rows * p.columns;
  ladder::DeviceBuffer<float> dA(elements), dB(elements);
  ladder::check(cudaMemcpy(dA.get(), p.A, dA.bytes(), cudaMemcpyHostToDevice));
  brighten<<<(elements + threads - 1) / threads, threads>>>(elements, p.gain, p.offset, dA.get(), dB.get());
  ladder::check(cudaGetLastError());
  ladder::check(cudaMemcpy(p.B, dB.get(), dB.bytes(), cudaMemcpyDeviceToHost));
}

}  // namespace first_steps
