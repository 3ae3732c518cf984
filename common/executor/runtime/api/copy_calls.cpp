/// @file
/// The API of copies and fills, also of __device__ variables.

#include <cstring>

#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/api/tasks.hpp"
#include "common/executor/runtime/assertions.hpp"
#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {
namespace {

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
                who + "was freed at " + to_string(allocation->freed) + " (" +
                    memory_text(allocation->bytes, allocation->site) + ")");
  const auto rest = static_cast<std::size_t>(allocation->begin + allocation->bytes - address);
  if (bytes > rest)
    return fail(cudaErrorInvalidValue, site,
                who + "has " + std::to_string(rest) + " bytes from there on, of " +
                    memory_text(allocation->bytes, allocation->site) + "; the copy has " +
                    std::to_string(bytes));
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

/// Calls row(offset in the first, offset in the second, bytes) for each row.
template <class Row>
void for_rows(const Area& a, const Area& b, Row row) {
  for (std::size_t z = 0; z < a.depth; ++z)
    for (std::size_t y = 0; y < a.height; ++y)
      row(z * a.slice + y * a.pitch, z * b.slice + y * b.pitch, a.width);
}

/// The memory that a copy is reported to touch: rows, when there is something between them and they are not
/// too many.
void add_touches(Task& task, const void* memory, const Area& area, bool write) {
  const bool whole = area.pitch == area.width && (area.depth == 1 || area.slice == area.pitch * area.height);
  if (whole || area.height * area.depth > 4096) {
    task.touches.push_back({memory, area.extent(), write});
    return;
  }
  for_rows(area, area, [&](std::size_t offset, std::size_t, std::size_t bytes) {
    task.touches.push_back({static_cast<const char*>(memory) + offset, bytes, write});
  });
}

bool fits(const Area& area) {
  return (area.height == 1 || area.width <= area.pitch) &&
         (area.depth == 1 || area.pitch * area.height <= area.slice);
}

}  // namespace

cudaError_t copy_task(const char* call, void* to, const Area& target, const void* from, const Area& source,
                      cudaMemcpyKind kind, bool synchronous, Site site, CopyTask& result) {
  if (!fits(target) || !fits(source))
    return fail(cudaErrorInvalidPitchValue, site, std::string(call) + ": a row is wider than its pitch");
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return fail(cudaErrorInvalidMemcpyDirection, site, std::string(call) + ": not a kind of copy");
  const Direction direction = direction_of(kind, to, from);
  if (const cudaError_t error =
          check_side(call, "destination", to, target.extent(), direction.to_device, site))
    return error;
  if (const cudaError_t error =
          check_side(call, "source", from, source.extent(), direction.from_device, site))
    return error;
  const bool only_device = direction.to_device && direction.from_device;
  const void* host_side = direction.to_device ? from : to;
  result.pageable = !only_device && !DeviceMemory::get().find_host(host_side);
  // CUDA copies pageable memory through a buffer of its own: to the host it waits until the data has arrived.
  result.host_waits = synchronous ? !only_device : result.pageable && !direction.to_device;
  auto work = [=] {
    for_rows(target, source, [&](std::size_t there, std::size_t here, std::size_t bytes) {
      std::memmove(static_cast<char*>(to) + there, static_cast<const char*>(from) + here, bytes);
    });
  };
  result.task = {call, site, work,
                 copy_event(call, direction, target.bytes(), result.pageable, result.host_waits)};
  if (!observer) return cudaSuccess;
  add_touches(result.task, to, target, true);
  add_touches(result.task, from, source, false);
  result.task.host_waits = result.host_waits;
  return cudaSuccess;
}

cudaError_t fill_task(const char* call, void* to, const Area& area, unsigned value, std::size_t element,
                      Site site, Task& task) {
  if (!fits(area))
    return fail(cudaErrorInvalidPitchValue, site, std::string(call) + ": a row is wider than its pitch");
  if (const cudaError_t error = check_side(call, "destination", to, area.extent(), true, site)) return error;
  auto work = [=] {
    for_rows(area, area, [&](std::size_t offset, std::size_t, std::size_t bytes) {
      char* row = static_cast<char*>(to) + offset;
      if (element == 1) std::memset(row, static_cast<int>(value), bytes);
      for (std::size_t i = 0; element > 1 && i < bytes; i += element) std::memcpy(row + i, &value, element);
    });
  };
  task = {call, site, work, trace_event(LADDER_FILL, call, area.bytes())};
  add_touches(task, to, area, true);
  return cudaSuccess;
}

