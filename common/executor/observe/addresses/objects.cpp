#include "common/executor/observe/addresses/objects.hpp"

#include <malloc.h>

#include <algorithm>

#include "common/executor/observe/definedness/defined_bytes.hpp"
#include "common/executor/observe/races/detector_mutex.hpp"
#include "common/executor/runtime/block/fiber.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

const char* bytes_at(const void* address) {
  return static_cast<const char*>(address);
}

/// The kernel whose threads the calling CPU thread runs, as set by LADDER_EXECUTOR_KERNEL. Empty: not known.
const std::string*& name_of_running_kernel() {
  static const std::string unknown;
  static thread_local const std::string* kernel = &unknown;
  return kernel;
}

/// Of one CPU thread: the shared memory of the block that it runs, and ranges that are not checked.
struct BlockObjects {
  std::vector<std::unique_ptr<TrackedObject>> variables;  // by offset
  TrackedObject dynamic, stack, argument, unobserved;
  bool known = false;
};

BlockObjects& block_objects() {
  static thread_local BlockObjects objects;
  if (objects.known) return objects;
  objects.known = true;
  for (const SharedVariable& shared : shared_variables()) {
    auto object = std::make_unique<TrackedObject>();
    object->begin = thread_local_memory() + shared.offset;
    object->end = object->begin + shared.bytes;
    object->space = Space::shared;
    object->kind = ObjectKind::static_shared;
    object->key = shared.offset;
    object->symbol = shared.symbol;
    object->kernel = &shared.kernel;
    objects.variables.push_back(std::move(object));
  }
  objects.dynamic.space = Space::shared;
  objects.dynamic.kind = ObjectKind::dynamic_shared;
  objects.stack.space = Space::local;
  objects.argument.space = Space::argument;
  return objects;
}

/// Whether the running kernel has that variable: its own, or one of a function that kernels call. True when
/// in doubt.
bool has_variable(const TrackedObject& object) {
  const std::string& running = *name_of_running_kernel();
  return object.kernel->empty() || running.empty() || *object.kernel == running;
}

/// The static shared variable that holds the address, also another kernel's.
TrackedObject* variable_at(const void* address) {
  const auto& variables = block_objects().variables;
  const auto after = std::ranges::upper_bound(variables, bytes_at(address), {},
                                              [](const auto& object) { return object->begin; });
  if (after == variables.begin()) return nullptr;
  TrackedObject* object = std::prev(after)->get();
  return bytes_at(address) < object->end ? object : nullptr;
}

/// Memory of the program that runs the kernel: accesses are legal and not checked.
TrackedObject* unobserved(const void* address) {
  TrackedObject& object = block_objects().unobserved;
  object.begin = bytes_at(address);
  object.end = object.begin + 16;
  return &object;
}

template <class Map>
TrackedObject* holder_of(const Map& objects, const void* address) {
  const auto after = objects.upper_bound(bytes_at(address));
  if (after == objects.begin()) return nullptr;
  TrackedObject* object = std::prev(after)->second.get();
  return bytes_at(address) < object->end ? object : nullptr;
}

}  // namespace

Objects& Objects::get() {
  static Objects* const objects = new Objects;  // never destroyed: the pool outlives static objects
  return *objects;
}

TrackedObject& Objects::add(const void* begin, std::size_t bytes, Space space, ObjectKind kind, Site site) {
  auto object = std::make_unique<TrackedObject>();
  object->begin = bytes_at(begin);
  object->end = object->begin + bytes;
  object->space = space;
  object->kind = kind;
  object->made = site;
  const DetectorLock lock(mutex_);
  object->number = ++allocations_made_;
  object->nth_at_line = made_at_[{site.file, site.line}]++;
  auto& place = allocations_[object->begin];
  if (place) removed_.push_back(std::move(place));
  place = std::move(object);
  return *place;
}

TrackedObject& Objects::add_device(const void* begin, std::size_t bytes, Site site) {
  TrackedObject& object = add(begin, bytes, Space::global, ObjectKind::device, site);
  object.defined = std::make_shared<DefinedBytes>(bytes);
  return object;
}

TrackedObject& Objects::add_host(const void* begin, std::size_t bytes, HostMemory kind, Site site) {
  return add(begin, bytes, Space::host,
             kind == HostMemory::managed ? ObjectKind::managed : ObjectKind::pinned, site);
}

void Objects::remove(const void* begin) {
  const DetectorLock lock(mutex_);
  const auto found = allocations_.find(bytes_at(begin));
  if (found == allocations_.end()) return;
  removed_.push_back(std::move(found->second));
  allocations_.erase(found);
}

void Objects::launch_begins() {
  const DetectorLock lock(mutex_);
  removed_.clear();
}

