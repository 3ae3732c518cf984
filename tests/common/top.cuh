#pragma once
/// @file
/// What the programs tests/NN-name/benches/top share on a GPU. The ceiling is the rate of a loop of FP64
/// tensor operations on registers, in the same run. With the word `profile` each is called once, for NVIDIA's
/// profiler ncu: docs/top.md has the command.

#include <cuda_profiler_api.h>

#include <cstdint>
#include <string>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "tests/common/top.hpp"

namespace ladder::top {

/// Uniform in [-1, 1), from place and seed only (splitmix64).
__host__ __device__ inline double uniform(std::uint64_t at, std::uint64_t seed) {
  std::uint64_t z = at * 0x9e3779b97f4a7c15u + seed;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return double((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/// Seconds of one of `calls` calls of what `run` enqueues, between two events.
template <class Run>
double seconds_of(const Run& run, int calls = 1) {
  static const Event begin, end;
  check(cudaEventRecord(begin.get(), nullptr));
  for (int call = 0; call < calls; ++call) run();
  check(cudaEventRecord(end.get(), nullptr));
  check(cudaEventSynchronize(end.get()));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
  return 1e-3 * milliseconds / calls;
}

/// Operations on registers, eight independent sums per warp.
template <class Shape>
__global__ void __launch_bounds__(256) tensor_loop(int turns, double* result) {
  typename Shape::C sum[8] = {};
  typename Shape::A a;
  typename Shape::B b;
#pragma unroll
  for (int e = 0; e < Shape::A::count; ++e) a[e] = uniform(threadIdx.x, 1 + e);
#pragma unroll
  for (int e = 0; e < Shape::B::count; ++e) b[e] = uniform(threadIdx.x, 11 + e);
  for (int turn = 0; turn < turns; ++turn)
#pragma unroll
    for (auto& one : sum) tensor::multiply_add<Shape>(one, a, b);
  double all = 0;
#pragma unroll
  for (auto& one : sum)
#pragma unroll
    for (int e = 0; e < Shape::C::count; ++e) all += one[e];
  result[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

/// FP64 operations per second, the best of five runs.
template <class Shape>
double tensor_rate(int multiprocessors) {
  const int blocks = 2 * multiprocessors, turns = 4096;
  const DeviceBuffer<double> result(std::size_t(blocks) * 256);
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    const double seconds = seconds_of([&] {
      tensor_loop<Shape><<<blocks, 256>>>(turns, result.get());
      check(cudaGetLastError());
    });
    best = std::max(best, 2.0 * Shape::m * Shape::n * Shape::k * 8 * turns * (256 / 32) * blocks / seconds);
  }
  return best;
}

/// The beginning of a file about this GPU.
inline json document(const std::string& lesson, const std::string& library, const std::string& error_unit) {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  const double rate = tensor_rate<tensor::Double16x8x8>(device.multiProcessorCount);
  return document(lesson, library, error_unit, device.name, {"FP64 tensor peak", rate});
}

/// A kernel that does nothing: what ncu sees after it belongs to the next call that was announced.
static __global__ void profiled_call() {}

/// For ncu: each call once, after one that is not counted. The file says which calls these were, in their
/// order.
struct Profile {
  json document;  ///< schema gpu-ladder-top-profile/1

  explicit Profile(const json& top) : document(top) {
    document["schema"] = "gpu-ladder-top-profile/1";
    for (const char* const field : {"rows", "rounds", "ceiling", "error_unit"}) document.erase(field);
    document["calls"] = json::array();
  }

  /// @param prepare  what comes before each call, uncounted
  template <class Prepare, class Run>
  void call(const std::string& shape, const std::string& rung, const Prepare& prepare, const Run& run) {
    prepare();
    run();
    check(cudaDeviceSynchronize());
    prepare();
    check(cudaDeviceSynchronize());
    check(cudaProfilerStart());
    profiled_call<<<1, 32>>>();
    check(cudaGetLastError());
    run();
    check(cudaDeviceSynchronize());
    check(cudaProfilerStop());
    document["calls"].push_back({{"shape", shape}, {"rung", rung}});
    std::printf("called: %s, n = %s\n", rung.c_str(), shape.c_str());
    std::fflush(stdout);
  }
};

}  // namespace ladder::top
