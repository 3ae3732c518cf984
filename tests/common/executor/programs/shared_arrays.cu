/// @file
/// Many kernels with large shared arrays. On the executor these arrays are thread-local, all kernels' arrays
/// in each thread.

#include <cstdio>
#include <utility>

namespace {

constexpr int length = 6144, threads = 64;  // 48 KiB of doubles: as much as a static array may have

/// x reversed, plus the number of the kernel.
template <int number>
__global__ void reversed(double* x) {
  __shared__ double kept[length];
  for (int i = threadIdx.x; i < length; i += threads) kept[i] = x[i] + number;
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += threads) x[i] = kept[length - 1 - i];
}

template <int... number>
void reverse_by_each(std::integer_sequence<int, number...>, double* x) {
  (reversed<number><<<1, threads>>>(x), ...);
}

}  // namespace

int main() {
  constexpr int kernels = 40;
  static double x[length];
  for (int i = 0; i < length; ++i) x[i] = i;
  double* on_device = nullptr;
  bool right = cudaMalloc(&on_device, sizeof x) == cudaSuccess;
  right = right && cudaMemcpy(on_device, x, sizeof x, cudaMemcpyHostToDevice) == cudaSuccess;
  reverse_by_each(std::make_integer_sequence<int, kernels>(), on_device);
  right = right && cudaMemcpy(x, on_device, sizeof x, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < length; ++i) right = right && x[i] == i + kernels * (kernels - 1) / 2;
  cudaFree(on_device);
  std::puts(right ? "OK shared arrays" : "WRONG shared arrays");
  return right ? 0 : 1;
}
