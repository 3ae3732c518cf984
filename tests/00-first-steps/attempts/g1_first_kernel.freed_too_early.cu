// verdict CRASHED
// must threw cudaErrorInvalidValue: use of memory that was freed
// must the source was freed at line
// not before that
// The device's memory is freed before the copy that needs it.
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
  const size_t bytes = elements * sizeof(float);
  float* dA = nullptr;
  float* dB = nullptr;
  ladder::check(cudaMalloc(&dA, bytes));
  ladder::check(cudaMalloc(&dB, bytes));
  ladder::check(cudaMemcpy(dA, p.A, bytes, cudaMemcpyHostToDevice));
  brighten<<<(elements + threads - 1) / threads, threads>>>(elements, p.gain, p.offset, dA, dB);
  ladder::check(cudaGetLastError());
  ladder::check(cudaFree(dA));
  ladder::check(cudaFree(dB));
  ladder::check(cudaMemcpy(p.B, dB, bytes, cudaMemcpyDeviceToHost));
}

}  // namespace first_steps
