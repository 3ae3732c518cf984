/// @file
/// Programs as lessons have them: every result is compared with a loop on the host. Also for nvcc.

#include <cooperative_groups.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

namespace cg = cooperative_groups;
using ladder::check;

std::vector<double> numbers(int count, int period) {
  std::vector<double> values(count);
  for (int i = 0; i < count; ++i) values[i] = i % period - period / 2;
  return values;
}

template <class T>
ladder::DeviceBuffer<T> on_device(const std::vector<T>& values) {
  ladder::DeviceBuffer<T> buffer(values.size());
  check(cudaMemcpy(buffer.get(), values.data(), buffer.bytes(), cudaMemcpyHostToDevice));
  return buffer;
}

template <class T>
std::vector<T> on_host(const ladder::DeviceBuffer<T>& buffer) {
  std::vector<T> values(buffer.size());
  check(cudaMemcpy(values.data(), buffer.get(), buffer.bytes(), cudaMemcpyDeviceToHost));
  return values;
}

// ---------------------------------------------------------------- matrix product

__global__ void naive(const double* A, const double* B, double* C, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + column];
  C[row * n + column] = sum;
}

template <int T, class Real>
__global__ void __launch_bounds__(T* T)
    tiled(const Real* __restrict__ A, const Real* __restrict__ B, Real* C, int n) {
  __shared__ Real As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  Real sum = 0;
  for (int tile = 0; tile < (n + T - 1) / T; ++tile) {
    const int k = tile * T;
    As[ty][tx] = row < n && k + tx < n ? A[row * n + k + tx] : 0;
    Bs[ty][tx] = k + ty < n && column < n ? B[(k + ty) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  if (row < n && column < n) C[row * n + column] = sum;
}

bool products() {
  const int n = 70;  // not a multiple of a tile
  const std::vector<double> A = numbers(n * n, 7), B = numbers(n * n, 5);
  std::vector<double> expected(n * n, 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) expected[i * n + j] += A[i * n + k] * B[k * n + j];
  const auto dA = on_device(A), dB = on_device(B);
  ladder::DeviceBuffer<double> dC(n * n);
  naive<<<dim3(9, 9), dim3(8, 8)>>>(dA.get(), dB.get(), dC.get(), n);
  check(cudaGetLastError());
  bool right = on_host(dC) == expected;
  tiled<32><<<dim3(3, 3), dim3(32, 32)>>>(dA.get(), dB.get(), dC.get(), n);
  right = right && on_host(dC) == expected;
  tiled<(1 << 4), double><<<dim3(5, 5), dim3(16, 16)>>>(dA.get(), dB.get(), dC.get(), n);
  return right && on_host(dC) == expected;
}

// ---------------------------------------------------------------- warps

__device__ double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void sum(const double* x, double* result, int n) {
  extern __shared__ double part[];
  double value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += x[i];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  value = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicAdd(result, value);
}

bool reduction() {
  const std::vector<double> x = numbers(10000, 11);
  double expected = 0;
  for (const double value : x) expected += value;
  const auto dx = on_device(x), result = on_device(std::vector<double>(1, 0.0));
  sum<<<8, 256, 256 / 32 * sizeof(double)>>>(dx.get(), result.get(), static_cast<int>(x.size()));
  return on_host(result)[0] == expected;
}

/// One number a lane from each warp function; compared with the same rules on the host.
__global__ void warp_functions(int* out) {
  const unsigned all = 0xffffffffu;
  const int lane = threadIdx.x % 32;
  int* mine = out + threadIdx.x * 12;
  mine[0] = __shfl_sync(all, lane * 3, 5);
  mine[1] = __shfl_sync(all, lane, 3, 8);
  mine[2] = __shfl_up_sync(all, lane, 2);
  mine[3] = __shfl_xor_sync(all, lane, 5);
  mine[4] = __popc(__ballot_sync(all, lane % 3 == 0));
  mine[5] = __any_sync(all, lane == 31) + 2 * __all_sync(all, lane < 32) + 4 * __all_sync(all, lane > 0);
  mine[6] = static_cast<int>(__reduce_add_sync(all, static_cast<unsigned>(lane)));
  mine[7] = __popc(__match_any_sync(all, lane / 4));
  mine[8] = __syncthreads_count(threadIdx.x % 2) + 1000 * __syncthreads_or(threadIdx.x == 40) +
            2000 * __syncthreads_and(threadIdx.x < 40);
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  mine[9] = cg::this_thread_block().thread_rank() == threadIdx.x ? tile.shfl_down(lane, 1) : -1;
  mine[10] = static_cast<int>(tile.ballot(lane % 2)) * 100 + static_cast<int>(tile.meta_group_rank());
  mine[11] = lane;
  if (lane < 16) mine[11] = __shfl_down_sync(0x0000ffffu, lane, 8, 16);
}

bool warps() {
  const auto out = on_device(std::vector<int>(64 * 12, -1));
  warp_functions<<<1, 64>>>(out.get());
  const std::vector<int> values = on_host(out);
  bool right = true;
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32;
    const int expected[12] = {15,
                              lane / 8 * 8 + 3,
                              lane < 2 ? lane : lane - 2,
                              lane ^ 5,
                              11,
                              3,
                              496,
                              4,
                              32 + 1000,
                              lane % 8 == 7 ? lane : lane + 1,
                              0xaa * 100 + t / 8,
                              lane < 8 ? lane + 8 : lane};
    for (int i = 0; i < 12; ++i) {
      if (values[t * 12 + i] == expected[i]) continue;
      std::printf("thread %d, value %d: expected %d, got %d\n", t, i, expected[i], values[t * 12 + i]);
      right = false;
    }
  }
  return right;
}

// ---------------------------------------------------------------- atomics, constants, __device__ variables

__constant__ int bins;
__device__ int blocks_done;

__global__ void histogram(const unsigned char* x, unsigned* counts, int n) {
  extern __shared__ unsigned local[];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[x[i] % bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&counts[i], local[i]);
  if (threadIdx.x == 0) atomicAdd(&blocks_done, 1);
}

bool histograms() {
  const int n = 1 << 16, count = 64, zero = 0;
  std::vector<unsigned char> x(n);
  std::vector<unsigned> expected(count);
  for (int i = 0; i < n; ++i)
    ++expected[(x[i] = static_cast<unsigned char>((i * 2654435761u) >> 24)) % count];
  check(cudaMemcpyToSymbol(bins, &count, sizeof count));
  check(cudaMemcpyToSymbol(blocks_done, &zero, sizeof zero));
  const auto dx = on_device(x);
  const auto counts = on_device(std::vector<unsigned>(count, 0));
  histogram<<<16, 128, /* bytes > 0 >>> */ count * sizeof(unsigned)>>>(dx.get(), counts.get(), n);
  int blocks = 0;
  check(cudaMemcpyFromSymbol(&blocks, blocks_done, sizeof blocks));
  return on_host(counts) == expected && blocks == 16;
}

__global__ void atomics(int* v, unsigned* u, unsigned long long* w) {
  atomicSub(&v[0], 2);
  atomicMax(&v[1], static_cast<int>(threadIdx.x));
  atomicMin(&v[2], static_cast<int>(threadIdx.x));
  atomicOr(&u[0], 1u << (threadIdx.x % 32));
  atomicAnd(&u[1], ~(1u << (threadIdx.x % 8)));
  atomicXor(&u[2], threadIdx.x);
  atomicInc(&u[3], 9);
  atomicDec(&u[4], 9);
  atomicAdd(&w[0], 1ull << 33);
  unsigned long long old = w[1], assumed;
  do {
    assumed = old;
    old = atomicCAS(&w[1], assumed, assumed + 2);
  } while (old != assumed);
}

bool all_atomics() {
  const auto v = on_device(std::vector<int>{0, -1, 100});
  const auto u = on_device(std::vector<unsigned>{0, 0xffffffffu, 0, 0, 3});
  const auto w = on_device(std::vector<unsigned long long>{0, 0});
  atomics<<<1, 64>>>(v.get(), u.get(), w.get());
  return on_host(v) == std::vector<int>{-128, 63, 0} &&
         on_host(u) == std::vector<unsigned>{0xffffffffu, 0xffffff00u, 0, 4, 9} &&
         on_host(w) == std::vector<unsigned long long>{64ull << 33, 128};
}

// ------------------------------------------------------ cooperative launch, exits before a barrier, waiting

__global__ void jacobi(double* a, double* b, int n, int sweeps) {
  const cg::grid_group grid = cg::this_grid();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = 1 + static_cast<int>(grid.thread_rank()); i <= n; i += static_cast<int>(grid.size()))
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    grid.sync();
    double* t = a;
    a = b;
    b = t;
  }
}