TrackedObject* Objects::find_shared(const void* address, const BlockRunner& runner) {
  if (TrackedObject* object = variable_at(address)) return has_variable(*object) ? object : nullptr;
  if (!runner.in_dynamic_guard(address)) return nullptr;
  BlockObjects& objects = block_objects();
  const std::ptrdiff_t offset = runner.dynamic_offset(address);
  objects.dynamic.begin = bytes_at(address) - offset;
  objects.dynamic.end = objects.dynamic.begin + runner.kernel()->shared_bytes;
  return offset >= 0 && bytes_at(address) < objects.dynamic.end ? &objects.dynamic : nullptr;
}

TrackedObject* Objects::find(const void* address) {
  const BlockRunner& runner = *current_runner;
  if (TrackedObject* object = find_shared(address, runner)) return object;
  if (TrackedObject* object = find_allocation(address)) return object;
  BlockObjects& objects = block_objects();
  if (address >= runner.stack_end() - stack_bytes() && address < runner.stack_end()) {
    objects.stack.begin = runner.stack_end() - stack_bytes();
    objects.stack.end = runner.stack_end();
    return &objects.stack;
  }
  const auto* body = reinterpret_cast<const char*>(runner.kernel()->body.get());
  const char* body_end = body + malloc_usable_size(const_cast<char*>(body));
  if (address >= body && address < body_end) {
    objects.argument.begin = body;
    objects.argument.end = body_end;
    return &objects.argument;
  }
  if (DeviceMemory::get().contains(address) || runner.in_dynamic_guard(address)) return nullptr;
  if (outside_shared(address)) return nullptr;
  if (in_program(address) || in_thread_local_memory(address)) return unobserved(address);
  return nullptr;
}

std::optional<OutsideShared> Objects::outside_shared(const void* address) {
  const TrackedObject* there = variable_at(address);
  if (there ? has_variable(*there) : !behind_shared_variable(address)) return std::nullopt;
  OutsideShared result{there, nullptr};
  std::ptrdiff_t nearest = 0;
  for (const auto& own : block_objects().variables) {
    if (!has_variable(*own)) continue;
    const std::ptrdiff_t distance = std::max(own->begin - bytes_at(address), bytes_at(address) - own->end);
    if (!result.nearest || distance < nearest) result.nearest = own.get(), nearest = distance;
  }
  return result;
}

TrackedObject* Objects::find_allocation(const void* address) {
  {
    const DetectorLock lock(mutex_);
    if (TrackedObject* object = holder_of(allocations_, address)) return object;
    if (TrackedObject* object = holder_of(variables_, address)) return object;
  }
  return find_variable(address);
}

/// __device__ variables, and everything else in the program's file: constants, tables, variables of
/// functions.
TrackedObject* Objects::find_variable(const void* address) {
  const DataVariable* data = data_variable_at(address);
  return data ? variable(*data) : nullptr;
}

TrackedObject* Objects::variable(const DataVariable& data) {
  const DetectorLock lock(mutex_);
  const char* begin = reinterpret_cast<const char*>(program_base() + data.begin);
  auto& place = variables_[begin];
  if (!place) {
    place = std::make_unique<TrackedObject>();
    place->begin = begin;
    place->end = begin + data.bytes;
    place->space = Space::global;
    place->kind = ObjectKind::variable;
    place->key = data.begin;
    place->symbol = data.symbol;
  }
  return place.get();
}

TrackedObject* Objects::find_host(const void* address) {
  const DetectorLock lock(mutex_);
  TrackedObject* object = holder_of(allocations_, address);
  return object && object->space == Space::host ? object : nullptr;
}

TrackedObject* Objects::near_host(const void* address) {
  constexpr std::ptrdiff_t near = 65536;
  const DetectorLock lock(mutex_);
  for (const auto& [begin, object] : allocations_) {
    if (object->space != Space::host) continue;
    const std::ptrdiff_t behind = bytes_at(address) - object->end, before = object->begin - bytes_at(address);
    if ((behind >= 0 && behind < near) || (before > 0 && before < near)) return object.get();
  }
  return nullptr;
}

std::vector<TrackedObject*> Objects::device_allocations() {
  const DetectorLock lock(mutex_);
  std::vector<TrackedObject*> result;
  for (const auto& [begin, object] : allocations_)
    if (object->kind == ObjectKind::device) result.push_back(object.get());
  return result;
}

void observe_kernel(const char* mark) noexcept {
  static thread_local const char* last = nullptr;
  if (mark == last) return;  // each thread of a kernel comes here
  last = mark;
  name_of_running_kernel() = &kernel_of_mark(mark);
}

}  // namespace ladder::executor
