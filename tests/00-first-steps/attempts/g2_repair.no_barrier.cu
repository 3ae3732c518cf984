// verdict WRONG
// must chunk[32]
// must There is no barrier between the two
// not Experiment
// Five of the six mistakes are fixed.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int width = 256;

__global__ void blur(int columns, const float* A, float* B) {
  __shared__ float chunk[width + 2];
  const int t = threadIdx.x;
  const int j = blockIdx.x * width + t;
  A += std::size_t(blockIdx.y) * columns;
  B += std::size_t(blockIdx.y) * columns;

  chunk[t + 1] = A[min(j, columns - 1)];
  if (t == 0) chunk[0] = A[max(j - 1, 0)];
  if (t == width - 1) chunk[width + 1] = A[min(j + 1, columns - 1)];
  if (j < columns) B[j] = 0.25f * chunk[t] + 0.5f * chunk[t + 1] + 0.25f * chunk[t + 2];
}

}  // namespace

void repair(const Problem& p) {
  const ladder::DeviceBuffer<float> dA(std::size_t(p.rows) * p.columns), dB(std::size_t(p.rows) * p.columns);
  ladder::check(cudaMemcpy(dA.get(), p.A, dA.bytes(), cudaMemcpyHostToDevice));
  const dim3 grid((p.columns + width - 1) / width, p.rows);
  blur<<<grid, width>>>(p.columns, dA.get(), dB.get());
  ladder::check(cudaGetLastError());
  ladder::check(cudaMemcpy(p.B, dB.get(), dB.bytes(), cudaMemcpyDeviceToHost));
}

}  // namespace first_steps
