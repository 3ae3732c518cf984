// Small programs as students write them: products, transposes, reductions, a histogram, a stencil. Each
// kernel is launched once; main() checks the results.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void axpy_grid_stride(int n, double alpha, const double* x, double* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] += alpha * x[i];
}

__global__ void dgemm_naive(int n, const double* A, const double* B, double* C) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int p = 0; p < n; ++p) sum += A[row * n + p] * B[p * n + col];
  C[row * n + col] = sum;
}

// Rows and columns confused: neighbouring lanes read different rows.
__global__ void dgemm_uncoalesced(int n, const double* A, const double* B, double* C) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  double sum = 0;
  for (int p = 0; p < n; ++p) sum += A[row * n + p] * B[p * n + col];
  C[row * n + col] = sum;
}

template <int T>
__device__ void dgemm_tile(int n, const double* A, const double* B, double* C) {
  __shared__ double As[T][T], Bs[T][T];
  const int i = threadIdx.y, j = threadIdx.x, row = blockIdx.y * T + i, col = blockIdx.x * T + j;
  double sum = 0;
  for (int tile = 0; tile < n; tile += T) {
    As[i][j] = A[row * n + tile + j];
    Bs[i][j] = B[(tile + i) * n + col];
    __syncthreads();
    for (int p = 0; p < T; ++p) sum += As[i][p] * Bs[p][j];
    __syncthreads();
  }
  C[row * n + col] = sum;
}
__global__ void dgemm_tiled_32(int n, const double* A, const double* B, double* C) {
  dgemm_tile<32>(n, A, B, C);
}
__global__ void dgemm_tiled_16(int n, const double* A, const double* B, double* C) {
  dgemm_tile<16>(n, A, B, C);
}

__global__ void transpose_naive(int n, const double* a, double* b) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  b[x * n + y] = a[y * n + x];
}

__global__ void transpose_tiled(int n, const double* a, double* b) {
  __shared__ double tile[32][33];
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += 8) tile[row][threadIdx.x] = a[(y + row) * n + x + threadIdx.x];
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += 8) b[(x + row) * n + y + threadIdx.x] = tile[threadIdx.x][row];
}

