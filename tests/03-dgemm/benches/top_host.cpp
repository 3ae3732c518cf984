/// @file
/// The rungs of the processor next to OpenBLAS: time and error at many sizes, in one run. A measurement; no
/// test.
///
///     ninja -C build benches/03-dgemm/top_host && build/benches/03-dgemm/top_host top.json
///
/// The rung and OpenBLAS are called in 15 rounds, each in another random order, with as many threads as there
/// are cores. A measurement is as many calls as take 20 ms. Errors are of 4096 elements, in units of 2^-53
/// |A| |B|, next to sums of twice the digits. With the word `small` only the sizes that take no time.

#include <cblas.h>
#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

#include "common/probe/cores.hpp"
#include "problem.hpp"
#include "tests/common/top.hpp"

namespace dgemm {
void packing(const Problem& p);
void library(const Problem& p);  // OpenBLAS
}  // namespace dgemm

namespace {

using dgemm::Problem;
using nlohmann::json;

struct Entry {
  const char* name;
  void (*run)(const Problem&);
};
constexpr Entry entries[] = {{"OpenBLAS", dgemm::library}, {"c2", dgemm::packing}};

/// m, n, k, and how much longer than their elements rows are.
struct Shape {
  int m, n, k, pad;

  std::string text() const {
    const std::string size = m == n && n == k
                                 ? std::to_string(n)
                                 : std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k);
    return pad > 0 ? size + ", rows padded by " + std::to_string(pad) : size;
  }
};

/// A and B uniform in (-1, 1), C.
struct Matrices {
  std::vector<double> A, B, C;
  Problem problem;

  explicit Matrices(const Shape& s)
      : A(std::size_t(s.m) * (s.k + s.pad)),
        B(std::size_t(s.k) * (s.n + s.pad)),
        C(std::size_t(s.m) * (s.n + s.pad)) {
    std::mt19937_64 random(20260001);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (auto* const all : {&A, &B})
      for (double& x : *all) x = uniform(random);
    problem = {s.m, s.n, s.k, s.k + s.pad, s.n + s.pad, s.n + s.pad, A.data(), B.data(), C.data()};
  }
};

/// Rounded, whatever the compiler would like to put together with it.
[[gnu::noinline]] double rounded_product(double a, double b) {
  return a * b;
}

/// |C - A B| in units of 2^-53 |A| |B|, with a sum of twice the digits.
double error_of(const Problem& p, std::size_t row, std::size_t column) {
  double sum = 0, rest = 0, magnitude = 0;
  for (int q = 0; q < p.k; ++q) {
    const double a = p.A[row * p.lda + q], b = p.B[q * std::size_t(p.ldb) + column];
    const double product = rounded_product(a, b), next = sum + product, part = next - sum;
    rest += (sum - (next - part)) + (product - part) + std::fma(a, b, -product);
    sum = next;
    magnitude += std::fabs(product);
  }
  return std::fabs((sum - p.C[row * p.ldc + column]) + rest) / (magnitude * 0x1p-53);
}

json errors_of(const Problem& p) {
  std::mt19937 random(77);
  std::vector<double> all(4096);
  for (double& one : all) one = error_of(p, random() % p.m, random() % p.n);
  return ladder::top::errors(all);
}

/// One shape: the rung and the library by turns. @return a row for each
json measure(const Shape& shape, bool timed) {
  Matrices matrices(shape);
  const Problem& p = matrices.problem;
  int calls[std::size(entries)] = {1, 1};
  const auto seconds = [&](std::size_t e) {
    // Threads of the one before wait awake for more work, OpenBLAS's for 2^28 cycles: not next to this one.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return ladder::probe::seconds_of([&] {
             for (int call = 0; call < calls[e]; ++call) entries[e].run(p);
           }) /
           calls[e];
  };
  json rows = json::array();
  for (std::size_t e = 0; e < std::size(entries); ++e) {
    std::fill(matrices.C.begin(), matrices.C.end(), std::numeric_limits<double>::quiet_NaN());
    entries[e].run(p);
    rows.push_back({{"shape", shape.text()},
                    {"data", "uniform"},
                    {"rung", entries[e].name},
                    {"operations", 2.0 * p.m * p.n * p.k},
                    {"error", errors_of(p)}});
    if (timed) calls[e] = std::clamp(int(20e-3 / seconds(e)), 1, 1000);
  }
  ladder::top::race(rows, timed, seconds);
  return rows;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "a processor";
}

}  // namespace

int main(int count, char** words) try {
  // Threads that sleep before a measurement must not wake up on one core. libgomp reads this before main.
  if (!std::getenv("OMP_PROC_BIND") && ::setenv("OMP_PROC_BIND", "true", 1) == 0)
    ::execv("/proc/self/exe", words);
  const int threads = omp_get_max_threads();
  openblas_set_num_threads(threads);
  json result = ladder::top::document(
      "03-dgemm", "OpenBLAS", "2^-53 |A| |B|", processor() + ", " + std::to_string(threads) + " threads",
      {"FP64 peak of these cores", ladder::probe::multiply_add_rates<double>().back()});
  result["host"] = true;
  for (const int n : {1, 2, 127, 129}) ladder::top::add(result, measure({n, n, n, 1}, false));
  if (count > 1 && std::string_view(words[1]) == "small") return 0;
  for (const int n : {256, 512, 1024, 2048, 4096}) ladder::top::add(result, measure({n, n, n, 0}, true));
  if (threads >= 8) ladder::top::add(result, measure({8192, 8192, 8192, 0}, true));
  for (const Shape& shape : {Shape{2048, 2048, 2048, 1},  // odd leading dimensions
                             Shape{2047, 2049, 2051, 0},  // no multiple of anything
                             Shape{4096, 4096, 64, 0},    // thin
                             Shape{64, 2048, 2048, 0}, Shape{256, 256, 16384, 0}})
    ladder::top::add(result, measure(shape, true));
  if (count > 1) ladder::top::store(result, words[1]);
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "top_host: %s\n", failure.what());
  return 1;
}
