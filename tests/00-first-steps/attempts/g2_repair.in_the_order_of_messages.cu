// verdict WRONG
// must 32 x 512
// must of block (1,0)
// must of block (0,0)
// not 64 x 256: right
// The launch and the barrier are fixed, as the first messages say. The wrong index of a block is not hidden by what
// is left: the message names two blocks that write the same element.
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int width = 256;

__global__ void blur(int columns, const float* A, float* B) {
  __shared__ float chunk[width + 2];
  const int t = threadIdx.x;
  const int j = blockIdx.x + t;
  A += std::size_t(blockIdx.y) * columns;
  B += std::size_t(blockIdx.y) * columns;

  chunk[t + 1] = A[j];
  if (t == 0) chunk[0] = A[max(j - 1, 0)];
  __syncthreads();
  B[j] = 0.25f * chunk[t] + 0.5f * chunk[t + 1] + 0.25f * chunk[t + 2];
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
