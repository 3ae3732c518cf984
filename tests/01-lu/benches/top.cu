/// @file
/// The rungs t2 to t4 beside cuSOLVER: time and error at many sizes, in one run. Measurements on a GPU; no test.
///
///     ninja -C build benches/01-lu/top && build/benches/01-lu/top top.json
///
/// Every rung and cusolverDnDgetrf factorise the same matrix in 15 rounds, each in another random order, data on the device. A
/// measurement is one call, between two events; the matrix is copied anew before each. cuSOLVER gets the matrix as it is: it
/// reads the transposed one, and its time has no transposition. A ratio is cuSOLVER's time over the rung's of the same round:
/// the median of 15, and its interval of 96 %, the 4th and the 12th. The ceiling is the rate of a loop of FP64 tensor
/// operations on registers, in the same run. Errors are |P A x - L U x| of every row, x of random signs, in units of
/// 2^-53 n |L| |U| |x|. With the word `small`, no times: for compute-sanitizer.

#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "lu.hpp"

namespace lu {
void resident_panel(const Problem& p);
void cluster_panel(const Problem& p);
void look_ahead(const Problem& p);
}  // namespace lu

namespace {

using ladder::check;
using lu::Problem;
using nlohmann::json;

constexpr int rounds = 15, low = 3, high = 11;  // of 15 sorted values: the median's interval of 96 %

void check(cusolverStatus_t status) {
  if (status != CUSOLVER_STATUS_SUCCESS) throw ladder::Error("cuSOLVER status " + std::to_string(status));
}

/// PA = LU of the column-major reading; handle and workspace are kept.
void cusolver(const Problem& p) {
  static const cusolverDnHandle_t handle = [] {
    cusolverDnHandle_t made = nullptr;
    check(cusolverDnCreate(&made));
    return made;
  }();
  static ladder::DeviceBuffer<double> work(0);
  static int of = 0;
  if (of != p.n) {
    int elements = 0;
    check(cusolverDnDgetrf_bufferSize(handle, p.n, p.n, p.A, p.n, &elements));
    work = ladder::DeviceBuffer<double>(std::max(elements, 1));
    of = p.n;
  }
  check(cusolverDnDgetrf(handle, p.n, p.n, p.A, p.n, work.get(), p.pivot, p.info));
}

struct Entry {
  const char* name;
  std::function<void(const Problem&)> run;
};
const Entry entries[] = {
    {"cuSOLVER", cusolver}, {"t2", lu::resident_panel}, {"t3", lu::cluster_panel}, {"t4", lu::look_ahead}};
constexpr std::size_t count = std::size(entries);

/// Uniform in [-1, 1), from place and seed only (splitmix64).
__host__ __device__ double uniform(std::uint64_t at, std::uint64_t seed) {
  std::uint64_t z = at * 0x9e3779b97f4a7c15u + seed;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return double((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/// Uniform; scaled: rows by powers of two from 2^-30 to 2^30.
__global__ void fill(bool scaled, int n, double* A) {
  const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= std::size_t(n) * n) return;
  const double x = uniform(at, 20260001);
  A[at] = scaled ? ldexp(x, int(30 * uniform(at / n, 20260002))) : x;
}

// ---------------------------------------------------------------- errors

enum class Part { all, upper, unit_lower };

/// y = T x and z = |T| w, one warp per row. T: A, or the triangle U or L of it. Element (r, c) is A[r * down + c * across].
__global__ void times(Part part, int n, std::size_t down, std::size_t across, const double* A,
                      const double* x, const double* w, double* y, double* z) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  double sum = 0, magnitude = 0;
  for (int c = lane; c < n; c += 32) {
    double a = A[row * down + c * across];
    if (part == Part::upper && c < row) a = 0;
    if (part == Part::unit_lower && c >= row) a = c == row;
    sum += a * x[c];
    magnitude += fabs(a) * w[c];
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    sum += __shfl_down_sync(~0u, sum, lanes);
    magnitude += __shfl_down_sync(~0u, magnitude, lanes);
  }
  if (lane == 0) y[row] = sum, z[row] = magnitude;
}

std::vector<double> on_host(const double* device, int n) {
  std::vector<double> all(n);
  check(cudaMemcpy(all.data(), device, n * sizeof(double), cudaMemcpyDeviceToHost));
  return all;
}

/// @param transposed  cuSOLVER's result is that of the transposed matrix, and its pivots count from 1
json errors_of(const Problem& p, const double* given, bool transposed) {
  const std::size_t n = p.n, down = transposed ? 1 : n, across = transposed ? n : 1;
  std::vector<double> signs(n), ones(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) signs[i] = uniform(i, 20260003) < 0 ? -1 : 1;
  const ladder::DeviceBuffer<double> x(n), w(n), y(n), z(n), u(n), v(n);
  check(cudaMemcpy(x.get(), signs.data(), x.bytes(), cudaMemcpyHostToDevice));
  check(cudaMemcpy(w.get(), ones.data(), w.bytes(), cudaMemcpyHostToDevice));
  const unsigned blocks = (p.n + 7) / 8;
  times<<<blocks, 256>>>(Part::all, p.n, down, across, given, x.get(), w.get(), y.get(), z.get());
  check(cudaGetLastError());
  std::vector<double> expected = on_host(y.get(), p.n);
  times<<<blocks, 256>>>(Part::upper, p.n, down, across, p.A, x.get(), w.get(), y.get(), z.get());
  times<<<blocks, 256>>>(Part::unit_lower, p.n, down, across, p.A, y.get(), z.get(), u.get(), v.get());
  check(cudaGetLastError());
  const std::vector<double> got = on_host(u.get(), p.n), magnitudes = on_host(v.get(), p.n);
  std::vector<int> pivot(n);
  check(cudaMemcpy(pivot.data(), p.pivot, n * sizeof(int), cudaMemcpyDeviceToHost));
  std::vector<double> errors(n);
  for (std::size_t i = 0; i < n; ++i)
    std::swap(expected[i], expected.at(std::size_t(pivot[i]) - (transposed ? 1 : 0)));
  for (std::size_t i = 0; i < n; ++i) {
    const double error = std::abs(expected[i] - got[i]) / (0x1p-53 * double(n) * magnitudes[i]);
    errors[i] = error < 1e300 ? error : 1e300;  // NaN, too
  }
  std::sort(errors.begin(), errors.end());
  return {{"median", errors[n / 2]}, {"worst", errors.back()}};
}

// ---------------------------------------------------------------- times

/// Seconds of what `run` enqueues, between two events.
double seconds_of(const std::function<void()>& run) {
  static const ladder::Event begin, end;
  check(cudaEventRecord(begin.get(), nullptr));
  run();
  check(cudaEventRecord(end.get(), nullptr));
  check(cudaEventSynchronize(end.get()));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
  return 1e-3 * milliseconds;
}

/// Operations on registers, eight independent sums per warp.
__global__ void __launch_bounds__(256) tensor_loop(int turns, double* result) {
  using Shape = ladder::tensor::Double16x8x8;
  Shape::C sum[8] = {};
  Shape::A a;
  Shape::B b;
#pragma unroll
  for (int e = 0; e < Shape::A::count; ++e) a[e] = uniform(threadIdx.x, 1 + e);
#pragma unroll
  for (int e = 0; e < Shape::B::count; ++e) b[e] = uniform(threadIdx.x, 11 + e);
  for (int turn = 0; turn < turns; ++turn)
#pragma unroll
    for (auto& one : sum) ladder::tensor::multiply_add<Shape>(one, a, b);
  double all = 0;
#pragma unroll
  for (auto& one : sum) all += one[0] + one[1] + one[2] + one[3];
  result[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

/// FP64 operations per second, the best of five runs.
double tensor_rate(int multiprocessors) {
  const int blocks = 2 * multiprocessors, turns = 4096;
  const ladder::DeviceBuffer<double> result(std::size_t(blocks) * 256);
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    const double seconds = seconds_of([&] {
      tensor_loop<<<blocks, 256>>>(turns, result.get());
      check(cudaGetLastError());
    });
    best = std::max(best, 2.0 * 16 * 8 * 8 * 8 * turns * (256 / 32) * blocks / seconds);
  }
  return best;
}

json summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {{"median", values[rounds / 2]}, {"low", values[low]}, {"high", values[high]}};
}

/// One size: all entries by turns. @return a row per entry
json measure(int n, bool scaled, bool timed) {
  const std::size_t elements = std::size_t(n) * n;
  const ladder::DeviceBuffer<double> given(elements), A(elements);
  const ladder::DeviceBuffer<int> pivot(n), info(1);
  fill<<<unsigned((elements + 255) / 256), 256>>>(scaled, n, given.get());
  check(cudaGetLastError());
  const Problem p{n, A.get(), pivot.get(), info.get()};
  const auto call = [&](const Entry& entry) {
    check(cudaMemcpy(A.get(), given.get(), A.bytes(), cudaMemcpyDeviceToDevice));
    check(cudaDeviceSynchronize());
    return seconds_of([&] { entry.run(p); });
  };
  json rows = json::array();
  for (const Entry& entry : entries) {
    call(entry);
    rows.push_back({{"shape", std::to_string(n)},
                    {"data", scaled ? "scaled" : "uniform"},
                    {"rung", entry.name},
                    {"operations", lu::work(p).fp64},
                    {"error", errors_of(p, given.get(), &entry == entries)}});
  }
  std::vector<std::vector<double>> times(count), ratios(count);
  std::size_t order[count];
  std::iota(std::begin(order), std::end(order), 0);
  static std::mt19937 random(20260004);
  for (int round = 0; timed && round < rounds; ++round) {
    std::shuffle(std::begin(order), std::end(order), random);  // who comes after whom: GPUs get hot
    for (const std::size_t e : order) times[e].push_back(call(entries[e]));
    for (std::size_t e = 0; e < count; ++e) ratios[e].push_back(times[0].back() / times[e].back());
  }
  for (std::size_t e = 0; e < count; ++e) {
    json& row = rows[e];
    if (timed) row["seconds"] = summary(times[e]), row["ratio"] = summary(ratios[e]);
    std::printf("%5d %-8s %-8s error %8.2g %8.2g", n, scaled ? "scaled" : "uniform", entries[e].name,
                row["error"]["median"].get<double>(), row["error"]["worst"].get<double>());
    if (timed)
      std::printf("  %9.4f ms %6.2f TF  of cuSOLVER %.3f (%.3f to %.3f)",
                  1e3 * row["seconds"]["median"].get<double>(),
                  1e-12 * lu::work(p).fp64 / row["seconds"]["median"].get<double>(),
                  row["ratio"]["median"].get<double>(), row["ratio"]["low"].get<double>(),
                  row["ratio"]["high"].get<double>());
    std::printf("\n");
  }
  std::fflush(stdout);
  return rows;
}

}  // namespace

int main(int arguments, char** words) try {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  const char* const commit = std::getenv("LADDER_COMMIT");
  char date[] = "2000-01-01";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%F", std::localtime(&now));
  json result = {
      {"schema", "gpu-ladder-top/1"},
      {"lesson", "01-lu"},
      {"device", device.name},
      {"date", date},
      {"commit", commit ? commit : ""},
      {"library", "cuSOLVER"},
      {"rounds", rounds},
      {"ceiling", {{"name", "FP64 tensor peak"}, {"rate", tensor_rate(device.multiProcessorCount)}}},
      {"error_unit", "2^-53 n |L| |U|"},
      {"rows", json::array()}};
  std::printf("FP64 tensor operations on registers: %.1f TF\n",
              1e-12 * result["ceiling"]["rate"].get<double>());
  const auto add = [&](const json& rows) {
    for (const json& row : rows) result["rows"].push_back(row);
  };
  if (arguments > 1 && std::string(words[1]) == "small") {  // for compute-sanitizer
    for (const int n : {1, 2, 33, 129, 300}) add(measure(n, false, false));
    return 0;
  }
  for (const int n : {1, 2, 127, 129}) add(measure(n, false, false));
  add(measure(2000, true, false));
  for (const int n : {1024, 2048, 4095, 4096, 8192, 16384}) add(measure(n, false, true));
  if (arguments > 1) std::ofstream(words[1]) << result.dump(1) << "\n";
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "top: %s\n", failure.what());
  return 1;
}
