/// @file
/// The rungs g5, g6 and t1 to t5 next to cuBLAS: time and error at many sizes, in one run. Measurements on a
/// GPU; no test.
///
///     ninja -C build benches/03-dgemm/top && build/benches/03-dgemm/top top.json
///
/// Every rung and cuBLAS are called in 15 rounds, each in another random order, data on the device. A
/// measurement is as many calls as take 2 ms, between two events. Errors are of 4096 elements, in units of
/// 2^-53 |A| |B|, next to sums of twice the digits. With the word `small`, no times: for compute-sanitizer.
/// `profile FILE` is for ncu: docs/top.md.

#include <algorithm>
#include <cmath>
#include <functional>

#include "common/device/cublas.hpp"
#include "problem.hpp"
#include "tests/common/top.cuh"

namespace dgemm {
void async_copies(const Problem& p);
void warp_tiles(const Problem& p);
void tensor_cores(const Problem& p);
void staged_copies(const Problem& p);
void swizzle(const Problem& p);
void split_k(const Problem& p);
void residues(const Problem& p);
}  // namespace dgemm

namespace {

using dgemm::Problem;
using ladder::check;
using ladder::top::uniform;
using nlohmann::json;

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
const Entry entries[] = {{"cuBLAS", cublas},          {"g5", dgemm::async_copies},  {"g6", dgemm::warp_tiles},
                         {"t1", dgemm::tensor_cores}, {"t2", dgemm::staged_copies}, {"t3", dgemm::swizzle},
                         {"t4", dgemm::split_k},      {"t5", dgemm::residues}};

// ---------------------------------------------------------------- matrices

enum class Kind { uniform, scaled, ill_scaled, cancelling };
const std::pair<const char*, Kind> kinds[] = {{"uniform", Kind::uniform},
                                              {"scaled", Kind::scaled},
                                              {"ill-scaled", Kind::ill_scaled},
                                              {"cancelling", Kind::cancelling}};

/// Uniform in (-1, 1); scaled: rows of A and columns of B by powers of two from 2^-30 to 2^30; ill-scaled:
/// each element by one from 2^-15 to 2^15; cancelling: the second half of the terms takes away the first, but
/// for 2^-20 of it.
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
  return ladder::top::errors(all);
}

// ---------------------------------------------------------------- times

/// "4096", "4096, rows padded by 1", "8192 x 8192 x 64": m, n, k
std::string shape_of(int m, int n, int k, int pad) {
  std::string shape = std::to_string(n);
  if (m != n || n != k) shape = std::to_string(m) + " x " + shape + " x " + std::to_string(k);
  return pad > 0 ? shape + ", rows padded by " + std::to_string(pad) : shape;
}

/// A, B and C of one shape.
struct Matrices {
  ladder::DeviceBuffer<double> A, B, C;
  Problem problem;

  Matrices(int m, int n, int k, int pad, Kind kind)
      : A(std::size_t(m) * (k + pad)), B(std::size_t(k) * (n + pad)), C(std::size_t(m) * (n + pad)) {
    problem = {m, n, k, k + pad, n + pad, n + pad, A.get(), B.get(), C.get()};
    const auto blocks = [](std::size_t elements) { return unsigned((elements + 255) / 256); };
    fill<<<blocks(std::size_t(m) * k), 256>>>(kind, true, m, k, 20260001, A.get(), k + pad);
    fill<<<blocks(std::size_t(k) * n), 256>>>(kind, false, k, n, 20260002, B.get(), n + pad);
    check(cudaGetLastError());
  }
};

/// One shape: all entries by turns. @return a row per entry
json measure(int m, int n, int k, int pad, Kind kind, const char* name, bool timed) {
  const Matrices matrices(m, n, k, pad, kind);
  const Problem& p = matrices.problem;

  constexpr std::size_t count = std::size(entries);
  json rows = json::array();
  int calls[count];
  std::fill(calls, calls + count, 1);
  const auto seconds = [&](std::size_t e) {
    return ladder::top::seconds_of([&] { entries[e].run(p); }, calls[e]);
  };
  for (std::size_t e = 0; e < count; ++e) {
    check(cudaMemset(p.C, 0xff, matrices.C.bytes()));  // NaN
    entries[e].run(p);
    check(cudaDeviceSynchronize());
    rows.push_back({{"shape", shape_of(m, n, k, pad)},
                    {"data", name},
                    {"rung", entries[e].name},
                    {"operations", 2.0 * m * n * k},
                    {"error", errors_of(p)}});
    if (timed) calls[e] = std::clamp(int(2e-3 / seconds(e)), 1, 50);
  }
  ladder::top::race(rows, timed, seconds);
  return rows;
}

void profile(int n, ladder::top::Profile& profile) {
  const Matrices matrices(n, n, n, 0, Kind::uniform);
  for (const Entry& entry : entries)
    profile.call(
        shape_of(n, n, n, 0), entry.name, [] {}, [&] { entry.run(matrices.problem); });
}

/// Adds how fast one kind of tensor operation is on registers, for the page of the rung that is about it.
template <class Shape>
void add_loop(json& document) {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  const double rate = ladder::top::tensor_rate<Shape>(device.multiProcessorCount);
  const std::string operation =
      std::to_string(Shape::m) + " x " + std::to_string(Shape::n) + " x " + std::to_string(Shape::k);
  std::printf("operations of %s on registers: %.1f TF\n", operation.c_str(), 1e-12 * rate);
  document["loops"].push_back({{"rung", "t1"}, {"operation", operation}, {"rate", rate}});
}

}  // namespace

int main(int count, char** words) try {
  json result = ladder::top::document("03-dgemm", "cuBLAS", "2^-53 |A| |B|");
  const auto add = [&](const json& rows) { ladder::top::add(result, rows); };
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
  if (count > 2 && std::string(words[1]) == "profile") {
    ladder::top::Profile calls(result);
    for (const int n : {1024, 4096, 8192}) profile(n, calls);
    ladder::top::store(calls.document, words[2]);
    return 0;
  }
  add_loop<ladder::tensor::Double16x8x8>(result);
  add_loop<ladder::tensor::Double8x8x4>(result);
  for (const auto& [name, kind] : kinds)
    if (kind != Kind::uniform) add(measure(1024, 1024, 1024, 0, kind, name, false));
  for (const int n : {1, 2, 127, 129}) look(n, n, n, 1);
  for (const int n : {1024, 2048, 4096, 8192, 16384}) time(n, n, n, 0);
  time(4096, 4096, 4096, 1);  // odd leading dimensions
  time(4095, 4097, 4099, 0);  // no multiple of anything
  time(8192, 8192, 64, 0);    // thin
  time(64, 4096, 4096, 0);
  time(256, 256, 16384, 0);
  if (count > 1) ladder::top::store(result, words[1]);
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "top: %s\n", failure.what());
  return 1;
}
