/// @file
/// The rungs t1 to t3 next to cuSOLVER: time and error at many sizes, in one run. Measurements on a GPU; no
/// test.
///
///     ninja -C build benches/02-gauss/top && build/benches/02-gauss/top top.json
///
/// Every rung, and cusolverDnDgetrf with getrs, solve the same system in 15 rounds, each in another random
/// order, data on the device. A measurement is one call, between two events; the system is copied again
/// before each. cuSOLVER gets the matrix as it is: it factorises the transposed one, and its time has no
/// transposition. Errors are |b - A x| of every row, in units of 2^-53 n |A| |x|. With the word `small`, no
/// times: for compute-sanitizer. `profile FILE` is for ncu: docs/top.md.

#include <algorithm>
#include <cmath>
#include <functional>

#include "problem.hpp"
#include "tests/02-gauss/amounts.hpp"
#include "tests/02-gauss/peers/cusolver.cu"
#include "tests/common/top.cuh"

namespace gauss {
void blocked(const Problem& p);
void look_ahead(const Problem& p);
void two_panels(const Problem& p);
}  // namespace gauss

namespace {

using gauss::Problem;
using ladder::check;
using ladder::top::uniform;
using nlohmann::json;

struct Entry {
  const char* name;
  std::function<void(const Problem&)> run;
};
const Entry entries[] = {{"cuSOLVER", gauss::library},
                         {"t1", gauss::blocked},
                         {"t2", gauss::look_ahead},
                         {"t3", gauss::two_panels}};

/// Uniform; scaled: rows by powers of two from 2^-30 to 2^30. The right-hand side is one more column.
__global__ void fill(bool scaled, int n, double* A, double* b) {
  const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= std::size_t(n) * (n + 1)) return;
  const std::size_t row = at / (n + 1), column = at % (n + 1);
  double x = uniform(at, 20260001);
  if (scaled) x = ldexp(x, int(30 * uniform(row, 20260002)));
  (column < std::size_t(n) ? A[row * n + column] : b[row]) = x;
}

/// One warp per row.
__global__ void residuals(int n, const double* A, const double* b, const double* x, double* result) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  double sum = 0, magnitude = 0;
  for (int c = lane; c < n; c += 32) {
    const double a = A[std::size_t(row) * n + c];
    sum = fma(a, x[c], sum);
    magnitude += fabs(a * x[c]);
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    sum += __shfl_down_sync(~0u, sum, lanes);
    magnitude += __shfl_down_sync(~0u, magnitude, lanes);
  }
  if (lane == 0) result[row] = fabs(b[row] - sum) / (0x1p-53 * n * magnitude);
}

/// A system of one size: as it is given, and what is solved.
struct System {
  ladder::DeviceBuffer<double> given, A, given_b, b, x;
  ladder::DeviceBuffer<int> info;
  Problem problem;

  System(int n, bool scaled)
      : given(std::size_t(n) * n), A(std::size_t(n) * n), given_b(n), b(n), x(n), info(1) {
    fill<<<unsigned((std::size_t(n) * (n + 1) + 255) / 256), 256>>>(scaled, n, given.get(), given_b.get());
    check(cudaGetLastError());
    problem.n = problem.lda = n;
    problem.A = A.get(), problem.b = b.get(), problem.x = x.get(), problem.info = info.get();
  }
  void renew() const {
    check(cudaMemcpy(A.get(), given.get(), A.bytes(), cudaMemcpyDeviceToDevice));
    check(cudaMemcpy(b.get(), given_b.get(), b.bytes(), cudaMemcpyDeviceToDevice));
    check(cudaMemset(x.get(), 0xff, x.bytes()));  // NaN
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
  const ladder::DeviceBuffer<double> result(n);
  const auto call = [&](const Entry& entry) {
    system.renew();
    return ladder::top::seconds_of([&] { entry.run(p); });
  };
  json rows = json::array();
  for (const Entry& entry : entries) {
    call(entry);
    residuals<<<(n + 7) / 8, 256>>>(n, system.given.get(), system.given_b.get(), p.x, result.get());
    check(cudaGetLastError());
    std::vector<double> all(n);
    check(cudaMemcpy(all.data(), result.get(), result.bytes(), cudaMemcpyDeviceToHost));
    rows.push_back({{"shape", std::to_string(n)},
                    {"data", scaled ? "scaled" : "uniform"},
                    {"rung", entry.name},
                    {"operations", gauss::work(p).fp64},
                    {"error", ladder::top::errors(all)}});
  }
  ladder::top::race(rows, timed, [&](std::size_t e) { return call(entries[e]); });
  return rows;
}

}  // namespace

int main(int arguments, char** words) try {
  json result = ladder::top::document("02-gauss", "cuSOLVER", "2^-53 n |A| |x|");
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
  for (const int n : {1024, 2048, 4096, 7500, 8192}) add(measure(n, false, true));
  if (arguments > 1) ladder::top::store(result, words[1]);
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "top: %s\n", failure.what());
  return 1;
}
