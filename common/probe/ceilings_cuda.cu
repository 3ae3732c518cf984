/// @file
/// ceilings-cuda [DEVICE]: how fast a CUDA GPU copies, computes, transfers and launches, and how long its
/// memories take to answer (latencies.cuh), one line of JSON each. Compiled by the executor it is
/// ceilings-executor: there only a launch means something (argument "launches").

#include <cuda_runtime.h>

#include <cstring>
#include <memory>
#include <string>

#include "common/device/cuda.hpp"
#include "common/probe/latencies.cuh"
#include "common/probe/sample.hpp"

using namespace ladder::probe;
using ladder::check;

namespace {

__global__ void nothing() {}

__global__ void copy_kernel(const double2* from, double2* to, size_t count) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < count) to[i] = from[i];
}

/// Past the first-level cache. In each pass a block reads what another has read before.
__global__ void read_kernel(const double2* from, double2* out, unsigned count, int passes) {
  double2 sum{};
  const unsigned threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int p = 0; p < passes; ++p) {
    const unsigned shift = p * 7 * blockDim.x % count;
    for (unsigned i = me; i < count; i += threads) {
      const double2 one = __ldcg(&from[i + shift < count ? i + shift : i + shift - count]);
      sum.x += one.x, sum.y += one.y;
    }
  }
  if (sum.x == 12345.678) out[0] = sum;
}

/// Eight independent chains, so that the latency of a multiply-add is hidden.
template <class T>
__global__ void multiply_add_kernel(T* out, T a, T b, int rounds) {
  T x[8];
  for (int c = 0; c < 8; ++c) x[c] = b * T(c) + T(threadIdx.x);
  for (int r = 0; r < rounds; ++r) {
    for (int c = 0; c < 8; ++c) x[c] = x[c] * a + b;  // a multiply-add of the hardware
  }
  T sum = 0;
  for (int c = 0; c < 8; ++c) sum += x[c];
  // The compiler must not find out that nobody needs the result.
  if (sum == T(12345)) out[0] = sum;
}

/// Products of small matrices on tensor cores, in four independent chains.
/// @param out  1: the operations of one product of a warp; 0 where there are no such cores
__global__ void tensor_kernel(double* out, [[maybe_unused]] double a, [[maybe_unused]] double b, int rounds) {
#if !defined(LADDER_EXECUTOR) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  // The large shape: with m8n8k4 an H100 gets half as far.
  double c[4][4]{};
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < 4; ++i)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %4, %4, %4, %4, %4, %4, "
          "%4}, "
          "{%5, %5, %5, %5}, {%0, %1, %2, %3};"
          : "+d"(c[i][0]), "+d"(c[i][1]), "+d"(c[i][2]), "+d"(c[i][3])
          : "d"(a), "d"(b));
  }
  const double operations = 2.0 * 16 * 8 * 16, sum = c[0][0] + c[1][1] + c[2][2] + c[3][3];
#elif !defined(LADDER_EXECUTOR) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  double c[4][2]{};
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < 4; ++i)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(c[i][0]), "+d"(c[i][1])
                   : "d"(a), "d"(b));
  }
  const double operations = 2.0 * 8 * 8 * 4, sum = c[0][0] + c[1][1] + c[2][0] + c[3][1];
#else
  const double operations = 0, sum = a + b + rounds;
#endif
  if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = operations;
  if (sum == 12345.678) out[1] = sum;
}

void copy() {
  size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total));
  const size_t max = std::min(available / 8, size_t{4} << 30);
  size_t bytes = size_t{64} << 20;
  while (bytes * 2 <= max) bytes *= 2;
  const ladder::DeviceBuffer<double2> from(bytes / sizeof(double2)), to(bytes / sizeof(double2));
  check(cudaMemset(from.get(), 0, bytes));
  const auto times = times_of([&] {
    copy_kernel<<<(from.size() + 255) / 256, 256>>>(from.get(), to.get(), from.size());
    finish();
  });
  print("copy", "byte/s", rates(2.0 * bytes, times),
        "kernel that copies " + mebibytes(bytes) + ", read and written bytes");
}

void read(const char* what, size_t bytes, int passes) {
  const ladder::DeviceBuffer<double2> from(bytes / sizeof(double2)), out(1);
  check(cudaMemset(from.get(), 0, bytes));
  const int blocks = 16 * attribute(cudaDevAttrMultiProcessorCount);
  const auto times = times_of([&] {
    read_kernel<<<blocks, 256>>>(from.get(), out.get(), static_cast<unsigned>(from.size()), passes);
    finish();
  });
  print(what, "byte/s", rates(double(bytes) * passes, times),
        "kernel that reads " + mebibytes(bytes) + ", " + std::to_string(passes) +
            (passes == 1 ? " pass" : " passes"));
}

