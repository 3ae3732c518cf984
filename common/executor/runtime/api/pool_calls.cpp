/// @file
/// The API of memory pools and of advice: settings are kept, the memory is one.

#include "common/executor/include/executor/pools.h"

#include <map>

#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {

struct MemoryPool {
  std::map<cudaMemPoolAttr, std::uint64_t> settings;
};

namespace {

MemoryPool default_pool;

/// Of 32 bits, unlike the others, which count bytes.
bool is_switch(cudaMemPoolAttr attribute) {
  return attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

/// Advice is about managed memory.
cudaError_t check_managed(const char* call, const void* pointer, std::size_t bytes, Site site) {
  const auto range = DeviceMemory::get().find_host(pointer);
  if (!range || range->kind != HostMemory::managed)
    return fail(cudaErrorInvalidValue, site,
                std::string(call) + ": " + to_string(pointer) + " is not memory from cudaMallocManaged");
  if (bytes > range->bytes)
    return fail(cudaErrorInvalidValue, site,
                std::string(call) + ": " + std::to_string(bytes) + " bytes; the allocation at " +
                    to_string(range->site) + " has " + std::to_string(range->bytes));
  return cudaSuccess;
}

}  // namespace
}  // namespace ladder::executor

using namespace ladder::executor;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  *pool = &default_pool;
  return device == 0 ? cudaSuccess : remember(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return device == 0 && pool ? cudaSuccess : remember(cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (!pool || !properties) return remember(cudaErrorInvalidValue);
  *pool = new MemoryPool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (!pool || pool == &default_pool) return remember(cudaErrorInvalidValue);
  delete pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!pool || !value) return remember(cudaErrorInvalidValue);
  pool->settings[attribute] = is_switch(attribute) ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                                   : *static_cast<std::uint64_t*>(value);
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!pool || !value) return remember(cudaErrorInvalidValue);
  std::uint64_t number = pool->settings[attribute];
  if (attribute >= cudaMemPoolAttrReservedMemCurrent) number = DeviceMemory::get().used();
  if (is_switch(attribute))
    *static_cast<int*>(value) = static_cast<int>(number);
  else
    *static_cast<std::uint64_t*>(value) = number;
  return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, cudaMemLocation, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaMemAdvise", site)) return error;
  return check_managed("cudaMemAdvise", pointer, bytes, site);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation, unsigned,
                                 cudaStream_t stream, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaMemPrefetchAsync", stream, site)) return error;
  if (const cudaError_t error = check_managed("cudaMemPrefetchAsync", pointer, bytes, site)) return error;
  return Schedule::get().submit(stream, {"cudaMemPrefetchAsync", site, {}, {}});
}
