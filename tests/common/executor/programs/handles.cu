/// @file
/// Handles of cuBLAS that last from holder to holder. Also for nvcc, with -lcublas.

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
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

#ifdef LADDER_EXECUTOR
/// Two threads set a stream each, in this order, and the first one makes its call: cuBLAS itself says
/// nothing.
void shared_handle() {
  const ladder::Cublas blas;
  const ladder::Stream own, others;
  const ladder::DeviceBuffer<double> x(1);
  check(cudaMemset(x.get(), 0, x.bytes()));
  const double two = 2;
  const auto scale = [&] {
    try {
      check(cublasDscal(blas.get(), 1, &two, x.get(), 1));
    } catch (const ladder::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  check(cublasSetStream(blas.get(), own.get()));
  std::thread([&] { check(cublasSetStream(blas.get(), others.get())); }).join();
  const std::string said = scale();
  report("a handle that threads share", said.find("another thread set another stream") != said.npos);
  check(cublasSetStream(blas.get(), own.get()));
  std::thread([&] {
    check(cublasSetStream(blas.get(), own.get())), report("the same stream", scale().empty());
  }).join();
  report("threads in turn", scale().empty());
}
#else
void shared_handle() {}
#endif

}  // namespace

int main() {
  handles();
  shared_handle();
  handles_of_threads();
}
