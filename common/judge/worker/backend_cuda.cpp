// The same file for a GPU (nvcc) and for the executor (with its cuda_runtime.h).
#include <cuda_runtime.h>

#include "common/device/cuda.hpp"
#include "common/judge/worker/worker.hpp"
#ifdef LADDER_RANKS
#include "common/device/nccl.hpp"
#include "common/judge/worker/mpi_ranks.hpp"
#endif

namespace ladder {
#ifndef LADDER_EXECUTOR
void keep_device_busy(long long nanoseconds);  // warm_cuda.cu
#endif
namespace {

/// CUDA's name and text of an error, and on the executor the reason.
std::string error_text(cudaError_t code) {
  const std::string why = details::reason_of(code);
  return std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code) +
         (why.empty() ? "" : ": " + why);
}

class Cuda final : public Backend {
 public:
#ifdef LADDER_RANKS
  Cuda(int* argc, char*** argv) : ranks_(argc, argv, MPI_THREAD_MULTIPLE) {
    int devices = 0;
    check(cudaGetDeviceCount(&devices));
    check(cudaSetDevice(ranks_.rank() % devices));
    check(cudaFree(nullptr));
    int version = 0;
    check(ncclGetVersion(&version));  // by this call a recorder in front of NCCL knows that it is there
  }
  int rank() const override {
    return ranks_.rank();
  }
  void together() override {
    ranks_.together();
  }
  void settle() override {
    ranks_.settle();
  }
#else
  Cuda(int*, char***) {
    check(cudaFree(nullptr));  // makes the context, so that the first call does not pay for it
  }
#endif
#ifdef LADDER_EXECUTOR
  const char* name() const override {
    return "executor";
  }
#else
  const char* name() const override {
    return "cuda";
  }
#endif
  std::string device() const override {
    int id = 0;
    cudaDeviceProp properties{};
    check(cudaGetDevice(&id));
    check(cudaGetDeviceProperties(&properties, id));
#ifdef LADDER_RANKS
    return properties.name + ranks_.where();
#else
    return properties.name;
#endif
  }
  void synchronize() override {
    cudaError_t code = cudaDeviceSynchronize();
    if (code == cudaSuccess) code = cudaGetLastError();
    if (code != cudaSuccess)
      throw Error("returned and left an error behind that it did not ask for: " + error_text(code));
  }
#ifndef LADDER_EXECUTOR
  void warm() override {
    // What an earlier call has had kept in the L2 cache is not kept for the one that is timed.
    static_cast<void>(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
    static_cast<void>(cudaCtxResetPersistingL2Cache());
    static_cast<void>(cudaGetLastError());  // of a device that has no such part
    keep_device_busy(10'000'000);  // after an idle time a device needs milliseconds to raise its clocks
    synchronize();
  }
#endif
  bool gives_addresses() const override {
    return true;
  }
  void* allocate(std::size_t bytes, [[maybe_unused]] const char* name) override {
    void* pointer = nullptr;
#ifdef LADDER_EXECUTOR
    check(executor::allocate_named(&pointer, bytes ? bytes : 1, name));
#else
    check(cudaMalloc(&pointer, bytes ? bytes : 1));
#endif
    return pointer;
  }
  void release(void* pointer) override {
    static_cast<void>(cudaFree(pointer));
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
  }
  void fill(void* to, std::byte value, std::size_t bytes) override {
    check(cudaMemset(to, std::to_integer<int>(value), bytes));
  }
#ifdef LADDER_RANKS

 private:
  MpiRanks ranks_;
#endif
};

}  // namespace

Backend& backend(int* argc, char*** argv) {
  static Cuda cuda(argc, argv);
  return cuda;
}

}  // namespace ladder
