/// @file
/// Handles of cuBLAS that last from holder to holder. Also for nvcc, with -lcublas.

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "common/device/cublas.hpp"

namespace {

using ladder::check;

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

/// A handle is made once, and the next holder finds nothing of the last one.
void handles() {
  const ladder::Stream stream;
  cublasHandle_t first = nullptr;
  {
    const ladder::Cublas blas(stream.get());
    first = blas.get();
    check(cublasSetPointerMode(first, CUBLAS_POINTER_MODE_DEVICE));
  }
  ladder::Cublas again;
  cudaStream_t found = stream.get();
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_DEVICE;
  check(cublasGetStream(again.get(), &found));
  check(cublasGetPointerMode(again.get(), &mode));
  report("a handle is used again", again.get() == first);
  report("without the last one's stream", found == nullptr);
  report("and mode", mode == CUBLAS_POINTER_MODE_HOST);
  const ladder::Cublas other;
  report("who holds one has it alone", other.get() != first);
  const ladder::Cublas moved = std::move(again);
  report("a handle that is moved", moved.get() == first && again.get() == nullptr);
}

/// Threads that hold one handle after the other, two at a time.
void handles_of_threads() {
  constexpr int count = 4, turns = 2000;
  std::mutex mutex;
  std::set<cublasHandle_t> held, all;
  std::atomic<int> shared{0};
  const auto hold = [&](cublasHandle_t handle) {
    const std::lock_guard lock(mutex);
    shared += !held.insert(handle).second;
    all.insert(handle);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < turns; ++turn) {
        const ladder::Cublas one, two;
        for (const auto* blas : {&one, &two}) hold(blas->get());
        const std::lock_guard lock(mutex);
        for (const auto* blas : {&one, &two}) held.erase(blas->get());
      }
    });
  for (std::thread& thread : threads) thread.join();
  report("handles of threads", shared == 0 && all.size() <= 2 * count);
}

}  // namespace

int main() {
  handles();
  handles_of_threads();
}
