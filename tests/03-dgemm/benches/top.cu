/// @file
/// The rungs t1 to t5 beside cuBLAS: time and error at many sizes, in one run. Measurements on a GPU; no test.
///
///     ninja -C build benches/03-dgemm/top && build/benches/03-dgemm/top top.json
///
/// Every rung and cuBLAS are called in 15 rounds, each in another random order, data on the device; one measurement is as many calls as take 2 ms,
/// between two events. A ratio is cuBLAS's time over the rung's of the same round: the median of 15, and its interval of
/// 96 %, the 4th and the 12th. The ceiling is the rate of a loop of FP64 tensor operations on registers, in the same run.
/// `./ladder results add top.json --as h200` stores the file for docs/top.md. With the word `small`, no times: for compute-sanitizer. Errors are of 4096 elements, in units of 2^-53 |A| |B|, beside sums of twice the digits.

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

#include "common/device/cublas.hpp"
#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "dgemm.hpp"

namespace dgemm {
void async_copies(const Problem& p);
void tensor_cores(const Problem& p);
void staged_copies(const Problem& p);
void swizzle(const Problem& p);
void stream_k(const Problem& p);
void residues(const Problem& p);
}  // namespace dgemm

namespace {

using dgemm::Problem;
using ladder::check;
using nlohmann::json;

constexpr int rounds = 15, low = 3, high = 11;  // of 15 sorted values: the median's interval of 96 %
constexpr int samples = 4096;

void cublas(const Problem& p) {
  static const ladder::Cublas handle;
  const double one = 1, zero = 0;
  check(cublasDgemm(handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, p.n, p.m, p.k, &one, p.B, p.ldb, p.A, p.lda,
                    &zero, p.C, p.ldc));
}

struct Entry {
  const char* name;
  std::function<void(const Problem&)> run;
};
const Entry entries[] = {{"cuBLAS", cublas},          {"g5", dgemm::async_copies},
                         {"t1", dgemm::tensor_cores}, {"t2", dgemm::staged_copies},
                         {"t3", dgemm::swizzle},      {"t4", dgemm::stream_k},
                         {"t5", dgemm::residues}};

// ---------------------------------------------------------------- matrices

enum class Kind { uniform, scaled, ill_scaled, cancelling };
const std::pair<const char*, Kind> kinds[] = {{"uniform", Kind::uniform},
                                              {"scaled", Kind::scaled},
                                              {"ill-scaled", Kind::ill_scaled},
                                              {"cancelling", Kind::cancelling}};

/// Numbers that only depend on place and seed (splitmix64).
__device__ double uniform(std::uint64_t at, std::uint64_t seed) {
  std::uint64_t z = at * 0x9e3779b97f4a7c15u + seed;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return double((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/// Uniform in (-1, 1); scaled: rows of A and columns of B by powers of two from 2^-30 to 2^30; ill-scaled: each element by one
/// from 2^-15 to 2^15; cancelling: the second half of the terms takes away the first, but for 2^-20 of it.
__global__ void fill(Kind kind, bool is_a, int rows, int columns, std::uint64_t seed, double* X,
                     std::size_t ld) {
  const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= std::size_t(rows) * columns) return;
  const std::size_t row = at / columns, column = at % columns;
  double x = uniform(at, seed);
  const std::size_t line = is_a ? row : column, term = is_a ? column : row;
  if (kind == Kind::scaled) x = ldexp(x, int(30 * uniform(line, seed + 1)));
  if (kind == Kind::ill_scaled) x = ldexp(x, int(15 * uniform(at, seed + 1)));
  if (kind == Kind::cancelling) {
    const std::size_t half = (is_a ? columns : rows) / 2;
    if (term >= half && half > 0) {
      const std::size_t twin = term - half;
      x = uniform(is_a ? row * columns + twin : twin * columns + column, seed);
      if (is_a) x *= -(1 + 0x1p-20 * uniform(at, seed + 2));
    }
  }
  X[row * ld + column] = x;
}

// ---------------------------------------------------------------- errors

/// |C - A B| in units of 2^-53 |A| |B| for one element per block, with a sum of twice the digits.
__global__ void errors(Problem p, std::uint64_t seed, double* result) {
  const int row = int((uniform(2 * blockIdx.x, seed) + 1) / 2 * p.m),
            column = int((uniform(2 * blockIdx.x + 1, seed) + 1) / 2 * p.n);
  __shared__ double sums[256], rests[256], magnitudes[256];
  double sum = 0, rest = 0, magnitude = 0;
  const auto add = [&](double x) {  // the sum of two numbers, and what rounding lost
    const double next = sum + x, part = next - sum;
    rest += (sum - (next - part)) + (x - part);
    sum = next;
  };
  for (int q = threadIdx.x; q < p.k; q += 256) {
    const double a = p.A[std::size_t(row) * p.lda + q], b = p.B[std::size_t(q) * p.ldb + column];
    const double product = a * b;
    rest += fma(a, b, -product);
    add(product);
    magnitude += fabs(product);
  }
  sums[threadIdx.x] = sum, rests[threadIdx.x] = rest, magnitudes[threadIdx.x] = magnitude;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int thread = 1; thread < 256; ++thread)
    add(sums[thread]), rest += rests[thread], magnitude += magnitudes[thread];
  const double error = fabs((sum - p.C[std::size_t(row) * p.ldc + column]) + rest);
  result[blockIdx.x] = magnitude > 0 ? error / (magnitude * 0x1p-53) : error > 0 ? INFINITY : 0;
}

json errors_of(const Problem& p) {
  const ladder::DeviceBuffer<double> device(samples);
  errors<<<samples, 256>>>(p, 77, device.get());
  check(cudaGetLastError());
  std::vector<double> all(samples);
  check(cudaMemcpy(all.data(), device.get(), device.bytes(), cudaMemcpyDeviceToHost));
  for (double& one : all)
    if (!(one < 1e300)) one = 1e300;  // NaN, too
  std::sort(all.begin(), all.end());
  return {{"median", all[samples / 2]}, {"worst", all.back()}};
}

// ---------------------------------------------------------------- times

/// Seconds of one call, from so many between two events.
double seconds_of(const Entry& entry, const Problem& p, int calls, cudaEvent_t begin, cudaEvent_t end) {
  check(cudaEventRecord(begin, nullptr));
  for (int call = 0; call < calls; ++call) entry.run(p);
  check(cudaEventRecord(end, nullptr));
  check(cudaEventSynchronize(end));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  return 1e-3 * milliseconds / calls;
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
  const ladder::Event begin, end;
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    check(cudaEventRecord(begin.get(), nullptr));
    tensor_loop<<<blocks, 256>>>(turns, result.get());
    check(cudaGetLastError());
    check(cudaEventRecord(end.get(), nullptr));
    check(cudaEventSynchronize(end.get()));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
    const double operations = 2.0 * 16 * 8 * 8 * 8 * turns * (256 / 32) * blocks;
    best = std::max(best, operations / (1e-3 * milliseconds));
  }
  return best;
}

json summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {{"median", values[rounds / 2]}, {"low", values[low]}, {"high", values[high]}};
}

