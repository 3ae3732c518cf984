// Kernels that are right, slow, gaming, or wrong where only a watched run sees it.

#undef NDEBUG  // a release build would leave the assertion out
#include <cassert>
#include <cstdlib>
#include <stdexcept>

#include "common/device/cuda.hpp"
#include "probe.hpp"

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

// Each useless load is a request of one sector where an honest one has eight: sectors a request look better.
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
  for (volatile int i = 0;; i = i + 1) {
  }
}
void races_and_throws(const Problem& p) {
  with(twice_with_race, p);
  throw std::runtime_error("the step gives up");
}
void reads_beyond(const Problem& p) {
  with(twice_beyond, p);
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
  std::abort();
}
void kernel_asserts(const Problem& p) {
  with(twice_with_assertion, p);
}
void copies_too_much(const Problem& p) {
  ladder::check(cudaMemcpy(p.y, p.x, (p.n + 1) * sizeof(double), cudaMemcpyDeviceToDevice));
}

}  // namespace probe