bool grid_sync() {
  int n = 1000, sweeps = 10;
  std::vector<double> u(n + 2, 0.0), v(n + 2, 0.0);
  u[0] = v[0] = 1;
  const auto du = on_device(u), dv = on_device(v);
  double *a = du.get(), *b = dv.get();
  void* arguments[] = {&a, &b, &n, &sweeps};
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, jacobi, 64, 0));
  for (int launch = 0; launch < 3; ++launch) {
    check(cudaLaunchCooperativeKernel((void*)jacobi, dim3(4), dim3(64), arguments, 0, nullptr));
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (int i = 1; i <= n; ++i) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
      std::swap(u, v);
    }
  }
  return on_host(du) == u && blocks >= 1;
}

__global__ void reversed(int* x) {
  __shared__ int kept[1024];
  kept[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  x[blockIdx.x * blockDim.x + threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}

/// A wide cooperative grid leaves many workers behind; the blocks of later launches may come to any of them.
bool after_a_wide_grid() {
  int n = 1000, sweeps = 2;
  const auto da = on_device(std::vector<double>(n + 2, 1.0)), db = on_device(std::vector<double>(n + 2, 1.0));
  double *a = da.get(), *b = db.get();
  void* arguments[] = {&a, &b, &n, &sweeps};
  check(cudaLaunchCooperativeKernel((void*)jacobi, dim3(100), dim3(32), arguments, 0, nullptr));
  const auto x = on_device(std::vector<int>(2048, -1));
  for (int launch = 0; launch < 150; ++launch) reversed<<<2, 1024>>>(x.get());
  std::vector<int> expected(2048);
  for (int i = 0; i < 2048; ++i) expected[i] = 1023 - i % 1024;
  return on_host(x) == expected;
}

__global__ void leaves_early(double* x, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  x[i] = 1;
  __syncthreads();
  const double other = x[n - 1 - i];
  __syncthreads();
  x[i] += other;
}

bool early_exit() {
  const auto x = on_device(std::vector<double>(64, 0.0));
  leaves_early<<<1, 64>>>(x.get(), 50);
  const std::vector<double> values = on_host(x);
  return values[49] >= 2 && values[50] == 0;
}

/// A thread waits for a later one of its block; threads take a lock in turn.
__global__ void flag(int* f) {
  if (threadIdx.x == 0) {
    while (atomicAdd(&f[0], 0) == 0) {
    }
    f[2] = f[1];
  }
  if (threadIdx.x == 63) {
    f[1] = 42;
    __threadfence();
    atomicExch(&f[0], 1);
  }
}

__global__ void lock(int* mutex, int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(mutex, 0, 1) != 0) continue;
    __threadfence();
    ++*counter;
    __threadfence();
    atomicExch(mutex, 0);
    done = true;
  }
}

