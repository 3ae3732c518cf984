// Kernels that are right, slow, gaming, or wrong where only a watched run sees it.

#undef NDEBUG  // a release build would leave the assertion out
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace probe {
namespace {

constexpr int threads = 64;

__global__ void twice_coalesced(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

// Neighbouring threads are a column apart.
__global__ void twice_strided(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int rows = n / 32;
  const int j = i < rows * 32 ? i % 32 * rows + i / 32 : i;
  if (i < n) y[j] = 2 * x[j];
}

// Each useless load is a request of one sector where an honest one has eight: sectors per request look
// better.
__global__ void twice_with_broadcasts(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 8; ++k) sum += static_cast<const volatile double*>(x)[0];
  if (i < n) y[i] = 2 * x[i] + (sum == 12345 ? 1 : 0);
}

// Right where threads run one after the other: nothing makes a thread wait for its neighbour.
__global__ void twice_with_race(int n, const double* x, double* y) {
  __shared__ double tile[threads];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? x[i] : 0;
  if (t > 0 && i - 1 < n) y[i - 1] = 2 * tile[t - 1];
  if (t == threads - 1 && i < n) y[i] = 2 * tile[t];
  if (i == n - 1 && t < threads - 1) y[i] = 2 * tile[t];
}

__global__ void twice_beyond(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n && x[i] != 12345 && i < n) y[i] = 2 * x[i];
}

// As a skeleton has it.
__global__ void twice_to_be_written([[maybe_unused]] int n, [[maybe_unused]] const double* x,
                                    [[maybe_unused]] double* y) {
  // TASK, 2 lines: one thread doubles one element.
  ladder::task();
}

// A mistake of the step itself.
__global__ void twice_with_assertion(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(x[i] == 12345);
  y[i] = 2 * x[i];
}

__global__ void twice_and_print(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 2 * x[i];
  printf("element %d\n", i);
}

// The condition never becomes false; each thread has its own element before that. volatile: compilers move a
// comparison whose values cannot change out of its loop.
__global__ void twice_and_halve(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
  if (i == 0)
    for (volatile int half = threads / 2; half >= 0; half = half / 2) y[0] = 2 * x[0];
}

// The step is forgotten in the condition's index: its operands stay, and something else counts.
__global__ void twice_and_count(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = i;
  for (volatile int j = i; j < n; t += threads) y[j] = 2 * x[j] + 0 * t;
}

// Nobody says that it is ready: all threads of the block meet at a barrier again and again.
__global__ void twice_and_wait(int n, const double* x, double* y) {
  __shared__ int ready;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  while (ready == 0) {
    if (i < n) y[i] = 2 * x[i];
    __syncthreads();
  }
}

// The same without an access in the loop.
__global__ void twice_and_meet(int n, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
  for (volatile int half = threads / 2; half >= 0; half = half / 2) __syncthreads();
}

// All lanes write what only one may.
__global__ void twice_by_all_lanes(int n, const double* x, double* y) {
  __shared__ double mine;
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  mine = i < n ? 2 * x[i] : 0;
  __syncwarp();
  if (t == 0 && i < n) y[i] = mine;
  __syncwarp();
  if (t > 0 && i < n) y[i] = 2 * x[i];
}

template <class Kernel>
void with(Kernel kernel, const Problem& p) {
  ladder::DeviceBuffer<double> x(p.n), y(p.n);
  const std::size_t bytes = p.n * sizeof(double);
  ladder::check(cudaMemcpy(x.get(), p.x, bytes, cudaMemcpyHostToDevice));
  kernel<<<(p.n + threads - 1) / threads, threads>>>(p.n, x.get(), y.get());
  ladder::check(cudaGetLastError());
  ladder::check(cudaMemcpy(p.y, y.get(), bytes, cudaMemcpyDeviceToHost));
}

}  // namespace

