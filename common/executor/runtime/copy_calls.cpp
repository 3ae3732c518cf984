/// @file
/// The API of copies and fills, also of __device__ variables.

#include <cstring>

#include "common/executor/runtime/call.hpp"
#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {
namespace {

/// Rows of a copy; one row for a plain one.
struct Area {
  std::size_t pitch, width, height;
  std::size_t extent() const { return (height - 1) * pitch + width; }
};

bool on_device(const void* pointer) {
  const DeviceMemory& memory = DeviceMemory::get();
  return memory.contains(pointer) || memory.find_symbol(pointer);
}

bool managed(const void* pointer) {
  const auto range = DeviceMemory::get().find_host(pointer);
  return range && range->kind == HostMemory::managed;
}

/// One side of a copy must lie where the kind says, and be long enough.
cudaError_t check_side(const char* call, const char* side, const void* pointer, std::size_t bytes,
                       bool device, Site site) {
  const std::string who = std::string(call) + ": the " + side + " ";
  if (!pointer) return fail(cudaErrorInvalidValue, site, who + "is a null pointer");
  if (managed(pointer)) return cudaSuccess;
  if (!device) {
    if (!on_device(pointer)) return cudaSuccess;
    return fail(
        cudaErrorInvalidValue, site,
        who + "must be host memory for this kind of copy; " + to_string(pointer) + " is a device pointer");
  }
  DeviceMemory& memory = DeviceMemory::get();
  if (const auto rest = memory.find_symbol(pointer)) {
    if (bytes <= *rest) return cudaSuccess;
    return fail(cudaErrorInvalidValue, site,
                who + "is a __device__ variable with " + std::to_string(*rest) +
                    " bytes from there on; the copy has " + std::to_string(bytes));
  }
  const bool host_by_address = !memory.contains(pointer);
  if (host_by_address && memory.find_host(pointer))
    return cudaSuccess;  // pinned memory has a device address: the same
  if (host_by_address)
    return fail(
        cudaErrorInvalidValue, site,
        who + "must be device memory for this kind of copy; " + to_string(pointer) + " is a host pointer");
  const auto allocation = memory.find(pointer);
  const auto* address = static_cast<const char*>(pointer);
  if (!allocation || address < allocation->begin || address >= allocation->begin + allocation->bytes)
    return fail(cudaErrorInvalidValue, site, who + to_string(pointer) + " lies in no device allocation");
  if (!allocation->live)
    return fail(cudaErrorInvalidValue, site,
                who + "was freed at " + to_string(allocation->freed) + " (allocated at " +
                    to_string(allocation->site) + ")");
  const auto rest = static_cast<std::size_t>(allocation->begin + allocation->bytes - address);
  if (bytes > rest)
    return fail(cudaErrorInvalidValue, site,
                who + "has " + std::to_string(rest) + " bytes from there on, allocated at " +
                    to_string(allocation->site) + "; the copy has " + std::to_string(bytes));
  return cudaSuccess;
}

struct Direction {
  bool to_device, from_device;
};

Direction direction_of(cudaMemcpyKind kind, const void* to, const void* from) {
  if (kind == cudaMemcpyDefault) return {on_device(to), on_device(from)};
  return {kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
          kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice};
}

std::optional<ladder_event> copy_event(const char* call, Direction direction, std::size_t bytes,
                                       bool pageable, bool waits) {
  if (!direction.to_device && !direction.from_device) return {};
  const ladder_event_kind kind = !direction.from_device ? LADDER_H2D
                                 : direction.to_device  ? LADDER_D2D
                                                        : LADDER_D2H;
  ladder_event event = trace_event(kind, call, bytes);
  if (pageable) event.flags |= LADDER_PAGEABLE;
  if (waits) event.flags |= LADDER_BLOCKING;
  return event;
}

void copy_rows(void* to, Area target, const void* from, std::size_t from_pitch) {
  for (std::size_t row = 0; row < target.height; ++row)
    std::memmove(static_cast<char*>(to) + row * target.pitch,
                 static_cast<const char*>(from) + row * from_pitch, target.width);
}

/// All copies. @param synchronous cudaMemcpy: returns when it is done, except from device to device
cudaError_t copy(const char* call, void* to, Area target, const void* from, std::size_t from_pitch,
                 cudaMemcpyKind kind, cudaStream_t stream, bool synchronous, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call(call, stream, site)) return error;
  if (target.width == 0 || target.height == 0) return cudaSuccess;
  if (target.height > 1 && (target.width > target.pitch || target.width > from_pitch))
    return fail(cudaErrorInvalidPitchValue, site, std::string(call) + ": a row is wider than its pitch");
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return fail(cudaErrorInvalidMemcpyDirection, site, std::string(call) + ": not a kind of copy");
  if (synchronous)
    if (const cudaError_t error = Schedule::get().refuse_while_capturing(call, site)) return error;
  const Direction direction = direction_of(kind, to, from);
  const Area source{from_pitch, target.width, target.height};
  if (const cudaError_t error =
          check_side(call, "destination", to, target.extent(), direction.to_device, site))
    return error;
  if (const cudaError_t error =
          check_side(call, "source", from, source.extent(), direction.from_device, site))
    return error;

