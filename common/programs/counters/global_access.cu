// Kernels whose sectors of global memory are known: coalesced, strided, misaligned, of all widths. Each is
// launched once.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int position() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void copy_double(const double* a, double* b) {
  b[position()] = a[position()];
}
__global__ void copy_float(const float* a, float* b) {
  b[position()] = a[position()];
}
__global__ void copy_byte(const unsigned char* a, unsigned char* b) {
  b[position()] = a[position()];
}
__global__ void copy_short(const short* a, short* b) {
  b[position()] = a[position()];
}
__global__ void copy_float2(const float2* a, float2* b) {
  b[position()] = a[position()];
}
__global__ void copy_float4(const float4* a, float4* b) {
  b[position()] = a[position()];
}
__global__ void copy_double2(const double2* a, double2* b) {
  b[position()] = a[position()];
}
__global__ void copy_float3(const float3* a, float3* b) {
  b[position()] = a[position()];
}

// A vector that is computed with between its load and its store is still loaded and stored in one piece.
__global__ void scale_float4(const float4* a, float4* b) {
  float4 v = a[position()];
  v.x *= 2;
  v.y *= 2;
  v.z *= 2;
  v.w *= 2;
  b[position()] = v;
}
__global__ void sum_float4(const float4* a, float* b) {
  const float4 v = a[position()];
  b[position()] = v.x + v.y + v.z + v.w;
}
__global__ void swap_double2(const double2* a, double2* b) {
  const double2 v = a[position()];
  b[position()] = make_double2(v.y, v.x);
}

__global__ void stride_2(const double* a, double* b) {
  b[2 * position()] = a[2 * position()];
}
__global__ void stride_4(const double* a, double* b) {
  b[4 * position()] = a[4 * position()];
}
__global__ void stride_8(const double* a, double* b) {
  b[8 * position()] = a[8 * position()];
}
__global__ void stride_16(const double* a, double* b) {
  b[16 * position()] = a[16 * position()];
}
__global__ void stride_32(const double* a, double* b) {
  b[32 * position()] = a[32 * position()];
}
__global__ void stride_2_float(const float* a, float* b) {
  b[2 * position()] = a[2 * position()];
}
__global__ void stride_32_float(const float* a, float* b) {
  b[32 * position()] = a[32 * position()];
}

__global__ void misaligned_double(const double* a, double* b) {
  b[position() + 1] = a[position() + 1];
}
__global__ void misaligned_float(const float* a, float* b) {
  b[position() + 1] = a[position() + 1];
}
__global__ void reversed(const double* a, double* b) {
  b[position()] = a[gridDim.x * blockDim.x - 1 - position()];
}
__global__ void broadcast(const double* a, double* b) {
  b[position()] = a[0] + 1;
}
__global__ void broadcast_by_pairs(const double* a, double* b) {
  b[position()] = a[position() / 2];
}
__global__ void through_cache_hint(const double* a, double* b) {
  b[position()] = __ldg(a + position());
}
__global__ void half_warp(const double* a, double* b) {
  if (threadIdx.x % 32 < 16) b[position()] = a[position()];
}
__global__ void every_second_lane(const double* a, double* b) {
  if (threadIdx.x % 2 == 0) b[position()] = a[position()];
}

int main() {
  constexpr int blocks = 4, threads = 256, n = blocks * threads;
  char *a, *b;
  cudaMalloc(&a, 33 * n * sizeof(double));
  cudaMalloc(&b, 33 * n * sizeof(double));
  cudaMemset(a, 0, 33 * n * sizeof(double));
  auto *da = reinterpret_cast<double*>(a), *db = reinterpret_cast<double*>(b);
  auto *fa = reinterpret_cast<float*>(a), *fb = reinterpret_cast<float*>(b);
  auto *ca = reinterpret_cast<unsigned char*>(a), *cb = reinterpret_cast<unsigned char*>(b);
  auto *sa = reinterpret_cast<short*>(a), *sb = reinterpret_cast<short*>(b);
  auto *f2a = reinterpret_cast<float2*>(a), *f2b = reinterpret_cast<float2*>(b);
  auto *f4a = reinterpret_cast<float4*>(a), *f4b = reinterpret_cast<float4*>(b);
  auto *d2a = reinterpret_cast<double2*>(a), *d2b = reinterpret_cast<double2*>(b);
  auto *f3a = reinterpret_cast<float3*>(a), *f3b = reinterpret_cast<float3*>(b);
  copy_double<<<blocks, threads>>>(da, db);
  copy_float<<<blocks, threads>>>(fa, fb);
  copy_byte<<<blocks, threads>>>(ca, cb);
  copy_short<<<blocks, threads>>>(sa, sb);
  copy_float2<<<blocks, threads>>>(f2a, f2b);
  copy_float4<<<blocks, threads>>>(f4a, f4b);
  copy_double2<<<blocks, threads>>>(d2a, d2b);
  copy_float3<<<blocks, threads>>>(f3a, f3b);
  scale_float4<<<blocks, threads>>>(f4a, f4b);
  sum_float4<<<blocks, threads>>>(f4a, fb);
  swap_double2<<<blocks, threads>>>(d2a, d2b);
  stride_2<<<blocks, threads>>>(da, db);
  stride_4<<<blocks, threads>>>(da, db);
  stride_8<<<blocks, threads>>>(da, db);
  stride_16<<<blocks, threads>>>(da, db);
  stride_32<<<blocks, threads>>>(da, db);
  stride_2_float<<<blocks, threads>>>(fa, fb);
  stride_32_float<<<blocks, threads>>>(fa, fb);
  misaligned_double<<<blocks, threads>>>(da, db);
  misaligned_float<<<blocks, threads>>>(fa, fb);
  reversed<<<blocks, threads>>>(da, db);
  broadcast<<<blocks, threads>>>(da, db);
  broadcast_by_pairs<<<blocks, threads>>>(da, db);
  through_cache_hint<<<blocks, threads>>>(da, db);
  half_warp<<<blocks, threads>>>(da, db);
  every_second_lane<<<blocks, threads>>>(da, db);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
}