void coalesced(const Problem& p) {
  with(twice_coalesced, p);
}
void strided(const Problem& p) {
  with(twice_strided, p);
}
void broadcasts(const Problem& p) {
  with(twice_with_broadcasts, p);
}
void computes_on_host(const Problem& p) {
  for (int i = 0; i < p.n; ++i) p.y[i] = 2 * p.x[i];
}
void races(const Problem& p) {
  with(twice_with_race, p);
}
void races_and_aborts(const Problem& p) {
  with(twice_with_race, p);
  std::abort();
}
void races_and_hangs(const Problem& p) {
  with(twice_with_race, p);
  for (;;) pause();  // a loop that computes would say no more, and keep a core until its time is up
}
void races_and_throws(const Problem& p) {
  with(twice_with_race, p);
  throw std::runtime_error("the rung gives up");
}
void reads_beyond(const Problem& p) {
  with(twice_beyond, p);
}
void right_resident(const Problem& p) {
  twice_coalesced<<<(p.n + threads - 1) / threads, threads>>>(p.n, p.x, p.y);
}
void leaves_on_device(const Problem& p) {
  const ladder::DeviceBuffer<double> x(p.n);
  ladder::check(cudaMemcpy(x.get(), p.x, x.bytes(), cudaMemcpyHostToDevice));
  twice_coalesced<<<(p.n + threads - 1) / threads, threads>>>(p.n, x.get(), p.y);
}
void reads_beyond_resident(const Problem& p) {
  twice_beyond<<<(p.n + threads - 1) / threads, threads>>>(p.n, p.x, p.y);
}
void kernel_not_started(const Problem& p) {
  with(twice_to_be_written, p);
}
void kernel_not_started_unchecked(const Problem& p) {
  twice_to_be_written<<<(p.n + threads - 1) / threads, threads>>>(p.n, nullptr, nullptr);
}
void kernel_not_started_aborts(const Problem& p) {
  kernel_not_started_unchecked(p);
  static_cast<void>(cudaDeviceSynchronize());
  std::abort();
}
void prints(const Problem& p) {
  with(twice_and_print, p);
}
void prints_and_is_wrong(const Problem& p) {
  with(twice_and_print, p);
  p.y[p.n - 1] = 7;
}
void halves_for_ever(const Problem& p) {
  with(twice_and_halve, p);
}
void counts_for_ever(const Problem& p) {
  with(twice_and_count, p);
}
void waits_for_ever(const Problem& p) {
  with(twice_and_wait, p);
}
void meets_for_ever(const Problem& p) {
  with(twice_and_meet, p);
}
void lets_all_lanes_write(const Problem& p) {
  ladder::DeviceBuffer<double> x(p.n), y(p.n);
  ladder::check(cudaMemcpy(x.get(), p.x, x.bytes(), cudaMemcpyHostToDevice));
  twice_by_all_lanes<<<(p.n + 31) / 32, 32>>>(p.n, x.get(), y.get());
  ladder::check(cudaGetLastError());
  ladder::check(cudaMemcpy(p.y, y.get(), y.bytes(), cudaMemcpyDeviceToHost));
}
void copies_elements(const Problem& p) {
  ladder::DeviceBuffer<double> x(p.n), y(p.n);
  ladder::check(cudaMemcpy(x.get(), p.x, x.bytes(), cudaMemcpyHostToDevice));
  twice_coalesced<<<(p.n + threads - 1) / threads, threads>>>(p.n, x.get(), y.get());
  ladder::check(cudaGetLastError());
  ladder::check(cudaMemcpy(p.y, y.get(), p.n, cudaMemcpyDeviceToHost));
}
void launches_too_much(const Problem& p) {
  ladder::DeviceBuffer<double> x(p.n), y(p.n);
  ladder::check(cudaMemcpy(x.get(), p.x, x.bytes(), cudaMemcpyHostToDevice));
  twice_coalesced<<<1, 2048>>>(p.n, x.get(), y.get());
  static_cast<void>(cudaMemcpy(p.y, y.get(), y.bytes(), cudaMemcpyDeviceToHost));
}
void kernel_asserts(const Problem& p) {
  with(twice_with_assertion, p);
}
void copies_too_much(const Problem& p) {
  ladder::check(cudaMemcpy(p.y, p.x, (p.n + 1) * sizeof(double), cudaMemcpyDeviceToDevice));
}

}  // namespace probe