  const bool only_device = direction.to_device && direction.from_device;
  const void* host_side = direction.to_device ? from : to;
  const bool pageable = !only_device && !DeviceMemory::get().find_host(host_side);
  // CUDA copies pageable memory through a buffer of its own: to the host it waits until the data has arrived.
  const bool host_waits = synchronous ? !only_device : pageable && !direction.to_device;
  Task task{call, site, [=] { copy_rows(to, target, from, from_pitch); },
            copy_event(call, direction, target.width * target.height, pageable, host_waits)};
  OperationPointer operation;
  if (const cudaError_t error = Schedule::get().submit(stream, std::move(task), &operation)) return error;
  if (operation && (host_waits || pageable))
    Schedule::get().finish(operation, host_waits ? "blocking copy" : nullptr);
  return cudaSuccess;
}

cudaError_t fill(const char* call, void* to, Area area, int value, cudaStream_t stream, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call(call, stream, site)) return error;
  if (area.width == 0 || area.height == 0) return cudaSuccess;
  if (area.height > 1 && area.width > area.pitch)
    return fail(cudaErrorInvalidPitchValue, site, std::string(call) + ": a row is wider than its pitch");
  if (const cudaError_t error = check_side(call, "destination", to, area.extent(), true, site)) return error;
  auto work = [=] {
    for (std::size_t row = 0; row < area.height; ++row)
      std::memset(static_cast<char*>(to) + row * area.pitch, value, area.width);
  };
  return Schedule::get().submit(stream,
                                {call, site, work, trace_event(LADDER_FILL, call, area.width * area.height)});
}

}  // namespace

cudaError_t copy_symbol(const void* symbol, std::size_t symbol_bytes, const void* other, std::size_t bytes,
                        std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait, Site where) {
  const Site site = resolve(where);
  const bool to_symbol = kind == cudaMemcpyHostToDevice;
  const char* call = to_symbol ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
    return fail(
        cudaErrorInvalidMemcpyDirection, site,
        "a copy to or from a symbol: the executor knows cudaMemcpyHostToDevice and cudaMemcpyDeviceToHost");
  if (offset > symbol_bytes || bytes > symbol_bytes - offset)
    return fail(cudaErrorInvalidValue, site,
                std::string(call) + ": the variable has " + std::to_string(symbol_bytes) +
                    " bytes; the copy ends at " + std::to_string(offset + bytes));
  char* address = static_cast<char*>(register_symbol(symbol, symbol_bytes)) + offset;
  void* to = to_symbol ? address : const_cast<void*>(other);
  const void* from = to_symbol ? other : address;
  return copy(call, to, {bytes, bytes, 1}, from, bytes, kind, stream, wait, site);
}

}  // namespace ladder::executor

using namespace ladder::executor;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Site site) {
  return copy("cudaMemcpy", to, {bytes, bytes, 1}, from, bytes, kind, nullptr, true, site);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream, Site site) {
  return copy("cudaMemcpyAsync", to, {bytes, bytes, 1}, from, bytes, kind, stream, false, site);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, Site site) {
  return copy("cudaMemcpy2D", to, {to_pitch, width, height}, from, from_pitch, kind, nullptr, true, site);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream, Site site) {
  return copy("cudaMemcpy2DAsync", to, {to_pitch, width, height}, from, from_pitch, kind, stream, false,
              site);
}

cudaError_t cudaMemset(void* to, int value, size_t bytes, Site site) {
  return fill("cudaMemset", to, {bytes, bytes, 1}, value, nullptr, site);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream, Site site) {
  return fill("cudaMemsetAsync", to, {bytes, bytes, 1}, value, stream, site);
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height, Site site) {
  return fill("cudaMemset2D", to, {pitch, width, height}, value, nullptr, site);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, Site site) {
  return fill("cudaMemset2DAsync", to, {pitch, width, height}, value, stream, site);
}