/// A warp waits in a loop of votes for another one, which has begun.
__global__ void warp_flag(volatile int* f) {
  const bool waits = threadIdx.x < 32;
  __shfl_down_sync(~0u, int(threadIdx.x), 1);
  while (waits && !__any_sync(~0u, f[0] != 0)) {
  }
  for (int i = 0; !waits && i < 10; ++i) __shfl_xor_sync(~0u, i, 1);
  if (threadIdx.x == 63) f[0] = 1;
}

bool waiting() {
  const auto f = on_device(std::vector<int>(3, 0));
  flag<<<1, 64>>>(f.get());
  bool right = on_host(f)[2] == 42;
  const auto g = on_device(std::vector<int>(2, 0));
  lock<<<4, 64>>>(g.get(), g.get() + 1);
  const auto h = on_device(std::vector<int>(1, 0));
  warp_flag<<<1, 64>>>(h.get());
  right = right && on_host(h)[0] == 1;
  return right && on_host(g)[1] == 256;
}

__global__ void small_functions(double* out) {
  out[0] = min(3, 4u) + max(2.5, 1.0f);
  out[1] = rsqrt(4.0) + __dmul_rn(2.0, 3.0) + fma(2.0, 3.0, 1.0);
  out[2] = __popc(255u) + __clz(1) + __ffs(8) + __popcll(~0ull) + __brev(1u) / 2147483648.0;
  out[3] = __longlong_as_double(__double_as_longlong(1.5)) + __hiloint2double(0x3ff00000, 0) + __ldg(out);
  const long long before = clock64();
  out[4] = clock64() >= before && clock() != 0;
  out[5] = warpSize + isfinite(out[0]) + float2{1, 2}.y + make_double2(3, 4).x;
}

bool functions() {
  ladder::DeviceBuffer<double> out(6);
  small_functions<<<1, 1>>>(out.get());
  return on_host(out) == std::vector<double>{5.5, 13.5, 8 + 31 + 4 + 64 + 1, 8, 1, 38};
}

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

}  // namespace

int main() {
  report("products", products());
  report("reduction", reduction());
  report("warps", warps());
  report("histograms", histograms());
  report("atomics", all_atomics());
  report("grid sync", grid_sync());
  report("after a wide grid", after_a_wide_grid());
  report("early exit", early_exit());
  report("waiting", waiting());
  report("functions", functions());
}
