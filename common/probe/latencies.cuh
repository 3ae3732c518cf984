#pragma once
/// @file
/// How long the memories of a GPU take to answer, by a pointer chase: one thread follows a chain of indices,
/// so that each load must wait for the one before it. And what more warps make of that: the rate at which
/// they read device memory. The executor has neither these memories nor a clock for them: there every latency
/// is an error line, never a number.

#include <cuda_runtime.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/device/cuda.hpp"
#include "common/probe/sample.hpp"

namespace ladder::probe {

inline int attribute(cudaDeviceAttr what) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

inline void finish() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

/// The memories, from the nearest to the farthest; a latency's name is "latency, " and one of these.
inline constexpr const char* memories[] = {"shared memory", "L1", "L2", "device memory", "host memory"};

#ifdef LADDER_EXECUTOR

inline void latencies() {
  for (const char* memory : memories)
    attempt(("latency, " + std::string(memory)).c_str(),
            [] { throw std::runtime_error("the executor has no caches"); });
}

#else

using Word = unsigned long long;
constexpr std::size_t line_bytes = 128, words_of_line = line_bytes / sizeof(Word);

/// What a chase took.
struct Chase {
  long long cycles, ns;
  Word last;  ///< where it ended: the compiler must not find out that nobody needs it
};

inline __device__ long long nanoseconds() {
  long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

enum class Level { shared, l1, l2, far };

/// Follows `chain` for this many steps. The steps before, which bring the chain into the cache, are not
/// timed. Each element is the address of the next one, so that nothing but the load is between two loads.
/// @param chain  of Level::shared: byte offsets
/// @param count  words that shared memory gets
template <Level level>
__global__ void chase(const Word* chain, int count, int warm, int steps, Chase* out) {
  extern __shared__ Word near[];
  if (level == Level::shared)
    for (int i = 0; i < count; ++i) near[i] = chain[i];
  Word at = level == Level::shared ? 0 : reinterpret_cast<Word>(chain);
  const auto follow = [&](int laps) {
    for (int i = 0; i < laps; ++i) {
      if constexpr (level == Level::shared)
        at = *reinterpret_cast<const Word*>(reinterpret_cast<const char*>(near) + static_cast<unsigned>(at));
      else if constexpr (level == Level::l1)
        at = __ldca(reinterpret_cast<const Word*>(at));
      else if constexpr (level == Level::l2)
        at = __ldcg(reinterpret_cast<const Word*>(at));  // past L1
      else
        at = *reinterpret_cast<const volatile Word*>(at);
    }
  };
  follow(warm);
  const long long t0 = nanoseconds(), c0 = clock64();
  follow(steps);
  const long long c1 = clock64(), t1 = nanoseconds();
  *out = {c1 - c0, t1 - t0, at};
}

/// A chain through lines of 128 bytes in random order, so that no prefetcher knows the next one.
/// @param base  the address of the first line
inline std::vector<Word> chain_of(std::size_t lines, Word base) {
  std::vector<Word> order(lines), chain(lines * words_of_line);
  for (std::size_t i = 0; i < lines; ++i) order[i] = i;
  std::mt19937 random(1);
  // One cycle through all lines (Sattolo's algorithm).
  for (std::size_t i = lines - 1; i > 0; --i) std::swap(order[i], order[random() % i]);
  for (std::size_t i = 0; i < lines; ++i) chain[i * words_of_line] = base + order[i] * line_bytes;
  return chain;
}

/// Prints a latency twice, in seconds and in cycles.
inline void print_latency(const char* memory, const std::vector<Chase>& runs, int steps,
                          const std::string& how) {
  std::vector<double> seconds, cycles;
  for (const Chase& run : runs)
    seconds.push_back(1e-9 * double(run.ns) / steps), cycles.push_back(double(run.cycles) / steps);
  print(("latency, " + std::string(memory)).c_str(), "s", seconds, how);
  print(("latency in cycles, " + std::string(memory)).c_str(), "cycle", cycles, how);
}

/// @param warm  steps before the timed ones; 0: the lines are not in L2, which other bytes have filled
template <Level level>
void latency(const char* memory, const Word* chain, std::size_t lines, int warm, int steps,
             const std::string& how) {
  const DeviceBuffer<Chase> out(1);
  const std::size_t cache = std::max(attribute(cudaDevAttrL2CacheSize), 1 << 20);
  const DeviceBuffer<char> other(warm == 0 ? 2 * cache : 1);
  const int count = level == Level::shared ? static_cast<int>(lines * words_of_line) : 0;
  std::vector<Chase> runs;
  for (int i = 0; i < 6; ++i) {
    if (warm == 0) check(cudaMemset(other.get(), i, other.bytes()));
    chase<level><<<1, 1, count * sizeof(Word)>>>(chain, count, warm, steps, out.get());
    finish();
    Chase run{};
    check(cudaMemcpy(&run, out.get(), sizeof run, cudaMemcpyDeviceToHost));
    if (i > 0) runs.push_back(run);  // the first one wakes the clocks
  }
  print_latency(memory, runs, steps, how);
}

template <Level level>
void on_device(const char* memory, std::size_t bytes, bool warm, int steps, const std::string& how) {
  const std::size_t lines = bytes / line_bytes;
  const DeviceBuffer<Word> there(lines * words_of_line);
  const std::vector<Word> chain =
      chain_of(lines, level == Level::shared ? 0 : reinterpret_cast<Word>(there.get()));
  check(cudaMemcpy(there.get(), chain.data(), there.bytes(), cudaMemcpyHostToDevice));
  latency<level>(memory, there.get(), lines, warm ? static_cast<int>(lines) : 0, steps,
                 "chain through " + how + ", one thread");
}

/// The GPU reads the host's memory over PCIe, a line at a time.
inline void host_latency() {
  constexpr std::size_t lines = 8192;
  const PinnedBuffer<Word> here(lines * words_of_line);
  const std::vector<Word> chain = chain_of(lines, reinterpret_cast<Word>(here.get()));
  std::copy(chain.begin(), chain.end(), here.get());
  latency<Level::far>("host memory", here.get(), lines, 0, 4096,
                      "chain through 1 MiB of cudaMallocHost memory, one thread of the GPU");
}

inline void latencies() {
  const std::size_t cache = std::max(attribute(cudaDevAttrL2CacheSize), 1 << 20), KiB = 1024;
  const std::size_t far = std::max<std::size_t>(4 * cache, 64 * KiB * KiB) / line_bytes * line_bytes;
  attempt("latency, shared memory",
          [&] { on_device<Level::shared>(memories[0], 16 * KiB, true, 1 << 16, "16 KiB"); });
  attempt("latency, L1", [&] { on_device<Level::l1>(memories[1], 16 * KiB, true, 1 << 16, "16 KiB"); });
  attempt("latency, L2", [&] {
    on_device<Level::l2>(memories[2], cache / 8 / line_bytes * line_bytes, true, 1 << 16,
                         mebibytes(cache / 8) + ", past L1");
  });
  attempt("latency, device memory", [&] {
    on_device<Level::far>(memories[3], far, false, 1 << 14,
                          mebibytes(far) + ", each line once, L2 full of other bytes");
  });
  if (attribute(cudaDevAttrIntegrated) == 0) attempt("latency, host memory", host_latency);
}

#endif

/// Each thread has one load of 8 bytes in flight: it needs the sum before it asks for the next element.
static __global__ void read_one_by_one(const double* from, double* out, std::size_t count) {
  double sum = 0;
  const std::size_t threads = std::size_t(gridDim.x) * blockDim.x;
#pragma unroll 1
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += threads)
    sum += __ldcg(&from[i]);
  if (sum == 12345.678) out[0] = sum;
}

/// The rate of reading device memory, far more of it than L2 holds, with 1, 2, 4, … resident warps on each
/// multiprocessor.
inline void reads_by_warps() {
  const std::size_t bytes = std::size_t{1} << 30;
  const DeviceBuffer<double> from(bytes / sizeof(double)), out(1);
  check(cudaMemset(from.get(), 0, bytes));
  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount),
            max = attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / 32;
  std::vector<int> counts;
  for (int warps = 1; warps < max; warps *= 2) counts.push_back(warps);
  counts.push_back(max);
  for (const int warps : counts) {
    const int blocks = warps > 32 ? 2 : 1;  // of a multiprocessor
    const auto times = times_of([&] {
      read_one_by_one<<<blocks * multiprocessors, 32 * warps / blocks>>>(from.get(), out.get(), from.size());
      finish();
    });
    print(("read by warps, " + std::to_string(warps)).c_str(), "byte/s", rates(double(bytes), times),
          "reads " + mebibytes(bytes) + "; each lane has one load of 8 bytes in flight");
  }
}

}  // namespace ladder::probe
