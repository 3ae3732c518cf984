/// @file
/// The rungs t2 to t5 next to cuSOLVER: time and error at many sizes, in one run. Measurements on a GPU; no
/// test.
///
///     ninja -C build benches/01-lu/top && build/benches/01-lu/top top.json
///
/// Every rung and cusolverDnDgetrf factorise the same matrix in 15 rounds, each in another random order, data
/// on the device. A measurement is one call, between two events; the matrix is copied again before each.
/// cuSOLVER gets the matrix as it is: it reads the transposed one, and its time has no transposition. Errors
/// are |P A x - L U x| of every row, x of random signs, in units of 2^-53 n |L| |U| |x|. With the word
/// `small`, no times: for compute-sanitizer. `profile FILE` is for ncu: docs/top.md.

#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "problem.hpp"
#include "tests/01-lu/amounts.hpp"
#include "tests/common/top.cuh"

namespace lu {
void resident_panel(const Problem& p);
void cluster_panel(const Problem& p);
void look_ahead(const Problem& p);
void async_stores(const Problem& p);
}  // namespace lu

namespace {

using ladder::check;
using ladder::top::uniform;
using lu::Problem;
using nlohmann::json;

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
const Entry entries[] = {{"cuSOLVER", cusolver},
                         {"t2", lu::resident_panel},
                         {"t3", lu::cluster_panel},
                         {"t4", lu::look_ahead},
                         {"t5", lu::async_stores}};

/// Uniform; scaled: rows by powers of two from 2^-30 to 2^30.
__global__ void fill(bool scaled, int n, double* A) {
  const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= std::size_t(n) * n) return;
  const double x = uniform(at, 20260001);
  A[at] = scaled ? ldexp(x, int(30 * uniform(at / n, 20260002))) : x;
}

// ---------------------------------------------------------------- errors

enum class Part { all, upper, unit_lower };

/// y = T x and z = |T| w, one warp per row. T: A, or the triangle U or L of it. Element (r, c) is A[r * down
/// + c * across].
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
  for (std::size_t i = 0; i < n; ++i)
    errors[i] = std::abs(expected[i] - got[i]) / (0x1p-53 * double(n) * magnitudes[i]);
  return ladder::top::errors(errors);
}

// ---------------------------------------------------------------- times

/// A system of one size: the matrix as it is given, and what is factorised.
struct System {
  ladder::DeviceBuffer<double> given, A;
  ladder::DeviceBuffer<int> pivot, info;
  Problem problem;

  System(int n, bool scaled) : given(std::size_t(n) * n), A(std::size_t(n) * n), pivot(n), info(1) {
    fill<<<unsigned((std::size_t(n) * n + 255) / 256), 256>>>(scaled, n, given.get());
    check(cudaGetLastError());
    problem = {n, A.get(), pivot.get(), info.get()};
  }
  void renew() const {
    check(cudaMemcpy(A.get(), given.get(), A.bytes(), cudaMemcpyDeviceToDevice));
    check(cudaDeviceSynchronize());
  }
};

void profile(int n, ladder::top::Profile& profile) {
  const System system(n, false);
  for (const Entry& entry : entries)
    profile.call(
        std::to_string(n), entry.name, [&] { system.renew(); }, [&] { entry.run(system.problem); });
}

/// One size: all entries by turns. @return a row per entry
json measure(int n, bool scaled, bool timed) {
  const System system(n, scaled);
  const Problem& p = system.problem;
  const auto call = [&](const Entry& entry) {
    system.renew();
    return ladder::top::seconds_of([&] { entry.run(p); });
  };
  json rows = json::array();
  for (const Entry& entry : entries) {
    call(entry);
    rows.push_back({{"shape", std::to_string(n)},
                    {"data", scaled ? "scaled" : "uniform"},
                    {"rung", entry.name},
                    {"operations", lu::work(p).fp64},
                    {"error", errors_of(p, system.given.get(), &entry == entries)}});
  }
  ladder::top::race(rows, timed, [&](std::size_t e) { return call(entries[e]); });
  return rows;
}

}  // namespace

int main(int arguments, char** words) try {
  json result = ladder::top::document("01-lu", "cuSOLVER", "2^-53 n |L| |U|");
  const auto add = [&](const json& rows) { ladder::top::add(result, rows); };
  if (arguments > 1 && std::string(words[1]) == "small") {  // for compute-sanitizer
    for (const int n : {1, 2, 33, 129, 300}) add(measure(n, false, false));
    return 0;
  }
  if (arguments > 2 && std::string(words[1]) == "profile") {
    ladder::top::Profile calls(result);
    profile(4096, calls);
    ladder::top::store(calls.document, words[2]);
    return 0;
  }
  for (const int n : {1, 2, 127, 129}) add(measure(n, false, false));
  add(measure(2000, true, false));
  for (const int n : {1024, 2048, 4095, 4096, 8192, 16384}) add(measure(n, false, true));
  if (arguments > 1) ladder::top::store(result, words[1]);
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "top: %s\n", failure.what());
  return 1;
}
