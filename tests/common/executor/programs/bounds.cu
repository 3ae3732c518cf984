/// @file
/// __launch_bounds__ in every place where nvcc takes it: launches above it are refused, and the calls that
/// ask know it.

#include <cstdio>
#include <initializer_list>
#include <vector>

#include "bounds.cuh"
#include "common/device/cuda.hpp"

namespace {

constexpr int small = 64, half = 512;

__global__ void __launch_bounds__(256) in_the_middle(int* x) {
  x[threadIdx.x] = 1;
}
__launch_bounds__(small) __global__ void in_front(int* x) {
  x[threadIdx.x] = 1;
}
__global__ __launch_bounds__(half / 2, 2) void with_two(int* x) {
  x[threadIdx.x] = 1;
}
template <int threads>
__global__ void __launch_bounds__(threads) of_a_template(int* x) {
  x[threadIdx.x] = 1;
}
#define BOUNDS __launch_bounds__(160, 1)
#define AT_MOST(threads) __launch_bounds__(threads)
#define KERNEL_OF_48 __global__ void __launch_bounds__(48)
__global__ void BOUNDS of_a_macro(int* x) {
  x[threadIdx.x] = 1;
}
__global__ void AT_MOST(2 * 40) of_an_argument(int* x) {
  x[threadIdx.x] = 1;
}
KERNEL_OF_48 of_one_word(int* x) {
  x[threadIdx.x] = 1;
}
__global__ void __launch_bounds__(THREADS_OF_HEADER) of_a_headers_number(int* x) {
  x[threadIdx.x] = 1;
}
__global__ void BOUNDS_OF_HEADER of_a_header(int* x) {
  x[threadIdx.x] = 1;
}
__global__ void AT_MOST_OF_HEADER(3 * 24) of_a_headers_argument(int* x) {
  x[threadIdx.x] = 1;
}
KERNEL_OF_HEADER of_a_headers_word(int* x) {
  x[threadIdx.x] = 1;
}
/// The parameter has the name of the constant: the bound is the constant's, and not known to the executor.
__global__ void __launch_bounds__(half) hidden(int* x, int half) {
  x[threadIdx.x] = half;
}
__global__ void unbounded(int* x) {
  x[threadIdx.x] = 1;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(32) of_c(int* x) {
  x[threadIdx.x] = 1;
}

namespace {

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

/// Up to its bound a kernel runs, above it no thread of it does.
void refused(const char* name, void (*kernel)(int*), int bound) {
  ladder::DeviceBuffer<int> x(1024);
  std::vector<int> values(1024);
  bool right = true;
  for (const int threads : {bound, bound + 1, 1024}) {
    ladder::check(cudaMemset(x.get(), 0, x.bytes()));
    kernel<<<1, threads>>>(x.get());
    const cudaError_t error = cudaGetLastError();
    ladder::check(cudaMemcpy(values.data(), x.get(), x.bytes(), cudaMemcpyDeviceToHost));
    right = right && error == (threads > bound ? cudaErrorInvalidValue : cudaSuccess);
    right = right && values[0] == (threads > bound ? 0 : 1);
  }
  cudaFuncAttributes attributes;
  ladder::check(cudaFuncGetAttributes(&attributes, kernel));
  int fits = 0, none = -1, grid = 0, block = 0;
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, kernel, bound, 0));
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&none, kernel, bound + 1, 0));
  ladder::check(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  report(name, right && attributes.maxThreadsPerBlock == bound && fits >= 1 && none == 0 && block <= bound &&
                   block >= 32);
}

}  // namespace

int main() {
  refused("in the middle", in_the_middle, 256);
  refused("in front", in_front, small);
  refused("with two", with_two, 256);
  refused("of a template", of_a_template<96>, 96);
  refused("of C", of_c, 32);
  refused("of a macro", of_a_macro, 160);
  refused("of an argument", of_an_argument, 80);
  refused("of one word", of_one_word, 48);
  refused("of a header's number", of_a_headers_number, 192);
  refused("of a header", of_a_header, 192);
  refused("of a header's argument", of_a_headers_argument, 72);
  refused("of a header's word", of_a_headers_word, 56);
  ladder::DeviceBuffer<int> x(1024);
  hidden<<<1, 64>>>(x.get(), 3);
  hidden<<<1, 128>>>(x.get(), 32);
  report("hidden", cudaGetLastError() == cudaSuccess);
  unbounded<<<1, 1024>>>(x.get());
  report("unbounded", cudaGetLastError() == cudaSuccess);
  int* data = x.get();
  void* arguments[] = {&data};
  const bool cooperative = cudaLaunchCooperativeKernel((void*)in_the_middle, dim3(1), dim3(16, 17), arguments,
                                                       0, nullptr) == cudaErrorInvalidValue;
  static_cast<void>(cudaGetLastError());
  report("cooperative", cooperative);
  ladder::check(cudaDeviceSynchronize());
}
