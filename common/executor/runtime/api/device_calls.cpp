/// @file
/// Questions about the device, and its clock.

#include <time.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>

#include "common/executor/include/executor/device.h"
#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/api/device_properties.hpp"
#include "common/executor/runtime/assertions.hpp"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/device_heap.hpp"
#include "common/executor/runtime/memory.hpp"

using namespace ladder::executor;
namespace model = ladder::model;

namespace {

constexpr int version = 13000;
constexpr const char* bus_id = "0000:00:00.0";
unsigned device_flags = 0;

cudaError_t check_device(int device) {
  return device == 0 ? cudaSuccess : remember(cudaErrorInvalidDevice);
}

}  // namespace

const model::Multiprocessors& ladder::executor::visible_multiprocessors() {
  using namespace ladder::model;
  const auto read = [](const char* variable, std::size_t fallback, long max) {
    return setting(variable, static_cast<long>(fallback), 1, max);
  };
  static const model::Multiprocessors value{
      static_cast<int>(read("LADDER_EXECUTOR_MULTIPROCESSORS", multiprocessors, 1024)),
      static_cast<int>(read("LADDER_EXECUTOR_MULTIPROCESSOR_THREADS", threads_per_multiprocessor, 2048)),
      static_cast<int>(read("LADDER_EXECUTOR_MULTIPROCESSOR_BLOCKS", blocks_per_multiprocessor, 32)),
      static_cast<std::size_t>(
          read("LADDER_EXECUTOR_MULTIPROCESSOR_SHARED", shared_per_multiprocessor, 1 << 20))};
  return value;
}

std::size_t ladder::executor::visible_shared_per_block() {
  const std::size_t shared = visible_multiprocessors().shared;
  return std::min(model::shared_per_block_optin, shared - std::min(shared, model::reserved_shared_per_block));
}

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
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return check_device(device);
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  for (int i = 0; i < count; ++i)
    if (const cudaError_t error = check_device(devices[i])) return error;
  return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  device_flags = flags;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = device_flags;
  return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (const cudaError_t error = check_device(device)) return error;
  *p = {};
  std::strncpy(p->name, model::name, sizeof p->name - 1);
  p->totalGlobalMem = DeviceMemory::get().total();
  p->sharedMemPerBlock = model::shared_per_block;
  p->sharedMemPerBlockOptin = visible_shared_per_block();
  p->sharedMemPerMultiprocessor = visible_multiprocessors().shared;
  p->reservedSharedMemPerBlock = model::reserved_shared_per_block;
  p->regsPerBlock = p->regsPerMultiprocessor = model::registers_per_multiprocessor;
  p->warpSize = 32;
  p->memPitch = INT_MAX;
  p->maxThreadsPerBlock = static_cast<int>(max_threads);
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = INT_MAX;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = model::clock_khz;
  p->totalConstMem = model::constant_bytes;
  p->major = 9;
  p->textureAlignment = 512;
  p->texturePitchAlignment = 32;
  p->surfaceAlignment = 512;
  p->deviceOverlap = 1;
  p->memoryClockRate = model::clock_khz;
  p->memoryBusWidth = 128;
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->singleToDoublePrecisionPerfRatio = 2;
  p->computePreemptionSupported = p->canUseHostPointerForRegisteredMem = 1;
  p->unifiedFunctionPointers = 1;
  p->multiProcessorCount = visible_multiprocessors().count;
  p->maxThreadsPerMultiProcessor = visible_multiprocessors().threads;
  p->maxBlocksPerMultiProcessor = visible_multiprocessors().blocks;
  p->l2CacheSize = model::l2_bytes;
  p->canMapHostMemory = p->concurrentKernels = p->asyncEngineCount = p->unifiedAddressing = 1;
  p->managedMemory = p->concurrentManagedAccess = p->cooperativeLaunch = p->streamPrioritiesSupported = 1;
  p->hostRegisterSupported = p->memoryPoolsSupported = 1;
  return cudaSuccess;
}