/// "4096", "4096, rows padded by 1", "8192 x 8192 x 64": m, n, k
std::string shape_of(int m, int n, int k, int pad) {
  std::string shape = std::to_string(n);
  if (m != n || n != k) shape = std::to_string(m) + " x " + shape + " x " + std::to_string(k);
  return pad > 0 ? shape + ", rows padded by " + std::to_string(pad) : shape;
}

/// One shape: all entries by turns. @return a row per entry
json measure(int m, int n, int k, int pad, Kind kind, const char* name, bool timed) {
  const std::size_t lda = k + pad, ldb = n + pad, ldc = n + pad;
  const ladder::DeviceBuffer<double> A(m * lda), B(k * ldb), C(m * ldc);
  const auto blocks = [](std::size_t elements) { return unsigned((elements + 255) / 256); };
  fill<<<blocks(std::size_t(m) * k), 256>>>(kind, true, m, k, 20260001, A.get(), lda);
  fill<<<blocks(std::size_t(k) * n), 256>>>(kind, false, k, n, 20260002, B.get(), ldb);
  check(cudaGetLastError());
  const Problem p{m, n, k, int(lda), int(ldb), int(ldc), A.get(), B.get(), C.get()};
  const ladder::Event begin, end;

  constexpr std::size_t count = std::size(entries);
  json rows = json::array();
  int calls[count];
  for (std::size_t e = 0; e < count; ++e) {
    check(cudaMemset(C.get(), 0xff, C.bytes()));  // NaN
    entries[e].run(p);
    check(cudaDeviceSynchronize());
    rows.push_back({{"shape", shape_of(m, n, k, pad)},
                    {"data", name},
                    {"rung", entries[e].name},
                    {"operations", 2.0 * m * n * k},
                    {"error", errors_of(p)}});
    calls[e] = 1;
    if (timed) calls[e] = std::clamp(int(2e-3 / seconds_of(entries[e], p, 1, begin.get(), end.get())), 1, 50);
  }
  std::vector<std::vector<double>> times(count), ratios(count);
  std::size_t order[count];
  std::iota(std::begin(order), std::end(order), 0);
  static std::mt19937 random(20260003);
  for (int round = 0; timed && round < rounds; ++round) {
    std::shuffle(std::begin(order), std::end(order), random);  // who comes after whom: GPUs get hot
    for (const std::size_t e : order)
      times[e].push_back(seconds_of(entries[e], p, calls[e], begin.get(), end.get()));
    for (std::size_t e = 0; e < count; ++e) ratios[e].push_back(times[0].back() / times[e].back());
  }
  for (std::size_t e = 0; e < count; ++e) {
    json& row = rows[e];
    if (timed) row["seconds"] = summary(times[e]), row["ratio"] = summary(ratios[e]);
    std::printf("%5d %5d %5d +%d %-10s %-6s error %8.2g %8.2g", m, n, k, pad, name, entries[e].name,
                row["error"]["median"].get<double>(), row["error"]["worst"].get<double>());
    if (timed)
      std::printf(
          "  %9.4f ms %6.2f TF  of cuBLAS %.3f (%.3f to %.3f)", 1e3 * row["seconds"]["median"].get<double>(),
          2e-12 * m * n * k / row["seconds"]["median"].get<double>(), row["ratio"]["median"].get<double>(),
          row["ratio"]["low"].get<double>(), row["ratio"]["high"].get<double>());
    std::printf("\n");
  }
  std::fflush(stdout);
  return rows;
}

}  // namespace

