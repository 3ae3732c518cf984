#pragma once
/// @file
/// Calls of the driver API, as calls of the runtime API. A context is a name without meaning: there is one
/// device.

#include <string.h>

#include "executor/device.h"
#include "executor/memory.h"
#include "executor/streams.h"

#define CUDAAPI

enum CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999,
};
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUstream = cudaStream_t;
using CUevent = cudaEvent_t;
struct CUctx_st;
using CUcontext = CUctx_st*;
using CUuuid = cudaUUID_t;

/// The numbers are those of cudaDeviceAttr.
enum CUdevice_attribute {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
};

namespace ladder::executor {

/// The codes that both have are the same numbers.
inline CUresult driver_result(cudaError_t error) {
  return static_cast<CUresult>(error);
}
inline void* driver_pointer(CUdeviceptr pointer) {
  return reinterpret_cast<void*>(pointer);
}

}  // namespace ladder::executor

inline CUresult cuInit(unsigned) {
  return CUDA_SUCCESS;
}
inline CUresult cuDriverGetVersion(int* version) {
  return ladder::executor::driver_result(cudaDriverGetVersion(version));
}
inline CUresult cuGetErrorName(CUresult result, const char** name) {
  *name = cudaGetErrorName(static_cast<cudaError_t>(result));
  return CUDA_SUCCESS;
}
inline CUresult cuGetErrorString(CUresult result, const char** text) {
  *text = cudaGetErrorString(static_cast<cudaError_t>(result));
  return CUDA_SUCCESS;
}

// Devices
inline CUresult cuDeviceGetCount(int* count) {
  return ladder::executor::driver_result(cudaGetDeviceCount(count));
}
inline CUresult cuDeviceGet(CUdevice* device, int number) {
  *device = number;
  return number == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess && length > 0) {
    strncpy(name, properties.name, static_cast<size_t>(length) - 1);
    name[length - 1] = 0;
  }
  return ladder::executor::driver_result(error);
}
inline CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *bytes = properties.totalGlobalMem;
  return ladder::executor::driver_result(error);
}
inline CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return ladder::executor::driver_result(
      cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

// Contexts
inline CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice) {
  *context = reinterpret_cast<CUcontext>(1);
  return CUDA_SUCCESS;
}
inline CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(1);
  return CUDA_SUCCESS;
}
inline CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  return CUDA_SUCCESS;
}
inline CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = reinterpret_cast<CUcontext>(1);
  return CUDA_SUCCESS;
}
inline CUresult cuCtxSetCurrent(CUcontext) {
  return CUDA_SUCCESS;
}
inline CUresult cuCtxPushCurrent(CUcontext) {
  return CUDA_SUCCESS;
}
inline CUresult cuCtxPopCurrent(CUcontext* context) {
  return cuCtxGetCurrent(context);
}
inline CUresult cuCtxDestroy(CUcontext) {
  return CUDA_SUCCESS;
}
inline CUresult cuCtxSynchronize(LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaDeviceSynchronize(site));
}

// Memory
inline CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes, LADDER_EXECUTOR_SITE) {
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, bytes, site);
  *pointer = reinterpret_cast<CUdeviceptr>(memory);
  return ladder::executor::driver_result(error);
}
inline CUresult cuMemFree(CUdeviceptr pointer, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaFree(ladder::executor::driver_pointer(pointer), site));
}
inline CUresult cuMemGetInfo(size_t* free, size_t* total) {
  return ladder::executor::driver_result(cudaMemGetInfo(free, total));
}
inline CUresult cuMemAllocHost(void** pointer, size_t bytes, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaMallocHost(pointer, bytes, 0, site));
}
inline CUresult cuMemFreeHost(void* pointer, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaFreeHost(pointer, site));
}
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(
      cudaMemcpy(ladder::executor::driver_pointer(to), from, bytes, cudaMemcpyHostToDevice, site));
}
inline CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream,
                                  LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaMemcpyAsync(ladder::executor::driver_pointer(to), from, bytes,
                                                         cudaMemcpyHostToDevice, stream, site));
}
inline CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(
      cudaMemcpy(to, ladder::executor::driver_pointer(from), bytes, cudaMemcpyDeviceToHost, site));
}
inline CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream,
                                  LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaMemcpyAsync(to, ladder::executor::driver_pointer(from), bytes,
                                                         cudaMemcpyDeviceToHost, stream, site));
}
inline CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaMemcpy(ladder::executor::driver_pointer(to),
                                                    ladder::executor::driver_pointer(from), bytes,
                                                    cudaMemcpyDeviceToDevice, site));
}
inline CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream,
                                  LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaMemcpyAsync(ladder::executor::driver_pointer(to),
                                                         ladder::executor::driver_pointer(from), bytes,
                                                         cudaMemcpyDeviceToDevice, stream, site));
}
inline CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t bytes, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(
      cudaMemset(ladder::executor::driver_pointer(to), value, bytes, site));
}

// Streams and events
inline CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return ladder::executor::driver_result(cudaStreamCreateWithFlags(stream, flags));
}
inline CUresult cuStreamSynchronize(CUstream stream, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaStreamSynchronize(stream, site));
}
inline CUresult cuStreamDestroy(CUstream stream, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaStreamDestroy(stream, site));
}
inline CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return ladder::executor::driver_result(cudaEventCreateWithFlags(event, flags));
}
inline CUresult cuEventRecord(CUevent event, CUstream stream, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaEventRecord(event, stream, site));
}
inline CUresult cuEventSynchronize(CUevent event, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaEventSynchronize(event, site));
}
inline CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end, LADDER_EXECUTOR_SITE) {
  return ladder::executor::driver_result(cudaEventElapsedTime(milliseconds, begin, end, site));
}
inline CUresult cuEventDestroy(CUevent event) {
  return ladder::executor::driver_result(cudaEventDestroy(event));
}

// Kernels from files and texts
#define LADDER_EXECUTOR_MODULES(NAME)                                                                \
  template <class... Anything>                                                                       \
  __attribute__((unavailable("the executor has no modules: launch kernels with <<<grid, block>>>"))) \
  CUresult                                                                                           \
  NAME(const Anything&...);
LADDER_EXECUTOR_MODULES(cuModuleLoad)
LADDER_EXECUTOR_MODULES(cuModuleLoadData)
LADDER_EXECUTOR_MODULES(cuModuleLoadDataEx)
LADDER_EXECUTOR_MODULES(cuModuleLoadFatBinary)
LADDER_EXECUTOR_MODULES(cuModuleGetFunction)
LADDER_EXECUTOR_MODULES(cuModuleGetGlobal)
LADDER_EXECUTOR_MODULES(cuModuleUnload)
LADDER_EXECUTOR_MODULES(cuLaunchKernel)
LADDER_EXECUTOR_MODULES(cuLaunchKernelEx)
LADDER_EXECUTOR_MODULES(cuLaunchCooperativeKernel)
LADDER_EXECUTOR_MODULES(cuLinkCreate)
LADDER_EXECUTOR_MODULES(cuLibraryLoadData)
LADDER_EXECUTOR_MODULES(cuGetProcAddress)
#undef LADDER_EXECUTOR_MODULES
struct CUmod_st;
using CUmodule = CUmod_st*;
struct CUfunc_st;
using CUfunction = CUfunc_st*;
