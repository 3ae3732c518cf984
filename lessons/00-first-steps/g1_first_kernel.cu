/// @file
/// g1: a first kernel. The loop of the baseline is gone: its body is done by many threads, one element each.
/// Before: the function brighten of the baseline. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int threads = 256;  // of a block: eight warps

/// Each thread computes one element of B.
__global__ void brighten(int elements, float gain, float offset,
                         const float* A,  // elements
                         float* B) {      // elements
  // TASK, 3 lines: The index of this thread's element, from blockIdx.x, blockDim.x and threadIdx.x. The last
  //  threads have no element: they must touch nothing.
}

}  // namespace

/// Brightens the image: A goes to the device, B comes back.
/// @throws ladder::Error when a CUDA call fails.
void first_kernel(const Problem& p) {
  // TASK, 7 lines: p.A and p.B are host memory, the CPU's: a kernel must not touch them.
  //  1. Allocate device memory for A and for B: ladder::DeviceBuffer<float> dA(elements) calls cudaMalloc,
  //     and cudaFree at the end of its scope. dA.get() is the device pointer, dA.bytes() the size for
  //     cudaMemcpy.
  //  2. Copy A there: cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice).
  //  3. Launch enough blocks of `threads` threads, then ask cudaGetLastError(): a launch returns nothing.
  //  4. Copy B back: cudaMemcpyDeviceToHost.
  //  Put ladder::check( ... ) around every call that returns an error code.
  ladder::task();  // Delete this line when you start.
}

}  // namespace first_steps