namespace {

/// Attributes are the fields of cudaDeviceProp by other names.
constexpr struct {
  cudaDeviceAttr attribute;
  int (*value)(const cudaDeviceProp&);
} attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.maxThreadsPerBlock); }},
    {cudaDevAttrMaxBlockDimX, [](const cudaDeviceProp& p) { return static_cast<int>(p.maxThreadsDim[0]); }},
    {cudaDevAttrMaxBlockDimY, [](const cudaDeviceProp& p) { return static_cast<int>(p.maxThreadsDim[1]); }},
    {cudaDevAttrMaxBlockDimZ, [](const cudaDeviceProp& p) { return static_cast<int>(p.maxThreadsDim[2]); }},
    {cudaDevAttrMaxGridDimX, [](const cudaDeviceProp& p) { return static_cast<int>(p.maxGridSize[0]); }},
    {cudaDevAttrMaxGridDimY, [](const cudaDeviceProp& p) { return static_cast<int>(p.maxGridSize[1]); }},
    {cudaDevAttrMaxGridDimZ, [](const cudaDeviceProp& p) { return static_cast<int>(p.maxGridSize[2]); }},
    {cudaDevAttrMaxSharedMemoryPerBlock,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.sharedMemPerBlock); }},
    {cudaDevAttrTotalConstantMemory,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.totalConstMem); }},
    {cudaDevAttrWarpSize, [](const cudaDeviceProp& p) { return static_cast<int>(p.warpSize); }},
    {cudaDevAttrMaxPitch, [](const cudaDeviceProp& p) { return static_cast<int>(p.memPitch); }},
    {cudaDevAttrMaxRegistersPerBlock,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.regsPerBlock); }},
    {cudaDevAttrClockRate, [](const cudaDeviceProp& p) { return static_cast<int>(p.clockRate); }},
    {cudaDevAttrTextureAlignment,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.textureAlignment); }},
    {cudaDevAttrTexturePitchAlignment,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.texturePitchAlignment); }},
    {cudaDevAttrGpuOverlap, [](const cudaDeviceProp& p) { return static_cast<int>(p.deviceOverlap); }},
    {cudaDevAttrMultiProcessorCount,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.multiProcessorCount); }},
    {cudaDevAttrKernelExecTimeout,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.kernelExecTimeoutEnabled); }},
    {cudaDevAttrIntegrated, [](const cudaDeviceProp& p) { return static_cast<int>(p.integrated); }},
    {cudaDevAttrCanMapHostMemory,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.canMapHostMemory); }},
    {cudaDevAttrComputeMode, [](const cudaDeviceProp& p) { return static_cast<int>(p.computeMode); }},
    {cudaDevAttrSurfaceAlignment,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.surfaceAlignment); }},
    {cudaDevAttrConcurrentKernels,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.concurrentKernels); }},
    {cudaDevAttrEccEnabled, [](const cudaDeviceProp& p) { return static_cast<int>(p.ECCEnabled); }},
    {cudaDevAttrPciBusId, [](const cudaDeviceProp& p) { return static_cast<int>(p.pciBusID); }},
    {cudaDevAttrPciDeviceId, [](const cudaDeviceProp& p) { return static_cast<int>(p.pciDeviceID); }},
    {cudaDevAttrPciDomainId, [](const cudaDeviceProp& p) { return static_cast<int>(p.pciDomainID); }},
    {cudaDevAttrTccDriver, [](const cudaDeviceProp& p) { return static_cast<int>(p.tccDriver); }},
    {cudaDevAttrMemoryClockRate, [](const cudaDeviceProp& p) { return static_cast<int>(p.memoryClockRate); }},
    {cudaDevAttrGlobalMemoryBusWidth,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.memoryBusWidth); }},
    {cudaDevAttrL2CacheSize, [](const cudaDeviceProp& p) { return static_cast<int>(p.l2CacheSize); }},
    {cudaDevAttrMaxThreadsPerMultiProcessor,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.maxThreadsPerMultiProcessor); }},
    {cudaDevAttrAsyncEngineCount,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.asyncEngineCount); }},
    {cudaDevAttrUnifiedAddressing,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.unifiedAddressing); }},
    {cudaDevAttrComputeCapabilityMajor, [](const cudaDeviceProp& p) { return static_cast<int>(p.major); }},
    {cudaDevAttrComputeCapabilityMinor, [](const cudaDeviceProp& p) { return static_cast<int>(p.minor); }},
    {cudaDevAttrStreamPrioritiesSupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.streamPrioritiesSupported); }},
    {cudaDevAttrGlobalL1CacheSupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.globalL1CacheSupported); }},
    {cudaDevAttrLocalL1CacheSupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.localL1CacheSupported); }},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.sharedMemPerMultiprocessor); }},
    {cudaDevAttrMaxRegistersPerMultiprocessor,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.regsPerMultiprocessor); }},
    {cudaDevAttrManagedMemory, [](const cudaDeviceProp& p) { return static_cast<int>(p.managedMemory); }},
    {cudaDevAttrIsMultiGpuBoard, [](const cudaDeviceProp& p) { return static_cast<int>(p.isMultiGpuBoard); }},
    {cudaDevAttrMultiGpuBoardGroupID,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.multiGpuBoardGroupID); }},
    {cudaDevAttrHostNativeAtomicSupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.hostNativeAtomicSupported); }},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.singleToDoublePrecisionPerfRatio); }},
    {cudaDevAttrPageableMemoryAccess,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.pageableMemoryAccess); }},
    {cudaDevAttrConcurrentManagedAccess,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.concurrentManagedAccess); }},
    {cudaDevAttrComputePreemptionSupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.computePreemptionSupported); }},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.canUseHostPointerForRegisteredMem); }},
    {cudaDevAttrCooperativeLaunch,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.cooperativeLaunch); }},
    {cudaDevAttrCooperativeMultiDeviceLaunch,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.cooperativeMultiDeviceLaunch); }},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.sharedMemPerBlockOptin); }},
    {cudaDevAttrHostRegisterSupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.hostRegisterSupported); }},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.pageableMemoryAccessUsesHostPageTables); }},
    {cudaDevAttrDirectManagedMemAccessFromHost,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.directManagedMemAccessFromHost); }},
    {cudaDevAttrMaxBlocksPerMultiprocessor,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.maxBlocksPerMultiProcessor); }},
    {cudaDevAttrMaxPersistingL2CacheSize,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.persistingL2CacheMaxSize); }},
    {cudaDevAttrMaxAccessPolicyWindowSize,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.accessPolicyMaxWindowSize); }},
    {cudaDevAttrReservedSharedMemoryPerBlock,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.reservedSharedMemPerBlock); }},
    {cudaDevAttrSparseCudaArraySupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.sparseCudaArraySupported); }},
    {cudaDevAttrHostRegisterReadOnlySupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.hostRegisterReadOnlySupported); }},
    {cudaDevAttrMemoryPoolsSupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.memoryPoolsSupported); }},
    {cudaDevAttrGPUDirectRDMASupported,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.gpuDirectRDMASupported); }},
    {cudaDevAttrClusterLaunch, [](const cudaDeviceProp& p) { return static_cast<int>(p.clusterLaunch); }},
    {cudaDevAttrIpcEventSupport,
     [](const cudaDeviceProp& p) { return static_cast<int>(p.ipcEventSupported); }},
};

}  // namespace

