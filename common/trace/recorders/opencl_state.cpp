#include "common/trace/recorders/opencl_state.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>

namespace ladder::opencl_layer {

cl_icd_dispatch below;

State& state() {
  static State* const the_state = new State;
  return *the_state;
}

std::uint64_t now() {
  using std::chrono::nanoseconds, std::chrono::steady_clock;
  return std::chrono::duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

ladder_event make_event(ladder_event_kind kind, std::uint64_t bytes, std::uint32_t flags, const char* name) {
  ladder_event event{};
  event.kind = kind;
  event.flags = flags;
  event.bytes = bytes;
  event.peer = -1;
  std::snprintf(event.name, sizeof event.name, "%s", name);
  return event;
}

void State::add_queue(cl_command_queue queue, cl_device_id device, bool out_of_order) {
  std::lock_guard lock(mutex_);
  // A new queue may have the address of a released one: nothing of that one is kept.
  Queue& state = queues_[queue] = Queue{};
  state.stream = ++streams_;
  state.device = device_index(device);
  state.out_of_order = out_of_order;
}

Ids State::all_of(const Queue& queue) const {
  Ids ids = queue.before;
  ids.insert(ids.end(), queue.since_barrier.begin(), queue.since_barrier.end());
  return ids;
}

Ids State::dependencies(const Call& call) {
  Ids ids = queues_[call.queue].before;
  for (cl_uint i = 0; i < call.wait_count; ++i)
    if (const auto known = events_.find(call.wait_list[i]); known != events_.end())
      ids.insert(ids.end(), known->second.ids.begin(), known->second.ids.end());
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

void State::add_command(const Call& call, ladder_event event, cl_event own) {
  std::lock_guard lock(mutex_);
  Queue& queue = queues_[call.queue];
  event.device = queue.device;
  event.stream = queue.stream;
  if (call.blocking) event.flags |= LADDER_BLOCKING;
  Ids ids = dependencies(call);
  if (event.kind == LADDER_KERNEL) {
    ladder_event launch = make_event(LADDER_LAUNCH, 0, 0, event.name);
    launch.device = queue.device;
    launch.begin = call.begin;
    launch.end = now();
    ids.push_back(ladder_sink_record(&launch, nullptr, 0));
  }
  const std::uint64_t id = ladder_sink_record(&event, ids.data(), ids.size());
  if (queue.out_of_order)
    queue.since_barrier.push_back(id);
  else
    queue.before = {id};
  events_[own] = {.ids = {id}};
  pending_.push_back({id, own, call.begin, queue.device});
  if (call.blocking) {
    events_[own].learned = true;
    record_wait("blocking call", call.begin, {id});
  }
}

void State::add_marker(const Call& call, bool barrier, bool all, cl_event own) {
  std::lock_guard lock(mutex_);
  Queue& queue = queues_[call.queue];
  Ids ids = all && call.wait_count == 0 ? all_of(queue) : dependencies(call);
  if (barrier || !queue.out_of_order) {
    queue.before = ids;
    if (all && call.wait_count == 0) queue.since_barrier.clear();
  }
  if (call.blocking) record_wait("blocking call", call.begin, ids);
  if (!own) return;
  events_[own] = {.ids = std::move(ids), .learned = call.blocking};
  owned_.push_back(own);
}

void State::record_wait(const char* name, std::uint64_t begin, const Ids& ids) {
  ladder_event wait = make_event(LADDER_WAIT, 0, 0, name);
  wait.begin = begin;
  wait.end = now();
  ladder_sink_record(&wait, ids.data(), ids.size());
}

void State::add_wait(const char* name, std::uint64_t begin, cl_uint count, const cl_event* events) {
  std::lock_guard lock(mutex_);
  Ids ids;
  for (cl_uint i = 0; i < count; ++i)
    if (const auto known = events_.find(events[i]); known != events_.end()) {
      ids.insert(ids.end(), known->second.ids.begin(), known->second.ids.end());
      known->second.learned = true;
    }
  record_wait(name, begin, ids);
}

void State::add_wait(const char* name, std::uint64_t begin, cl_command_queue queue) {
  std::lock_guard lock(mutex_);
  record_wait(name, begin, all_of(queues_[queue]));
}

void State::add_learned(const char* name, cl_event event) {
  std::lock_guard lock(mutex_);
  const auto known = events_.find(event);
  if (known == events_.end() || known->second.learned) return;
  known->second.learned = true;
  record_wait(name, now(), known->second.ids);
}

void State::harvest(const Pending& pending) {
  cl_ulong queued = 0, begin = 0, end = 0;
  below.clWaitForEvents(1, &pending.event);
  const auto get = [&](cl_profiling_info what, cl_ulong& value) {
    return below.clGetEventProfilingInfo(pending.event, what, sizeof value, &value, nullptr) == CL_SUCCESS;
  };
  if (!get(CL_PROFILING_COMMAND_QUEUED, queued) || !get(CL_PROFILING_COMMAND_START, begin) ||
      !get(CL_PROFILING_COMMAND_END, end) || end < begin)
    return;
  // The first command ties the device's clock to the host's: it was queued just after the call was made.
  const auto offset =
      clock_offset_.try_emplace(pending.device, static_cast<std::int64_t>(pending.called - queued))
          .first->second;
  ladder_sink_times(pending.id, begin + offset, end + offset);
}

void State::flush() {
  std::vector<Pending> pending;
  std::vector<cl_event> owned;
  {
    std::lock_guard lock(mutex_);
    pending.swap(pending_);
    owned.swap(owned_);
    events_.clear();
    for (auto& [handle, queue] : queues_) {
      queue.before.clear();
      queue.since_barrier.clear();
    }
    for (auto& [handle, memory] : memory_) memory.allocated = false;
  }
  // Not under the lock: a command may wait for a callback of the program that calls OpenCL in its turn.
  for (const Pending& command : pending) {
    if (ladder_sink_active()) harvest(command);
    below.clReleaseEvent(command.event);
  }
  for (cl_event event : owned) below.clReleaseEvent(event);
}

int State::device_index(cl_device_id device) {
  const auto found = std::ranges::find(devices_, device);
  if (found != devices_.end()) return static_cast<int>(found - devices_.begin());
  devices_.push_back(device);
  return static_cast<int>(devices_.size()) - 1;
}

int State::device_index(cl_context context) {
  cl_device_id devices[64];
  std::size_t bytes = 0;
  if (below.clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes) != CL_SUCCESS ||
      bytes == 0)
    return 0;
  return device_index(devices[0]);
}

int State::device_of(cl_command_queue queue) {
  std::lock_guard lock(mutex_);
  return queues_[queue].device;
}

void State::add_memory(const void* handle, std::uint64_t bytes, cl_mem_flags flags, cl_context context,
                       bool counts) {
  std::lock_guard lock(mutex_);
  Memory memory{.bytes = bytes, .flags = flags, .device = device_index(context)};
  if (counts && ladder_sink_active()) {
    ladder_event event = make_event(LADDER_ALLOC, bytes);
    event.device = memory.device;
    event.begin = event.end = now();
    ladder_sink_record(&event, nullptr, 0);
    memory.allocated = true;
    if (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) {
      // The runtime moves it when it likes; by then the application has given all of it away.
      event.kind = LADDER_H2D;
      event.flags = LADDER_PAGEABLE;
      if (flags & CL_MEM_USE_HOST_PTR) event.flags |= LADDER_WHOLE;
      ladder_sink_record(&event, nullptr, 0);
    }
  }
  memory_[handle] = memory;
}

void State::retain_memory(const void* handle) {
  std::lock_guard lock(mutex_);
  if (const auto found = memory_.find(handle); found != memory_.end()) ++found->second.references;
}

void State::release_memory(const void* handle) {
  std::lock_guard lock(mutex_);
  const auto found = memory_.find(handle);
  if (found == memory_.end() || --found->second.references > 0) return;
  const Memory memory = found->second;
  memory_.erase(found);
  if (!memory.allocated || !ladder_sink_active()) return;
  ladder_event event = make_event(LADDER_FREE, memory.bytes);
  event.device = memory.device;
  event.begin = event.end = now();
  ladder_sink_record(&event, nullptr, 0);
  if ((memory.flags & CL_MEM_USE_HOST_PTR) && !(memory.flags & CL_MEM_READ_ONLY) && !memory.read_back) {
    // Never mapped nor read: what the device wrote reaches the application's memory all the same.
    event.kind = LADDER_D2H;
    event.flags = LADDER_PAGEABLE | LADDER_WHOLE;
    ladder_sink_record(&event, nullptr, 0);
  }
}

void State::mark_read(const void* handle) {
  std::lock_guard lock(mutex_);
  if (const auto found = memory_.find(handle); found != memory_.end()) found->second.read_back = true;
}

void State::add_svm(const void* address, std::uint64_t bytes) {
  std::lock_guard lock(mutex_);
  svm_[address] = bytes;
}

void State::remove_svm(const void* address) {
  std::lock_guard lock(mutex_);
  svm_.erase(address);
}

bool State::is_svm(const void* address) {
  std::lock_guard lock(mutex_);
  const auto after = svm_.upper_bound(address);
  if (after == svm_.begin()) return false;
  const auto& [start, bytes] = *std::prev(after);
  return static_cast<const char*>(address) < static_cast<const char*>(start) + bytes;
}

void State::add_mapping(const void* handle, const void* address, Mapping mapping) {
  std::lock_guard lock(mutex_);
  mappings_[{handle, address}].push_back(mapping);
}

Mapping State::take_mapping(const void* handle, const void* address) {
  std::lock_guard lock(mutex_);
  const auto found = mappings_.find({handle, address});
  if (found == mappings_.end()) return {};
  const Mapping mapping = found->second.back();
  found->second.pop_back();
  if (found->second.empty()) mappings_.erase(found);
  return mapping;
}

std::uint32_t State::host_flags(const void* address) {
  std::lock_guard lock(mutex_);
  const char* wanted = static_cast<const char*>(address);
  for (const auto& [key, mappings] : mappings_)
    for (const Mapping& mapping : mappings) {
      const char* start = static_cast<const char*>(key.second);
      if (mapping.pinned && wanted >= start && wanted < start + mapping.bytes) return 0;
    }
  return LADDER_PAGEABLE;
}

bool State::is_pinned(const void* handle) {
  std::lock_guard lock(mutex_);
  const auto found = memory_.find(handle);
  return found != memory_.end() && (found->second.flags & CL_MEM_ALLOC_HOST_PTR);
}

std::string State::kernel_name(cl_kernel kernel) {
  std::lock_guard lock(mutex_);
  if (const auto known = kernels_.find(kernel); known != kernels_.end()) return known->second;
  char name[256] = "";
  if (below.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr) != CL_SUCCESS)
    return "kernel";
  return kernels_[kernel] = name;
}

void State::forget_kernel(cl_kernel kernel) {
  std::lock_guard lock(mutex_);
  kernels_.erase(kernel);
}

}  // namespace ladder::opencl_layer