/// Its size, and how fast it is read: a part of it that surely stays there.
void second_level_cache() {
  const double bytes = attribute(cudaDevAttrL2CacheSize);
  print("caches", "byte", {bytes}, "L2");
  read("read in cache", size_t(bytes) / 4, 200);
}

template <class T>
void peak(const char* what, const char* unit, T a, T b) {
  const ladder::DeviceBuffer<T> out(1);
  const int rounds = 1 << 16, blocks = 16 * attribute(cudaDevAttrMultiProcessorCount), threads = 256;
  const auto times = times_of([&] {
    multiply_add_kernel<T><<<blocks, threads>>>(out.get(), a, b, rounds);
    finish();
  });
  print(what, unit, rates(2.0 * 8 * rounds * blocks * threads, times),
        "independent chains of multiply-adds in registers");
}

void tensor_peak() {
  const ladder::DeviceBuffer<double> out(2);
  const int rounds = 1 << 12, blocks = 8 * attribute(cudaDevAttrMultiProcessorCount), threads = 256;
  const auto times = times_of([&] {
    tensor_kernel<<<blocks, threads>>>(out.get(), 0.999999, 1e-6, rounds);
    finish();
  });
  double operations = 0;  // of one product
  check(cudaMemcpy(&operations, out.get(), sizeof operations, cudaMemcpyDeviceToHost));
  if (operations == 0) return;
  print("double tensor-core multiply-add", "flop/s",
        rates(operations * 4 * rounds * blocks * threads / 32, times),
        "products of " + std::string(operations > 1000 ? "16 x 16 and 16 x 8" : "8 x 4 and 4 x 8") +
            " matrices");
}

void transfers(bool pinned) {
  const size_t bytes = size_t{64} << 20;
  const ladder::DeviceBuffer<char> there(bytes);
  const ladder::PinnedBuffer<char> page_locked(pinned ? bytes : 0);
  const std::unique_ptr<char[]> pageable(new char[bytes]);
  char* here = pinned ? page_locked.get() : pageable.get();
  std::memset(here, 1, bytes);
  const std::string how = mebibytes(bytes) + (pinned ? " of cudaMallocHost memory" : " of ordinary memory");
  const auto to = times_of([&] {
    check(cudaMemcpy(there.get(), here, bytes, cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
  });
  print(pinned ? "to the device, pinned" : "to the device, pageable", "byte/s", rates(bytes, to), how);
  const auto back = times_of([&] { check(cudaMemcpy(here, there.get(), bytes, cudaMemcpyDeviceToHost)); });
  print(pinned ? "from the device, pinned" : "from the device, pageable", "byte/s", rates(bytes, back), how);
}

void launches() {
  const auto one = times_of([] {
    nothing<<<1, 1>>>();
    finish();
  });
  print("launch and wait", "s", one, "empty kernel, cudaDeviceSynchronize after each");
  const int batch = 100;
  auto times = times_of([] {
    for (int i = 0; i < batch; ++i) nothing<<<1, 1>>>();
    finish();
  });
  for (double& t : times) t /= batch;
  print("launch in a row", "s", times, "empty kernel, one cudaDeviceSynchronize after 100");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string argument = count > 1 ? arguments[1] : "0";
  if (argument == "launches") {
    attempt("launch", launches);
    latencies();
    return 0;
  }
  attempt("device", [&] {
    check(cudaSetDevice(std::stoi(argument)));
    attempt("copy", copy);
    attempt("read", [] { read("read", size_t{1} << 30, 1); });
    attempt("read in cache", second_level_cache);
    attempt("double multiply-add", [] { peak("double multiply-add", "flop/s", 0.999999, 1e-6); });
    attempt("float multiply-add", [] { peak("float multiply-add", "flop/s", 0.999999f, 1e-6f); });
    attempt("integer multiply-add", [] { peak("integer multiply-add", "op/s", 3u, 5u); });
    attempt("double tensor-core multiply-add", tensor_peak);
    if (attribute(cudaDevAttrIntegrated) ==
        0) {  // else the memory is the host's, and nothing has to be copied
      attempt("transfers, pinned", [] { transfers(true); });
      attempt("transfers, pageable", [] { transfers(false); });
    }
    attempt("launch", launches);
    latencies();
    attempt("reads by warps", reads_by_warps);
  });
}
