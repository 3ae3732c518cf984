/// @file
/// Questions about the device, and its clock.

#include <time.h>

#include <chrono>
#include <climits>
#include <cstring>

#include "common/executor/include/executor/device.h"
#include "common/executor/runtime/block.hpp"
#include "common/executor/runtime/call.hpp"
#include "common/executor/runtime/device_model.hpp"
#include "common/executor/runtime/memory.hpp"

using namespace ladder::executor;

namespace {

constexpr int version = 13000;

cudaError_t check_device(int device) {
  return device == 0 ? cudaSuccess : remember(cudaErrorInvalidDevice);
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  return check_device(device);
}
cudaError_t cudaSetDeviceFlags(unsigned) {
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (const cudaError_t error = check_device(device)) return error;
  *p = {};
  std::strncpy(p->name, model::name, sizeof p->name - 1);
  p->totalGlobalMem = DeviceMemory::get().total();
  p->sharedMemPerBlock = model::shared_per_block;
  p->sharedMemPerBlockOptin = model::shared_per_block_optin;
  p->sharedMemPerMultiprocessor = model::shared_per_multiprocessor;
  p->reservedSharedMemPerBlock = model::reserved_shared_per_block;
  p->regsPerBlock = p->regsPerMultiprocessor = model::registers_per_multiprocessor;
  p->warpSize = 32;
  p->memPitch = INT_MAX;
  p->maxThreadsPerBlock = static_cast<int>(most_threads);
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = INT_MAX;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = model::clock_khz;
  p->totalConstMem = model::constant_bytes;
  p->major = 9;
  p->textureAlignment = 512;
  p->multiProcessorCount = model::multiprocessors;
  p->maxThreadsPerMultiProcessor = model::threads_per_multiprocessor;
  p->maxBlocksPerMultiProcessor = model::blocks_per_multiprocessor;
  p->l2CacheSize = model::l2_bytes;
  p->canMapHostMemory = p->concurrentKernels = p->asyncEngineCount = p->unifiedAddressing = 1;
  p->managedMemory = p->concurrentManagedAccess = p->cooperativeLaunch = p->streamPrioritiesSupported = 1;
  p->hostRegisterSupported = p->memoryPoolsSupported = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  if (const cudaError_t error = cudaGetDeviceProperties(&p, device)) return error;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = p.maxThreadsPerBlock;
      break;
    case cudaDevAttrMaxBlockDimX:
      *value = p.maxThreadsDim[0];
      break;
    case cudaDevAttrMaxBlockDimY:
      *value = p.maxThreadsDim[1];
      break;
    case cudaDevAttrMaxBlockDimZ:
      *value = p.maxThreadsDim[2];
      break;
    case cudaDevAttrMaxGridDimX:
      *value = p.maxGridSize[0];
      break;
    case cudaDevAttrMaxGridDimY:
      *value = p.maxGridSize[1];
      break;
    case cudaDevAttrMaxGridDimZ:
      *value = p.maxGridSize[2];
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(p.sharedMemPerBlock);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(p.sharedMemPerBlockOptin);
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(p.sharedMemPerMultiprocessor);
      break;
    case cudaDevAttrTotalConstantMemory:
      *value = static_cast<int>(p.totalConstMem);
      break;
    case cudaDevAttrWarpSize:
      *value = p.warpSize;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      *value = p.regsPerBlock;
      break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = p.regsPerMultiprocessor;
      break;
    case cudaDevAttrClockRate:
      *value = p.clockRate;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = p.multiProcessorCount;
      break;
    case cudaDevAttrL2CacheSize:
      *value = p.l2CacheSize;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = p.maxThreadsPerMultiProcessor;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = p.maxBlocksPerMultiProcessor;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = p.major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = p.minor;
      break;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported:
      *value = 1;
      break;
    case cudaDevAttrIntegrated:
    case cudaDevAttrMemoryClockRate:
    case cudaDevAttrGlobalMemoryBusWidth:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrClusterLaunch:
      *value = 0;
      break;
    default:
      return remember(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceReset(Site site) {
  return cudaDeviceSynchronize(site);
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (limit == cudaLimitStackSize)
    *value = stack_bytes;
  else
    *value = std::size_t{8} << 20;
  return cudaSuccess;
}

/// Stacks have one size here; printf and malloc in kernels have no limit of their own.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (limit != cudaLimitStackSize || value <= stack_bytes) return cudaSuccess;
  return fail(cudaErrorInvalidValue, {},
              "cudaDeviceSetLimit: a kernel thread has a stack of " + std::to_string(stack_bytes) +
                  " bytes in the executor");
}

cudaError_t cudaDriverGetVersion(int* number) {
  *number = version;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* number) {
  *number = version;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = DeviceMemory::get().total();
  *free = *total - DeviceMemory::get().used();
  return cudaSuccess;
}

long long ladder::executor::device_clock() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

/// One name, two meanings: a kernel's clock() is the device's, the host's is that of the C library, written again here.
extern "C" clock_t clock() noexcept {
  if (in_kernel()) return device_clock();
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
