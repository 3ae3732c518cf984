// verdict CRASHED
// must returned and left an error behind
// must 2048 threads is too large
// not backend_cuda
// A block of 2,048 threads, and nobody asks whether the launch worked.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

__global__ void brighten(int elements, float gain, float offset, const float* A, float* B) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) B[i] = gain * A[i] + offset;
}

}  // namespace

void first_kernel(const Problem& p) {
  const int elements = p.rows * p.columns;
  ladder::DeviceBuffer<float> dA(elements), dB(elements);
  cudaMemcpy(dA.get(), p.A, dA.bytes(), cudaMemcpyHostToDevice);
  brighten<<<(elements + 2047) / 2048, 2048>>>(elements, p.gain, p.offset, dA.get(), dB.get());
  cudaMemcpy(p.B, dB.get(), dB.bytes(), cudaMemcpyDeviceToHost);
}

}  // namespace first_steps