__global__ void reduce_tree(const double* x, double* sums) {
  __shared__ double s[256];
  const int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int width = 128; width > 0; width /= 2) {
    if (t < width) s[t] += s[t + width];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// The tree of the textbook's first version: lanes with gaps between them.
__global__ void reduce_interleaved(const double* x, double* sums) {
  __shared__ double s[256];
  const int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

__global__ void reduce_shuffle(const double* x, double* sums) {
  __shared__ double s[8];
  const int t = threadIdx.x;
  double sum = x[blockIdx.x * 256 + t];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < 8 ? s[t] : 0;
    for (int lanes = 4; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (t == 0) sums[blockIdx.x] = sum;
  }
}

__global__ void histogram_shared(int n, const unsigned char* data, unsigned* bins) {
  __shared__ unsigned h[64];
  if (threadIdx.x < 64) h[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&h[data[i]], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

__global__ void histogram_global(int n, const unsigned char* data, unsigned* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1u);
}

__constant__ double weights[3];
__global__ void stencil(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1) return;
  y[i] = weights[0] * x[i - 1] + weights[1] * x[i] + weights[2] * x[i + 1];
}

__device__ double table[256];
__global__ void device_variable(const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * table[threadIdx.x];
}

namespace {

int wrong = 0;

void expect(const char* what, double got, double expected) {
  if (got == expected) return;
  std::printf("%s: expected %g, got %g\n", what, expected, got);
  ++wrong;
}

struct Memory {
  explicit Memory(size_t bytes) : bytes(bytes) {
    cudaMalloc(&pointer, bytes);
    cudaMemset(pointer, 0, bytes);
  }
  ~Memory() { cudaFree(pointer); }
  Memory(const Memory&) = delete;
  double* doubles() const { return reinterpret_cast<double*>(pointer); }
  std::vector<double> values() const {
    std::vector<double> result(bytes / sizeof(double));
    cudaMemcpy(result.data(), pointer, bytes, cudaMemcpyDeviceToHost);
    return result;
  }
  size_t bytes;
  char* pointer;
};

void products() {
  constexpr int n = 64;
  std::vector<double> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 13;
    b[i] = i % 7 - 3;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int p = 0; p < n; ++p) c[i * n + j] += a[i * n + p] * b[p * n + j];
  const Memory A(n * n * 8), B(n * n * 8), C(n * n * 8);
  cudaMemcpy(A.pointer, a.data(), A.bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(B.pointer, b.data(), B.bytes, cudaMemcpyHostToDevice);
  const dim3 wide(n / 32, n / 32), square(32, 32);
  dgemm_naive<<<wide, square>>>(n, A.doubles(), B.doubles(), C.doubles());
  expect("dgemm_naive", C.values() == c, true);
  dgemm_uncoalesced<<<wide, square>>>(n, A.doubles(), B.doubles(), C.doubles());
  expect("dgemm_uncoalesced", C.values() == c, true);
  dgemm_tiled_32<<<wide, square>>>(n, A.doubles(), B.doubles(), C.doubles());
  expect("dgemm_tiled_32", C.values() == c, true);
  dgemm_tiled_16<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(n, A.doubles(), B.doubles(), C.doubles());
  expect("dgemm_tiled_16", C.values() == c, true);
  transpose_naive<<<wide, square>>>(n, A.doubles(), C.doubles());
  expect("transpose_naive", C.values()[5], a[5 * n]);
  transpose_tiled<<<wide, dim3(32, 8)>>>(n, A.doubles(), C.doubles());
  expect("transpose_tiled", C.values()[5], a[5 * n]);
}

void vectors() {
  constexpr int n = 4096;
  std::vector<double> x(n);
  double total = 0;
  for (int i = 0; i < n; ++i) total += x[i] = i % 17;
  const Memory X(n * 8), Y(n * 8);
  cudaMemcpy(X.pointer, x.data(), X.bytes, cudaMemcpyHostToDevice);
  axpy_grid_stride<<<4, 128>>>(n, 2, X.doubles(), Y.doubles());
  expect("axpy_grid_stride", Y.values()[n - 1], 2 * x[n - 1]);
  const auto sum = [&] {
    double result = 0;
    for (int i = 0; i < n / 256; ++i) result += Y.values()[i];
    return result;
  };
  reduce_tree<<<n / 256, 256>>>(X.doubles(), Y.doubles());
  expect("reduce_tree", sum(), total);
  reduce_interleaved<<<n / 256, 256>>>(X.doubles(), Y.doubles());
  expect("reduce_interleaved", sum(), total);
  reduce_shuffle<<<n / 256, 256>>>(X.doubles(), Y.doubles());
  expect("reduce_shuffle", sum(), total);
  const double w[3] = {1, -2, 1};
  cudaMemcpyToSymbol(weights, w, sizeof w);
  stencil<<<n / 256, 256>>>(n, X.doubles(), Y.doubles());
  expect("stencil", Y.values()[18], x[17] - 2 * x[18] + x[19]);
  std::vector<double> ones(256, 3.0);
  cudaMemcpyToSymbol(table, ones.data(), 256 * 8);
  device_variable<<<n / 256, 256>>>(X.doubles(), Y.doubles());
  expect("device_variable", Y.values()[4], 3 * x[4]);
}

void histograms() {
  constexpr int n = 8192;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> bins(64), expected(64);
  for (int i = 0; i < n; ++i) ++expected[data[i] = static_cast<unsigned char>(i * 7 % 61 % 64)];
  const Memory D(n), H(64 * 4);
  cudaMemcpy(D.pointer, data.data(), n, cudaMemcpyHostToDevice);
  auto* in = reinterpret_cast<unsigned char*>(D.pointer);
  auto* out = reinterpret_cast<unsigned*>(H.pointer);
  histogram_shared<<<8, 128>>>(n, in, out);
  cudaMemcpy(bins.data(), out, 64 * 4, cudaMemcpyDeviceToHost);
  expect("histogram_shared", bins == expected, true);
  cudaMemset(out, 0, 64 * 4);
  histogram_global<<<8, 128>>>(n, in, out);
  cudaMemcpy(bins.data(), out, 64 * 4, cudaMemcpyDeviceToHost);
  expect("histogram_global", bins == expected, true);
}

}  // namespace

int main() {
  products();
  vectors();
  histograms();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return wrong > 0;
}
