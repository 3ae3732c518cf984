/// @file
/// ceilings-host: how fast the cores copy and compute, one line of JSON a ceiling. With --version: OpenBLAS's
/// configuration.

#include <cblas.h>
#include <omp.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string_view>

#include "common/probe/cores.hpp"
#include "common/probe/sample.hpp"

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

using Words = Wide<std::uint64_t>::Vector;

/// Reads all of them; bound by where they lie.
void read(const Words* from, std::size_t count, long passes) {
  Words sum[8]{};
  for (long pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < count; i += 8) {
#pragma GCC unroll 8
      for (int c = 0; c < 8; ++c) sum[c] ^= from[i + c];
    }
    asm volatile("" : : : "memory");  // each pass reads again
  }
  for (int c = 1; c < 8; ++c) sum[0] ^= sum[c];
  sink = static_cast<double>(sum[0][0]);
}

void read_memory() {
  const std::size_t bytes = std::size_t{256} << 20, cores = omp_get_max_threads();
  const std::size_t count = bytes / sizeof(Words) / cores / 8 * 8;
  const std::unique_ptr<Words[]> from(new Words[count * cores]);
#pragma omp parallel
  std::memset(static_cast<void*>(&from[count * omp_get_thread_num()]), 1, count * sizeof(Words));
  const auto times = times_of([&] {
#pragma omp parallel
    read(&from[count * omp_get_thread_num()], count, 1);
  });
  print("read", "byte/s", rates(double(count * cores * sizeof(Words)), times),
        mebibytes(bytes) + " on all cores");
}

void read_cache() {
  constexpr std::size_t bytes = std::size_t{128} << 10, count = bytes / sizeof(Words);
  constexpr long passes = 100;
  print(
      "read in cache", "byte/s",
      rates_of_cores(double(bytes) * passes,
                     [] { return [mine = std::vector<Words>(count)] { read(mine.data(), count, passes); }; }),
      "128 KiB on each core, again and again");
}

/// Bytes of all caches from the second level on, those of other sockets too.
void caches() {
  namespace fs = std::filesystem;
  std::set<std::string> seen;
  double bytes = 0;
  const auto text = [](const fs::path& file) {
    std::string line;
    std::getline(std::ifstream(file) >> std::ws, line);
    return line;
  };
  for (const auto& cpu : fs::directory_iterator("/sys/devices/system/cpu")) {
    std::error_code none;
    for (const auto& cache : fs::directory_iterator(cpu.path() / "cache", none)) {
      const std::string level = text(cache.path() / "level"), size = text(cache.path() / "size");
      if (level < "2" || size.empty() || text(cache.path() / "type") == "Instruction") continue;
      if (!seen.insert(level + " " + text(cache.path() / "shared_cpu_list")).second) continue;
      bytes += std::stod(size) * (size.back() == 'M' ? 1 << 20 : 1 << 10);
    }
  }
  if (bytes > 0) print("caches", "byte", {bytes}, "all of level 2 and higher");
}

template <class T>
void peak(const char* what, const char* unit) {
  print(what, unit, multiply_add_rates<T>(),
        "independent chains of multiply-adds in registers, " + std::to_string(Wide<T>::width) +
            " wide, all cores");
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
  attempt("read in cache", read_cache);
  attempt("read", read_memory);
  attempt("caches", caches);
  attempt("double multiply-add", [] { peak<double>("double multiply-add", "flop/s"); });
  attempt("float multiply-add", [] { peak<float>("float multiply-add", "flop/s"); });
  attempt("integer multiply-add", [] { peak<std::uint32_t>("integer multiply-add", "op/s"); });
  attempt("double dgemm", dgemm);
}
