/// @file
/// ceilings-host: how fast the cores copy and compute, one line of JSON a ceiling. With --version: OpenBLAS's
/// configuration.

#include <cblas.h>
#include <omp.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string_view>

#include "common/tool/probe/sample.hpp"

using namespace ladder::probe;

namespace {

/// Bytes read and written a second when every core copies its part of an array far larger than the caches.
void copy() {
  const std::size_t cores = omp_get_max_threads(), MiB = std::size_t{1} << 20;
  const std::size_t memory = std::size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  const std::size_t bytes = std::min({std::max(64 * MiB * cores, 256 * MiB), 4096 * MiB, memory / 8});
  const std::unique_ptr<char[]> from(new char[bytes]), to(new char[bytes]);
  const auto each_part = [&](auto&& work) {
#pragma omp parallel
    {
      const std::size_t begin = bytes / omp_get_num_threads() * omp_get_thread_num();
      work(begin, bytes / omp_get_num_threads());
    }
  };
  // The thread that writes a page first decides which memory it lies in.
  each_part([&](std::size_t begin, std::size_t size) {
    std::memset(&from[begin], 1, size), std::memset(&to[begin], 2, size);
  });
  const auto times = times_of([&] {
    each_part([&](std::size_t begin, std::size_t size) { std::memcpy(&to[begin], &from[begin], size); });
  });
  print("copy", "byte/s", rates(2.0 * bytes, times),
        "memcpy of " + mebibytes(bytes) + " on all cores, read and written bytes");
}

#if defined(__AVX512F__)
constexpr int width = 8;
#elif defined(__AVX__)
constexpr int width = 4;
#else
constexpr int width = 2;
#endif
typedef double Vector __attribute__((vector_size(width * sizeof(double))));

/// Independent chains: enough to hide the latency of a multiply-add on every port, few enough for the
/// registers.
constexpr int chains = 10;
volatile double sink;

void multiply_add(long rounds) {
#pragma omp parallel
  {
    Vector x[chains], a, b;
    for (int k = 0; k < width; ++k) a[k] = 0.999999, b[k] = 1e-6 * (k + 1);
    for (int c = 0; c < chains; ++c) x[c] = b * c;
    for (long r = 0; r < rounds; ++r) {
#pragma GCC unroll 16
      for (int c = 0; c < chains; ++c) x[c] = x[c] * a + b;
    }
    double sum = 0;
    for (int c = 0; c < chains; ++c) {
      for (int k = 0; k < width; ++k) sum += x[c][k];
    }
    sink = sum;  // the compiler must not find out that nobody needs it
  }
}

void peak() {
  const long rounds = 2'000'000;
  const double flops = 2.0 * chains * width * rounds * omp_get_max_threads();
  print("double multiply-add", "flop/s", rates(flops, times_of([&] { multiply_add(rounds); })),
        "independent chains of multiply-adds in registers, " + std::to_string(width) +
            " doubles wide, all cores");
}

void dgemm() {
  for (int n = 1024;; n *= 2) {
    std::vector<double> A(std::size_t(n) * n, 1.5), B(A.size(), 0.5), C(A.size());
    const auto multiply = [&] {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A.data(), n, B.data(), n, 0,
                  C.data(), n);
    };
    multiply();
    // A product that takes too little time measures the start of the threads.
    if (n < 8192 && seconds_of(multiply) < 0.02) continue;
    print("double dgemm", "flop/s", rates(2.0 * n * n * n, times_of(multiply)),
          "OpenBLAS dgemm, n = " + std::to_string(n));
    return;
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && arguments[1] == std::string_view("--version")) {
    std::printf("{\"openblas\":%s}\n", quoted(openblas_get_config()).c_str());
    return 0;
  }
  attempt("copy", copy);
  attempt("double multiply-add", peak);
  attempt("double dgemm", dgemm);
}
