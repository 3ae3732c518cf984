/// @file
/// The ways in which kernels are written and launched. Also for nvcc.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "syntax.cuh"

extern __shared__ float file_scope[];  // dynamic shared memory outside a function
__device__ float bias = 2.5f;
__constant__ float coefficients[4];

namespace outer {
namespace inner {

template <class T, int N>
struct Vec {
  T v[N];
};

template <class T, int N, bool F>
__global__ void fill(Vec<T, N>* p, Vec<T, N> x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x.v[0] += i;  // the parameter is the thread's own
  p[i] = x;
}

__global__ void scope(float* out) {
  file_scope[threadIdx.x] = threadIdx.x * coefficients[1] + bias;
  __syncthreads();
  out[threadIdx.x] = file_scope[blockDim.x - 1 - threadIdx.x];
}

template <class T>
__global__ void reversed(T* out) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* s = reinterpret_cast<T*>(raw);
  s[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

}  // namespace inner
}  // namespace outer

__global__ void overloaded(int* p) {
  p[threadIdx.x] = 1;
}
__global__ void overloaded(float* p) {
  p[threadIdx.x] = 2;
}

__global__ void rows(int* p) {
  extern __shared__ int table[][4];
  table[threadIdx.x][threadIdx.x % 4] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = table[threadIdx.x ^ 1][(threadIdx.x ^ 1) % 4];
}

extern "C" {
__global__ void from_c(int* p, const double* q) {
  static __shared__ int gridDims;
  alignas(8) __shared__ int both[2];
  if (threadIdx.x == 0) gridDims = both[1] = q == nullptr;
  __syncthreads();
  p[threadIdx.x] = gridDims + both[1] + threadIdx.x;
}
}

struct Solver {
  int n;
  float* p;
  void go(cudaStream_t s) { overloaded<<<(n + 31) / 32, 32, 0, s>>>(p); }
  template <class T>
  void generic(T* q) {
    constexpr int B = 1 << 5;
    outer::inner::reversed<T><<<1, B, B * sizeof(T)>>>(q);
  }
};

#define LAUNCH(K, N, ...) K<<<((N) + 127) / 128, 128>>>(__VA_ARGS__)

const char* text = "not a launch: k<<<1,2>>>(x); extern __shared__ int q[];"; /* nor k<<<1,2>>>(x) */
const char* raw = R"delimiter(k<<<1,1>>>(0))delimiter";

int main() {
  using namespace outer::inner;
  typedef Vec<double, 2> V2;
  V2* v;
  float* f;
  int* o;
  cudaMalloc(&v, 100 * sizeof(V2));
  cudaMalloc((void**)&f, 128 * sizeof(float));
  cudaMallocManaged(&o, 128 * sizeof(int));

  outer::inner::fill<double, 2, (3 > 2)><<<dim3((100 + 31) >> 5, 1), dim3(32)>>>(v, V2{{1.0, 2.0}}, 100);
  V2 h[100];
  cudaMemcpy(h, v, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("fill %g %g\n", h[99].v[0], h[99].v[1]);

  const float c[4] = {0, 2, 0, 0};
  std::vector<float> r(128);
  cudaMemcpyToSymbol(coefficients, c, sizeof c);
  scope<<<1, 64, 64 * sizeof(float)>>>(f);
  cudaMemcpy(r.data(), f, 256, cudaMemcpyDeviceToHost);
  std::printf("scope %g\n", r[0]);

  Solver s{128, f};
  s.go(nullptr);
  s.generic(f);
  LAUNCH(overloaded, 128, f);
  auto k = outer::inner::reversed<float>;
  if (s.n > 0)
    k<<<1, 32, 128>>>(f);
  else
    overloaded<<<1, 1>>>(f);
  for (int i = 0; i < 3; i++) ::overloaded<<<1, 2>>>(f + i);
  scale_all(f, 32, 10.0f);
  cudaMemcpy(r.data(), f, 512, cudaMemcpyDeviceToHost);
  std::printf("float %g %g %g\n", r[0], r[31], r[127]);

  [&] { overloaded<<<1, 64>>>(o); }();
  switch (s.n) {
    case 128:
      overloaded<<<1, 2>>>(o + 64);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  std::printf("int %d %d %d\n", o[0], o[63], o[65]);
  rows<<<1, 8, 8 * 4 * sizeof(int)>>>(o);
  from_c<<<1, 2>>>(o + 8, nullptr);
  cudaDeviceSynchronize();
  std::printf("rows %d %d c %d shift %d\n", o[0], o[7], o[9], 1 << 3 >> 1);
  cudaFree(v);
  cudaFree(f);
  cudaFree(o);
}
