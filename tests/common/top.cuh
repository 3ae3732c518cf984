#pragma once
/// @file
/// What the programs tests/NN-name/benches/top share: rungs and the library by turns, and the file for docs/top.md.
///
/// A ratio is the library's time over the rung's of the same round: the median of 15, and its interval of 96 %, the 4th and
/// the 12th. The ceiling is the rate of a loop of FP64 tensor operations on registers, in the same run.
/// With the word `profile` each is called once, for NVIDIA's profiler ncu: docs/top.md has the command.

#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"

namespace ladder::top {

using nlohmann::json;

inline constexpr int rounds = 15, low = 3, high = 11;  // of 15 sorted values: the median's interval of 96 %

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

/// The beginning of a file.
inline json document(const std::string& lesson, const std::string& library, const std::string& error_unit) {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  const char* const commit = std::getenv("LADDER_COMMIT");
  char date[] = "2000-01-01";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%F", std::localtime(&now));
  const double rate = tensor_rate<tensor::Double16x8x8>(device.multiProcessorCount);
  std::printf("%s, FP64 tensor operations on registers: %.1f TF\n", device.name, 1e-12 * rate);
  return {{"schema", "gpu-ladder-top/1"},
          {"lesson", lesson},
          {"device", device.name},
          {"date", date},
          {"commit", commit ? commit : ""},
          {"library", library},
          {"rounds", rounds},
          {"ceiling", {{"name", "FP64 tensor peak"}, {"rate", rate}}},
          {"error_unit", error_unit},
          {"rows", json::array()}};
}

/// A kernel that does nothing: what ncu sees after it belongs to the next call that was announced.
static __global__ void profiled_call() {}

/// For ncu: each call once, after one that is not counted. The file says which calls these were, in their order.
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

/// Median and worst of errors; what is no number counts as 1e300.
inline json errors(std::vector<double> all) {
  for (double& one : all)
    if (!(one < 1e300)) one = 1e300;
  std::sort(all.begin(), all.end());
  return {{"median", all[all.size() / 2]}, {"worst", all.back()}};
}

inline json summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {{"median", values[rounds / 2]}, {"low", values[low]}, {"high", values[high]}};
}

/// Times all rows of one shape, the first of which is the library's, and prints them.
/// @param rows     with shape, data, rung, operations and error; gets seconds and ratio
/// @param timed    false: they are only printed
/// @param seconds  of one call of row e
template <class Seconds>
void race(json& rows, bool timed, const Seconds& seconds) {
  const std::size_t count = rows.size();
  std::vector<std::vector<double>> times(count), ratios(count);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  static std::mt19937 random(20260003);
  for (int round = 0; timed && round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);  // who comes after whom: GPUs get hot
    for (const std::size_t e : order) times[e].push_back(seconds(e));
    for (std::size_t e = 0; e < count; ++e) ratios[e].push_back(times[0].back() / times[e].back());
  }
  for (std::size_t e = 0; e < count; ++e) {
    json& row = rows[e];
    const auto number = [&](const char* field, const char* of) { return row.at(field).at(of).get<double>(); };
    std::printf("%-24s %-10s %-8s error %8.2g %8.2g", row.value("shape", "").c_str(),
                row.value("data", "").c_str(), row.value("rung", "").c_str(), number("error", "median"),
                number("error", "worst"));
    if (timed) {
      row["seconds"] = summary(times[e]), row["ratio"] = summary(ratios[e]);
      std::printf("  %9.4f ms %6.2f TF  ratio %.3f (%.3f to %.3f)", 1e3 * number("seconds", "median"),
                  1e-12 * row["operations"].get<double>() / number("seconds", "median"),
                  number("ratio", "median"), number("ratio", "low"), number("ratio", "high"));
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

/// Adds rows to a document.
inline void add(json& document, const json& rows) {
  for (const json& row : rows) document["rows"].push_back(row);
}

inline void store(const json& document, const char* file) {
  std::ofstream(file) << document.dump(1) << "\n";
}

}  // namespace ladder::top
