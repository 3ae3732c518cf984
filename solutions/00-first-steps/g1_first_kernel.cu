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
  // BEGIN SOLUTION The index of this thread's element, from blockIdx.x, blockDim.x and threadIdx.x. The last
  //  threads have no element: they must touch nothing.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  B[i] = gain * A[i] + offset;
  // END SOLUTION
}

}  // namespace

/// Brightens the image: A goes to the device, B comes back.
/// @throws ladder::Error when a CUDA call fails.
void first_kernel(const Problem& p) {
  // BEGIN SOLUTION p.A and p.B are host memory, the CPU's: a kernel must not touch them.
  //  1. Allocate device memory for A and for B: ladder::DeviceBuffer<float> dA(elements) calls cudaMalloc,
  //     and cudaFree at the end of its scope. dA.get() is the device pointer, dA.bytes() the size for
  //     cudaMemcpy.
  //  2. Copy A there: cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice).
  //  3. Launch enough blocks of `threads` threads, then ask cudaGetLastError(): a launch returns nothing.
  //  4. Copy B back: cudaMemcpyDeviceToHost.
  //  Put ladder::check( ... ) around every call that returns an error code.
  //| ladder::task();  // Delete this line when you start.
  const int elements = p.rows * p.columns;
  const ladder::DeviceBuffer<float> dA(elements), dB(elements);
  ladder::check(cudaMemcpy(dA.get(), p.A, dA.bytes(), cudaMemcpyHostToDevice));

  const int blocks = (elements + threads - 1) / threads;  // rounded up
  brighten<<<blocks, threads>>>(elements, p.gain, p.offset, dA.get(), dB.get());
  ladder::check(cudaGetLastError());  // reports a launch that could not start

  ladder::check(cudaMemcpy(p.B, dB.get(), dB.bytes(), cudaMemcpyDeviceToHost));  // waits for the kernel
  // END SOLUTION
}

}  // namespace first_steps