/// What is in no field is 0: the executor has no textures, clusters or other devices.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp properties;
  if (!value) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device)) return error;
  *value = 0;
  for (const auto& known : attributes)
    if (known.attribute == attribute) *value = known.value(properties);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (const cudaError_t error = check_device(device)) return error;
  if (!text || length <= static_cast<int>(std::strlen(bus_id))) return remember(cudaErrorInvalidValue);
  std::strcpy(text, bus_id);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  *device = 0;
  return std::strcmp(text, bus_id) == 0 ? cudaSuccess : remember(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = 0;
  if (const cudaError_t error = check_device(device)) return error;
  return check_device(peer);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return remember(peer == 0 ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return remember(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceReset(Site site) {
  const cudaError_t error = cudaDeviceSynchronize(site);
  forget_device_error();
  return error == cudaErrorAssert ? cudaSuccess : error;
}
cudaError_t cudaThreadSynchronize(Site site) {
  return cudaDeviceSynchronize(site);
}
cudaError_t cudaThreadExit(Site site) {
  return cudaDeviceReset(site);
}

namespace {
constexpr std::size_t printf_bytes = std::size_t{8} << 20;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      *value = stack_bytes();
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      *value = printf_bytes;
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      *value = DeviceHeap::get().size();
      return cudaSuccess;
    case cudaLimitMaxL2FetchGranularity:
      *value = 64;
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
      *value = 0;
      return cudaSuccess;
    default:
      return remember(cudaErrorUnsupportedLimit);
  }
}

/// Stacks have one size here; printf in kernels has no limit of its own.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value, Site site) {
  if (limit == cudaLimitStackSize && value > stack_bytes())
    return fail(cudaErrorInvalidValue, site,
                "cudaDeviceSetLimit: a kernel thread has a stack of " + std::to_string(stack_bytes()) +
                    " bytes in the executor");
  if (limit == cudaLimitMallocHeapSize && !DeviceHeap::get().resize(value))
    return fail(cudaErrorInvalidValue, site,
                "cudaDeviceSetLimit: the heap's size must be set before the first kernel allocates from it");
  if (limit == cudaLimitDevRuntimeSyncDepth || limit == cudaLimitDevRuntimePendingLaunchCount)
    return remember(cudaErrorUnsupportedLimit);
  return cudaSuccess;
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

/// One name, two meanings: a kernel's clock() is the device's, the host's is that of the C library, written
/// again here.
extern "C" clock_t clock() noexcept {
  if (in_kernel()) return device_clock();
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
