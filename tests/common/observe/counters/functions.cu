// Arithmetic of doubles that is no single instruction of a GPU.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void divided(double* x) {
  x[threadIdx.x] = 3 / x[threadIdx.x];
}
__global__ void rooted(double* x) {
  x[threadIdx.x] = sqrt(x[threadIdx.x]);
}
__global__ void reciprocal_root(double* x) {
  x[threadIdx.x] = rsqrt(x[threadIdx.x]);
}
__global__ void logarithm(double* x) {
  x[threadIdx.x] = log(x[threadIdx.x]);
}
__global__ void fused(double* x) {
  x[threadIdx.x] = fma(x[threadIdx.x], 3.0, 1.0);
}
__global__ void larger(double* x) {
  x[threadIdx.x] = fmax(fabs(x[threadIdx.x]), 2.0);
}
__global__ void single_logarithm(float* x) {
  x[threadIdx.x] = logf(x[threadIdx.x]);
}
__global__ void rounded(double* x) {
  x[threadIdx.x] = int(x[threadIdx.x]);
}
__global__ void to_single(double* x) {
  reinterpret_cast<float*>(x)[2 * threadIdx.x] = float(x[threadIdx.x]);
}
__global__ void bits_of(double* x) {
  x[threadIdx.x] = __hiloint2double(__double2hiint(x[threadIdx.x]) >> 1, short(threadIdx.x));
}

int main() {
  double* x;
  cudaMalloc(&x, 64 * sizeof(double));
  cudaMemset(x, 0x3f, 64 * sizeof(double));  // small positive numbers
  divided<<<1, 64>>>(x);
  rooted<<<1, 64>>>(x);
  reciprocal_root<<<1, 64>>>(x);
  logarithm<<<1, 64>>>(x);
  fused<<<1, 64>>>(x);
  larger<<<1, 64>>>(x);
  single_logarithm<<<1, 64>>>(reinterpret_cast<float*>(x));
  rounded<<<1, 64>>>(x);
  to_single<<<1, 64>>>(x);
  bits_of<<<1, 64>>>(x);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
