// Kernels whose wavefronts of shared memory are known: conflicts, padding, broadcasts, all widths. Each is
// launched once.
#include <cuda_runtime.h>

#include <cstdio>

// A 32 x 32 tile is stored by rows and read by columns.
__global__ void transpose_double(const double* a, double* b) {
  __shared__ double tile[32][32];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  b[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void transpose_double_padded(const double* a, double* b) {
  __shared__ double tile[32][33];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  b[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void transpose_float(const float* a, float* b) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  b[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void transpose_float_padded(const float* a, float* b) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  b[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void transpose_float_swizzled(const float* a, float* b) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  b[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}

// One warp; the index is what varies. The array is filled by the same warp in order.
template <class T, class Index>
__device__ void fill_and_read(const T* a, T* b, T* s, int count, Index index) {
  for (int i = threadIdx.x; i < count; i += 32) s[i] = a[i];
  __syncthreads();
  b[threadIdx.x] = s[index(threadIdx.x)];
}

__global__ void read_float_stride_2(const float* a, float* b) {
  __shared__ float s[64];
  fill_and_read(a, b, s, 64, [](int t) { return 2 * t; });
}
__global__ void read_float_stride_8(const float* a, float* b) {
  __shared__ float s[256];
  fill_and_read(a, b, s, 256, [](int t) { return 8 * t; });
}
__global__ void read_float_stride_3(const float* a, float* b) {
  __shared__ float s[96];
  fill_and_read(a, b, s, 96, [](int t) { return 3 * t; });
}
__global__ void read_float_broadcast(const float* a, float* b) {
  __shared__ float s[64];
  fill_and_read(a, b, s, 64, [](int) { return 5; });
}
__global__ void read_float_two_words_of_a_bank(const float* a, float* b) {
  __shared__ float s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t % 2 * 32; });
}
__global__ void read_double_stride_2(const double* a, double* b) {
  __shared__ double s[64];
  fill_and_read(a, b, s, 64, [](int t) { return 2 * t; });
}
__global__ void read_double_broadcast(const double* a, double* b) {
  __shared__ double s[64];
  fill_and_read(a, b, s, 64, [](int) { return 5; });
}
__global__ void read_double_by_pairs(const double* a, double* b) {
  __shared__ double s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t / 2; });
}
__global__ void read_double_by_fours(const double* a, double* b) {
  __shared__ double s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t / 4; });
}
__global__ void read_double_alternating(const double* a, double* b) {
  __shared__ double s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t % 2; });
}
__global__ void read_double_by_half_warps(const double* a, double* b) {
  __shared__ double s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t % 16; });
}
__global__ void read_double_two_rows(const double* a, double* b) {
  __shared__ double s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t / 16 * 16; });
}
__global__ void read_double2(const double2* a, double2* b) {
  __shared__ double2 s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t; });
}
__global__ void read_double2_reversed(const double2* a, double2* b) {
  __shared__ double2 s[64];
  fill_and_read(a, b, s, 64, [](int t) { return 31 - t; });
}
__global__ void read_float4_stride_9(const float4* a, float4* b) {
  __shared__ float4 s[288];
  fill_and_read(a, b, s, 288, [](int t) { return 9 * t; });
}
__global__ void read_float4_stride_2(const float4* a, float4* b) {
  __shared__ float4 s[64];
  fill_and_read(a, b, s, 64, [](int t) { return 2 * t; });
}
__global__ void read_float4_broadcast(const float4* a, float4* b) {
  __shared__ float4 s[64];
  fill_and_read(a, b, s, 64, [](int) { return 5; });
}
__global__ void read_float4_by_pairs(const float4* a, float4* b) {
  __shared__ float4 s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t / 2; });
}
__global__ void read_float4_by_eights(const float4* a, float4* b) {
  __shared__ float4 s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t / 8; });
}
__global__ void read_byte(const unsigned char* a, unsigned char* b) {
  __shared__ unsigned char s[64];
  fill_and_read(a, b, s, 64, [](int t) { return t; });
}
__global__ void read_dynamic(const float* a, float* b) {
  extern __shared__ float dynamic[];
  fill_and_read(a, b, dynamic, 128, [](int t) { return 4 * t; });
}

int main() {
  char *a, *b;
  cudaMalloc(&a, 65536);
  cudaMalloc(&b, 65536);
  cudaMemset(a, 0, 65536);
  const dim3 tile(32, 32);
  auto *da = reinterpret_cast<double*>(a), *db = reinterpret_cast<double*>(b);
  auto *fa = reinterpret_cast<float*>(a), *fb = reinterpret_cast<float*>(b);
  auto *d2a = reinterpret_cast<double2*>(a), *d2b = reinterpret_cast<double2*>(b);
  auto *f4a = reinterpret_cast<float4*>(a), *f4b = reinterpret_cast<float4*>(b);
  transpose_double<<<1, tile>>>(da, db);
  transpose_double_padded<<<1, tile>>>(da, db);
  transpose_float<<<1, tile>>>(fa, fb);
  transpose_float_padded<<<1, tile>>>(fa, fb);
  transpose_float_swizzled<<<1, tile>>>(fa, fb);
  read_float_stride_2<<<1, 32>>>(fa, fb);
  read_float_stride_8<<<1, 32>>>(fa, fb);
  read_float_stride_3<<<1, 32>>>(fa, fb);
  read_float_broadcast<<<1, 32>>>(fa, fb);
  read_float_two_words_of_a_bank<<<1, 32>>>(fa, fb);
  read_double_stride_2<<<1, 32>>>(da, db);
  read_double_broadcast<<<1, 32>>>(da, db);
  read_double_by_pairs<<<1, 32>>>(da, db);
  read_double_by_fours<<<1, 32>>>(da, db);
  read_double_alternating<<<1, 32>>>(da, db);
  read_double_by_half_warps<<<1, 32>>>(da, db);
  read_double_two_rows<<<1, 32>>>(da, db);
  read_double2<<<1, 32>>>(d2a, d2b);
  read_double2_reversed<<<1, 32>>>(d2a, d2b);
  read_float4_stride_9<<<1, 32>>>(f4a, f4b);
  read_float4_stride_2<<<1, 32>>>(f4a, f4b);
  read_float4_broadcast<<<1, 32>>>(f4a, f4b);
  read_float4_by_pairs<<<1, 32>>>(f4a, f4b);
  read_float4_by_eights<<<1, 32>>>(f4a, f4b);
  read_byte<<<1, 32>>>(reinterpret_cast<unsigned char*>(a), reinterpret_cast<unsigned char*>(b));
  read_dynamic<<<1, 32, 512>>>(fa, fb);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
}
