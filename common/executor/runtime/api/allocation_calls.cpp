/// @file
/// The API of allocations: on the device, pinned and managed on the host.

#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

cudaError_t allocate_device(void** pointer, std::size_t bytes, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaMalloc", site)) return error;
  if (const cudaError_t error = Schedule::get().refuse_while_capturing("cudaMalloc", site)) return error;
  if (!pointer)
    return fail(cudaErrorInvalidValue, site, "cudaMalloc: the place for the pointer is a null pointer");
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = DeviceMemory::get().allocate(bytes, site);
  if (!*pointer) return remember(cudaErrorMemoryAllocation);
  Schedule::get().record_memory(LADDER_ALLOC, bytes);
  if (observer) observer->device_allocated(*pointer, bytes, site);
  return cudaSuccess;
}

cudaError_t allocate_in_stream(void** pointer, std::size_t bytes, cudaStream_t stream, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaMallocAsync", stream, site)) return error;
  if (const cudaError_t error = allocate_device(pointer, bytes, site)) return error;
  Task task{"cudaMallocAsync", site, {}, {}};
  if (*pointer) task.touches.push_back({*pointer, bytes, true});
  return Schedule::get().submit(stream, std::move(task));
}

cudaError_t allocate_host(void** pointer, std::size_t bytes, HostMemory kind, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaMallocHost", site)) return error;
  if (!pointer)
    return fail(cudaErrorInvalidValue, site, "cudaMallocHost: the place for the pointer is a null pointer");
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = DeviceMemory::allocate_host(bytes);
  if (!*pointer) return remember(cudaErrorMemoryAllocation);
  DeviceMemory::get().add_host(*pointer, {bytes, kind, false, site});
  if (observer) observer->host_allocated(*pointer, bytes, kind, false, site);
  if (kind == HostMemory::managed && tracing()) {
    // Which bytes travel is not seen: it counts as if all did, once each way.
    for (const ladder_event_kind way : {LADDER_H2D, LADDER_D2H}) {
      ladder_event event = trace_event(way, "cudaMallocManaged", bytes);
      event.flags |= LADDER_WHOLE;
      record(event, {});
    }
  }
  return cudaSuccess;
}

void* register_symbol(const void* symbol, std::size_t bytes) {
  DeviceMemory::get().add_symbol(symbol, bytes);
  if (observer) observer->symbol_known(symbol, bytes);
  return const_cast<void*>(symbol);
}

}  // namespace ladder::executor

using namespace ladder::executor;

cudaError_t cudaFree(void* pointer, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaFree", site)) return error;
  if (!pointer) return cudaSuccess;
  if (const cudaError_t error = Schedule::get().refuse_while_capturing("cudaFree", site)) return error;
  Schedule::get().finish_all(nullptr);  // nothing may still use it
  if (const auto range = DeviceMemory::get().find_host(pointer); range && range->kind == HostMemory::managed)
    return cudaFreeHost(pointer, site);
  const auto before = DeviceMemory::get().find(pointer);
  if (observer && before && before->live && before->begin == pointer) observer->device_freed(pointer, site);
  if (const auto freed = DeviceMemory::get().release(pointer, site)) {
    Schedule::get().record_memory(LADDER_FREE, freed->bytes);
    return cudaSuccess;
  }
  if (const auto host = DeviceMemory::get().find_freed_host(pointer))
    return fail(cudaErrorInvalidValue, site,
                "cudaFree: this memory was freed already at " + to_string(host->freed));
  if (before && !before->live && before->begin == pointer)
    return fail(cudaErrorInvalidValue, site,
                "cudaFree: this memory was freed already at " + to_string(before->freed));
  return fail(cudaErrorInvalidValue, site,
              "cudaFree: " + to_string(pointer) + " did not come from cudaMalloc");
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaFreeAsync", stream, site)) return error;
  if (!pointer) return cudaSuccess;
  const auto allocation = DeviceMemory::get().find(pointer);
  if (allocation && allocation->begin == pointer && !allocation->live)
    return fail(cudaErrorInvalidValue, site,
                "cudaFreeAsync: this memory was freed already at " + to_string(allocation->freed));
  if (!allocation || allocation->begin != pointer)
    return fail(cudaErrorInvalidValue, site, "cudaFreeAsync: this pointer is not that of an allocation");
  Schedule::get().record_memory(LADDER_FREE, allocation->bytes);
  auto work = [pointer, site] {
    if (observer) observer->device_freed(pointer, site);
    DeviceMemory::get().release(pointer, site);
  };
  return Schedule::get().submit(stream, {"cudaFreeAsync", site, work, {}});
}

cudaError_t cudaFreeHost(void* pointer, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaFreeHost", site)) return error;
  if (!pointer) return cudaSuccess;
  Schedule::get().finish_all(nullptr);
  const auto range = DeviceMemory::get().remove_host(pointer);
  if (const auto freed = DeviceMemory::get().find_freed_host(pointer); !range && freed)
    return fail(cudaErrorInvalidValue, site,
                "cudaFreeHost: this memory was freed already at " + to_string(freed->freed));
  if (!range || range->registered)
    return fail(cudaErrorInvalidValue, site, "cudaFreeHost: this pointer did not come from cudaMallocHost");
  if (observer) observer->host_freed(pointer, site);
  DeviceMemory::get().free_host(pointer, *range, site);
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaHostRegister", site)) return error;
  if (!pointer || bytes == 0)
    return fail(cudaErrorInvalidValue, site,
                std::string("cudaHostRegister: ") + (pointer ? "no bytes" : "a null pointer"));
  if (DeviceMemory::get().find_host(pointer))
    return fail(cudaErrorHostMemoryAlreadyRegistered, site,
                "cudaHostRegister: this memory is already pinned");
  DeviceMemory::get().add_host(pointer, {bytes, HostMemory::pinned, true, site});
  if (observer) observer->host_allocated(pointer, bytes, HostMemory::pinned, true, site);
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call("cudaHostUnregister", site)) return error;
  Schedule::get().finish_all(nullptr);
  if (observer) observer->host_freed(pointer, site);
  if (DeviceMemory::get().remove_host(pointer)) return cudaSuccess;
  return fail(cudaErrorHostMemoryNotRegistered, site, "cudaHostUnregister: this memory was not registered");
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  void* address = const_cast<void*>(pointer);
  *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, address};
  if (DeviceMemory::get().contains(pointer) || DeviceMemory::get().find_symbol(pointer)) {
    *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
  } else if (const auto range = DeviceMemory::get().find_host(pointer)) {
    const bool is_managed = range->kind == HostMemory::managed;
    *attributes = {is_managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost, 0, address, address};
  }
  return cudaSuccess;
}