int main(int count, char** words) try {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  const char* const commit = std::getenv("LADDER_COMMIT");
  char date[] = "2000-01-01";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%F", std::localtime(&now));
  json result = {
      {"schema", "gpu-ladder-top/1"},
      {"lesson", "03-dgemm"},
      {"device", device.name},
      {"date", date},
      {"commit", commit ? commit : ""},
      {"library", "cuBLAS"},
      {"rounds", rounds},
      {"ceiling", {{"name", "FP64 tensor peak"}, {"rate", tensor_rate(device.multiProcessorCount)}}},
      {"error_unit", "2^-53 |A| |B|"},
      {"rows", json::array()}};
  std::printf("FP64 tensor operations on registers: %.1f TF\n",
              1e-12 * result["ceiling"]["rate"].get<double>());
  const auto add = [&](const json& rows) {
    for (const json& row : rows) result["rows"].push_back(row);
  };
  const auto time = [&](int m, int n, int k, int pad) {
    add(measure(m, n, k, pad, Kind::uniform, "uniform", true));
  };
  const auto look = [&](int m, int n, int k, int pad) {
    add(measure(m, n, k, pad, Kind::uniform, "uniform", false));
  };
  if (count > 1 && std::string(words[1]) == "small") {  // for compute-sanitizer
    for (const int n : {1, 2, 127, 129}) look(n, n, n, 1);
    look(160, 288, 80, 0);
    look(130, 132, 4098, 1);
    for (const auto& [name, kind] : kinds) add(measure(128, 128, 64, 0, kind, name, false));
    return 0;
  }
  for (const auto& [name, kind] : kinds)
    if (kind != Kind::uniform) add(measure(1024, 1024, 1024, 0, kind, name, false));
  for (const int n : {1, 2, 127, 129}) look(n, n, n, 1);
  for (const int n : {1024, 2048, 4096, 8192, 16384}) time(n, n, n, 0);
  time(4096, 4096, 4096, 1);  // odd leading dimensions
  time(4095, 4097, 4099, 0);  // no multiple of anything
  time(8192, 8192, 64, 0);    // thin
  time(64, 4096, 4096, 0);
  time(256, 256, 16384, 0);
  if (count > 1) std::ofstream(words[1]) << result.dump(1) << "\n";
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "top: %s\n", failure.what());
  return 1;
}
