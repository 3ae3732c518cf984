/// @file
/// Planted mistakes: launches that never ran, text that never appears, a stack that is too small, one place
/// for all.

#include <cuda_runtime.h>

#include "planted.hpp"

namespace {

using planted::Array;

// ---------------------------------------------------------------- launches that are refused

__global__ void count(int* x) {
  atomicAdd(x, 1);
}
__global__ void count_shared(int* x) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  atomicAdd(x, s[threadIdx.x]);
}
template <class T>
__global__ void count_of(T* x) {
  atomicAdd(x, T(1));
}

void block_too_large(bool right) {
  Array<int> x(1);
  count<<<1, right ? 1024 : 2048>>>(x.get());  // here: too-large
  x.at(0);
}
void empty_grid(bool right) {
  Array<int> x(1);
  const int n = 100;
  count<<<right ? (n + 127) / 128 : n / 128, 128>>>(x.get());  // here: empty
  x.at(0);
}
void template_too_large(bool right) {
  Array<int> x(1);
  count_of<<<1, right ? 1024 : 1025>>>(x.get());  // here: template
  x.at(0);
}
void too_much_shared(bool right) {
  Array<int> x(1);
  count_shared<<<1, 64, right ? 256 : 65536>>>(x.get());  // here: shared
  x.at(0);
}
/// Somebody asks: a program may try what a device can do. For a test of its own, since a refused launch
/// prints its reason.
void refused_and_asked(bool) {
  Array<int> x(1);
  count<<<1, 2048>>>(x.get());
  if (cudaGetLastError() != cudaSuccess) count<<<2, 1024>>>(x.get());
  count<<<1, 4096>>>(x.get());
  if (cudaPeekAtLastError() != cudaSuccess) count<<<4, 1024>>>(x.get());
  void* pointer = x.get();
  void* arguments[] = {&pointer};
  cudaLaunchKernel(reinterpret_cast<const void*>(count), dim3(1), dim3(2048), arguments, 0, nullptr);
  x.at(0);
}

// ---------------------------------------------------------------- text that never appears

__global__ void hello() {
  printf("hello from thread %d\n", threadIdx.x);
}
__global__ void hello_all() {
  printf("hello\n");
}
void nobody_waits(bool right) {
  hello<<<1, 2>>>();  // here: nobody-waits
  if (right) cudaDeviceSynchronize();
}
void line_of_text(bool right) {
  hello_all<<<1, 1>>>();  // here: line-of-text
  if (right) cudaDeviceSynchronize();
}
void one_stream_waited(bool right) {
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  hello<<<1, 2, 0, one>>>();  // here: one-stream
  cudaStreamSynchronize(right ? one : other);
}

// ---------------------------------------------------------------- recursion

// clang-format off
__device__ int depth(int n, volatile int* end) { volatile int room[16]; room[n % 16] = n; return n == *end ? room[n % 16] : depth(n + 1, end) + 1; }  // here: recursion
// clang-format on
__global__ void recurse(int* x, int end) {
  volatile int last = end;
  *x = depth(0, &last);
}
void recursion(bool right) {
  Array<int> x(1);
  recurse<<<1, 1>>>(x.get(), right ? 5 : -1);
  x.at(0);
}

// ---------------------------------------------------------------- one place for all

__global__ void write_one(int* x, bool right) {
  if (!right || threadIdx.x == 40) *x = threadIdx.x;  // here: all-write
}
void all_write_one(bool right) {
  Array<int> x(1);
  write_one<<<1, 64>>>(x.get(), right);
  x.at(0);
}

constexpr planted::Case cases[] = {
    {"block-too-large", block_too_large},
    {"empty-grid", empty_grid},
    {"template-too-large", template_too_large},
    {"too-much-shared", too_much_shared},
    {"refused-and-asked", refused_and_asked},
    {"nobody-waits", nobody_waits},
    {"line-of-text", line_of_text},
    {"one-stream-waited", one_stream_waited},
    {"recursion", recursion},
    {"all-write-one", all_write_one},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}