cudaError_t submit_copy(cudaStream_t stream, CopyTask made) {
  OperationPointer operation;
  if (const cudaError_t error = Schedule::get().submit(stream, std::move(made.task), &operation))
    return error;
  if (operation && (made.host_waits || made.pageable))
    Schedule::get().finish(operation, made.host_waits ? "blocking copy" : nullptr);
  return remember(device_error());
}

namespace {

/// All copies. @param synchronous cudaMemcpy: returns when it is done, except from device to device
cudaError_t copy(const char* call, void* to, const Area& target, const void* from, const Area& source,
                 cudaMemcpyKind kind, cudaStream_t stream, bool synchronous, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call(call, stream, site)) return error;
  if (target.bytes() == 0) return cudaSuccess;
  if (synchronous)
    if (const cudaError_t error = Schedule::get().refuse_while_capturing(call, site)) return error;
  CopyTask made;
  if (const cudaError_t error = copy_task(call, to, target, from, source, kind, synchronous, site, made))
    return error;
  return submit_copy(stream, std::move(made));
}

cudaError_t fill(const char* call, void* to, const Area& area, int value, cudaStream_t stream, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call(call, stream, site)) return error;
  if (area.bytes() == 0) return cudaSuccess;
  Task task;
  if (const cudaError_t error = fill_task(call, to, area, static_cast<unsigned>(value), 1, site, task))
    return error;
  return Schedule::get().submit(stream, std::move(task));
}

}  // namespace

cudaError_t copy_symbol(bool to_symbol, const void* symbol, std::size_t symbol_bytes, const void* other,
                        std::size_t bytes, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                        bool wait, Site where) {
  const Site site = resolve(where);
  const char* call = to_symbol ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
  if (kind == cudaMemcpyHostToHost || kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice))
    return fail(cudaErrorInvalidMemcpyDirection, site,
                std::string(call) + ": the variable is on the device; this kind of copy leaves it out");
  if (offset > symbol_bytes || bytes > symbol_bytes - offset)
    return fail(cudaErrorInvalidValue, site,
                std::string(call) + ": the variable has " + std::to_string(symbol_bytes) +
                    " bytes; the copy ends at " + std::to_string(offset + bytes));
  char* address = static_cast<char*>(register_symbol(symbol, symbol_bytes)) + offset;
  void* to = to_symbol ? address : const_cast<void*>(other);
  const void* from = to_symbol ? other : address;
  return copy(call, to, Area::line(bytes), from, Area::line(bytes), kind, stream, wait, site);
}

}  // namespace ladder::executor

using namespace ladder::executor;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Site site) {
  return copy("cudaMemcpy", to, Area::line(bytes), from, Area::line(bytes), kind, nullptr, true, site);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream, Site site) {
  return copy("cudaMemcpyAsync", to, Area::line(bytes), from, Area::line(bytes), kind, stream, false, site);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, Site site) {
  return copy("cudaMemcpy2D", to, Area::rows(to_pitch, width, height), from,
              Area::rows(from_pitch, width, height), kind, nullptr, true, site);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream, Site site) {
  return copy("cudaMemcpy2DAsync", to, Area::rows(to_pitch, width, height), from,
              Area::rows(from_pitch, width, height), kind, stream, false, site);
}

cudaError_t cudaMemset(void* to, int value, size_t bytes, Site site) {
  return fill("cudaMemset", to, Area::line(bytes), value, nullptr, site);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream, Site site) {
  return fill("cudaMemsetAsync", to, Area::line(bytes), value, stream, site);
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height, Site site) {
  return fill("cudaMemset2D", to, Area::rows(pitch, width, height), value, nullptr, site);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, Site site) {
  return fill("cudaMemset2DAsync", to, Area::rows(pitch, width, height), value, stream, site);
}
