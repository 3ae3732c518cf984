/// @file
/// ceilings-cuda [DEVICE]: how fast a CUDA GPU copies, computes, transfers and launches, one line of JSON a
/// ceiling. Compiled by the executor it is ceilings-executor: there only a launch means something (argument
/// "launches").

#include <cuda_runtime.h>

#include <cstring>
#include <memory>
#include <string>

#include "common/device/cuda.hpp"
#include "common/tool/probe/sample.hpp"

using namespace ladder::probe;
using ladder::check;

namespace {

__global__ void nothing() {}

__global__ void copy_kernel(const double2* from, double2* to, size_t count) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < count) to[i] = from[i];
}

/// Eight independent chains, so that the latency of a multiply-add is hidden.
__global__ void multiply_add_kernel(double* out, double a, double b, int rounds) {
  double x[8];
  for (int c = 0; c < 8; ++c) x[c] = b * c + threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    for (int c = 0; c < 8; ++c) x[c] = fma(x[c], a, b);
  }
  double sum = 0;
  for (int c = 0; c < 8; ++c) sum += x[c];
  // The compiler must not find out that nobody needs the result.
  if (sum == 12345.678) out[0] = sum;
}

void finish() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

void copy() {
  size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total));
  const size_t most = std::min(available / 8, size_t{4} << 30);
  size_t bytes = size_t{64} << 20;
  while (bytes * 2 <= most) bytes *= 2;
  const ladder::DeviceBuffer<double2> from(bytes / sizeof(double2)), to(bytes / sizeof(double2));
  check(cudaMemset(from.get(), 0, bytes));
  const auto times = times_of([&] {
    copy_kernel<<<(from.size() + 255) / 256, 256>>>(from.get(), to.get(), from.size());
    finish();
  });
  print("copy", "byte/s", rates(2.0 * bytes, times),
        "kernel that copies " + mebibytes(bytes) + ", read and written bytes");
}

void peak() {
  int device = 0, multiprocessors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const ladder::DeviceBuffer<double> out(1);
  const int rounds = 1 << 16, blocks = 16 * multiprocessors, threads = 256;
  const auto times = times_of([&] {
    multiply_add_kernel<<<blocks, threads>>>(out.get(), 0.999999, 1e-6, rounds);
    finish();
  });
  print("double multiply-add", "flop/s", rates(2.0 * 8 * rounds * blocks * threads, times),
        "independent chains of fma in registers");
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
    return 0;
  }
  attempt("device", [&] {
    check(cudaSetDevice(std::stoi(argument)));
    attempt("copy", copy);
    attempt("double multiply-add", peak);
    attempt("transfers, pinned", [] { transfers(true); });
    attempt("transfers, pageable", [] { transfers(false); });
    attempt("launch", launches);
  });
}
