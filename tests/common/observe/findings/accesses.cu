/// @file
/// Every way in which g++ lets a kernel read and write memory, each in a kernel of its own. The program
/// prints how many bytes a kernel reads and writes; the test demands a record of each.

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#include <new>
#include <utility>

namespace {

constexpr int buffer_bytes = 1 << 20;

template <int size>
struct Sized {
  char bytes[size];
};
struct Vec {
  float x, y, z;
};
struct Pair {
  double value;
  int row, column;
};
struct Ray {
  double origin[3], direction[3];
};
struct Big {
  double a[100];
};

/// Where the part of that size begins.
constexpr int begin_of(int size) {
  return 16 * (size * (size + 32) / 32 + size);
}

// ------------------------------------------------ assignments, and functions of the C library: every size

template <int... sizes>
__device__ void assign(char* out, const char* in, std::integer_sequence<int, sizes...>) {
  ((*reinterpret_cast<Sized<sizes + 1>*>(out + begin_of(sizes + 1)) =
        *reinterpret_cast<const Sized<sizes + 1>*>(in + begin_of(sizes + 1))),
   ...);
}
template <int... sizes>
__device__ void copy(char* out, const char* in, std::integer_sequence<int, sizes...>) {
  (memcpy(out + begin_of(sizes + 1), in + begin_of(sizes + 1), sizes + 1), ...);
}
template <int... sizes>
__device__ void copy_by_builtin(char* out, const char* in, std::integer_sequence<int, sizes...>) {
  (__builtin_memcpy(out + begin_of(sizes + 1), in + begin_of(sizes + 1), sizes + 1), ...);
}
template <int... sizes>
__device__ void move(char* out, const char* in, std::integer_sequence<int, sizes...>) {
  (std::memmove(out + begin_of(sizes + 1), in + begin_of(sizes + 1), sizes + 1), ...);
}
template <int... sizes>
__device__ void fill(char* out, std::integer_sequence<int, sizes...>) {
  (memset(out + begin_of(sizes + 1), 0, sizes + 1), ...);
}
#ifndef MOST_BYTES
#define MOST_BYTES 1024
#endif
constexpr auto all_sizes = std::make_integer_sequence<int, MOST_BYTES>();

__global__ void assignments(char* out, const char* in) {
  assign(out, in, all_sizes);
}
__global__ void memcpys(char* out, const char* in) {
  copy(out, in, all_sizes);
}
__global__ void builtin_memcpys(char* out, const char* in) {
  copy_by_builtin(out, in, all_sizes);
}
__global__ void memmoves(char* out, const char* in) {
  move(out, in, all_sizes);
}
__global__ void memsets(char* out, const char*) {
  fill(out, all_sizes);
}
__global__ void std_copy(double* out, const double* in) {
  std::copy(in, in + 5, out);
}
__global__ void std_fill(char* out, const char*) {
  std::fill(out, out + 13, 'x');
}
__global__ void std_swap(Vec* out, const Vec*) {
  std::swap(out[0], out[1]);
}

// ---------------------------------------------------------------- calls

__device__ __noinline__ double length(Ray r) {
  return r.origin[0] + r.direction[2];
}
__device__ __noinline__ double larger(Pair p) {
  return p.value;
}
__device__ __noinline__ float first(Vec v) {
  return v.x;
}
__device__ __noinline__ double last(Big b) {
  return b.a[99];
}
__device__ double recursive(Ray r, int depth) {
  if (depth == 0) return r.origin[1];
  r.origin[1] += 1;
  return recursive(r, depth - 1) + r.origin[1];
}
struct Shape {
  virtual __device__ double size(Pair p) const { return p.value; }
  int sides = 4;
};
struct Square : Shape {
  __device__ double size(Pair p) const override { return p.value * sides; }
};

__global__ void argument_of_48(double* out, const Ray* in) {
  *out = length(in[0]);
}
__global__ void argument_of_16(double* out, const Pair* in) {
  *out = larger(in[0]);
}
__global__ void argument_of_12(float* out, const Vec* in) {
  *out = first(in[0]);
}
__global__ void argument_of_800(double* out, const Big* in) {
  *out = last(in[0]);
}
__global__ void argument_of_pointer(double* out, const Pair* in) {
  double (*volatile function)(Pair) = larger;
  *out = function(in[0]);
}
__global__ void argument_of_recursion(double* out, const Ray* in) {
  *out = recursive(in[0], 3);
}
__global__ void argument_of_virtual(double* out, const Pair* in) {
  Square square;
  Shape* volatile shape = &square;
  *out = shape->size(in[0]);
}

__device__ __noinline__ Big made(const Big* in) {
  Big result;
  for (int i = 0; i < 100; ++i) result.a[i] = in->a[i] + 1;
  return result;
}
__device__ __noinline__ Big same(const Big* in) {
  return *in;
}
__device__ __noinline__ Vec small(const Vec* in) {
  return {in->x, in->y, in->z};
}
__global__ void returned_800(Big* out, const Big* in) {
  *out = made(in);
}
__global__ void returned_lvalue(Big* out, const Big* in) {
  *out = same(in);
}
__global__ void returned_12(Vec* out, const Vec* in) {
  *out = small(in);
}

// ---------------------------------------------------------------- objects

struct Fields {
  unsigned a : 3, b : 9, c : 20;
};
union Either {
  double real;
  int whole[2];
};
__global__ void virtual_pointer(Square* out, const Square*) {
  new (out) Square;
}
__global__ void virtual_call(double* out, const Square* in) {
  Pair p{2, 0, 0};
  *out = in->size(p);
}
__global__ void bit_field(Fields* out, const Fields* in) {
  out->b = in->b;
}
__global__ void union_copy(Either* out, const Either* in) {
  *out = *in;
}
__global__ void union_member(Either* out, const Either* in) {
  out->whole[1] = in->whole[1];
}
__global__ void zeros(Big* out, const Big*) {
  *out = {};
}
__global__ void complex_number(std::complex<double>* out, const std::complex<double>* in) {
  *out = *in * 2.0;
}
__global__ void array_object(std::array<float, 7>* out, const std::array<float, 7>* in) {
  *out = *in;
}
__global__ void wide_number(__int128* out, const __int128* in) {
  *out = *in + 1;
}
__global__ void volatile_number(volatile int* out, const volatile int* in) {
  *out = *in;
}
__global__ void captured(Ray* out, const Ray* in) {
  const auto copy = [r = *in]() { return r; };
  *out = copy();
}

// ---------------------------------------------------------------- atomics, and variables that nobody writes

__global__ void atomic_add(int* out, const int*) {
  atomicAdd(out, 1);
}
__global__ void atomic_object(cuda::atomic<int>* out, const cuda::atomic<int>* in) {
  out->store(in->load());
}
__global__ void atomic_builtin(int* out, const int*) {
  __atomic_fetch_add(out, 1, __ATOMIC_RELAXED);
}
__device__ int never_written[16];
__global__ void device_variable(int* out, const int* in) {
  *out = never_written[*in & 15];
}
__global__ void never_shared(int* out, const int* in) {
  __shared__ int tile[64];
  __syncthreads();
  *out = tile[*in & 63];
}
__global__ void only_written(int*, const int* in) {
  __shared__ int tile[64];
  tile[*in & 63] = 1;
}

/// Launches the kernel in one thread and says what it must be seen to do: bytes, in all kinds of memory.
template <class Out, class In>
void run(const char* name, void (*kernel)(Out*, const In*), char* out, const char* in, int reads, int writes,
         int atomics = 0) {
  kernel<<<1, 1>>>(reinterpret_cast<Out*>(out), reinterpret_cast<const In*>(in));
  cudaDeviceSynchronize();
  std::printf("%s %d %d %d\n", name, reads, writes, atomics);
}
#define RUN(KERNEL, ...) run(#KERNEL, KERNEL, out, in, __VA_ARGS__)

void run_all(char* out, char* in) {
  constexpr int sum = MOST_BYTES * (MOST_BYTES + 1) / 2;
  RUN(assignments, sum, sum);
  RUN(memcpys, sum, sum);
  RUN(builtin_memcpys, sum, sum);
  RUN(memmoves, sum, sum);
  RUN(memsets, 0, sum);
  RUN(std_copy, 40, 40);
  RUN(std_fill, 0, 13);
  RUN(std_swap, 24, 24);
  RUN(argument_of_48, 48, 8);
  RUN(argument_of_16, 16, 8);
  RUN(argument_of_12, 12, 4);
  RUN(argument_of_800, 800, 8);
  RUN(argument_of_pointer, 16, 8);
  RUN(argument_of_recursion, 48, 8);
  RUN(argument_of_virtual, 16 + 8, 8);  // and an entry of the table of virtual functions
  RUN(returned_800, 800, 800);
  RUN(returned_lvalue, 800, 800);
  RUN(returned_12, 12, 12);
  RUN(virtual_pointer, 0, 12);
  cudaMemcpy(in, out, sizeof(Square), cudaMemcpyDeviceToDevice);
  RUN(virtual_call, 12, 8);
  RUN(bit_field, 2, 2);
  RUN(union_copy, 8, 8);
  RUN(union_member, 4, 4);
  RUN(zeros, 0, 800);
  RUN(complex_number, 16, 16);
  RUN(array_object, 28, 28);
  RUN(wide_number, 16, 16);
  RUN(volatile_number, 4, 4);
  RUN(captured, 48, 48);
  RUN(atomic_add, 0, 0, 4);
  RUN(atomic_object, 4, 4);
  RUN(atomic_builtin, 0, 0, 4);
  RUN(device_variable, 8, 4);
  RUN(never_shared, 8, 4);
  RUN(only_written, 4, 4);
}

}  // namespace

int main() {
  char *out, *in;
  cudaMalloc(&out, buffer_bytes);
  cudaMalloc(&in, buffer_bytes);
  cudaMemset(out, 1, buffer_bytes);
  cudaMemset(in, 1, buffer_bytes);
  run_all(out, in);
  cudaFree(out);
  cudaFree(in);
}
