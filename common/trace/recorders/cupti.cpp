/// @file
/// Recorder for CUDA on a GPU: injected by CUDA_INJECTION64_PATH=libladder-trace-cuda.so, reads CUPTI's
/// activities.
///
/// CUPTI delivers buffers of records when it likes. They are kept until a flush, which hands them in order to
/// the sink. The structures are those of CUDA 12.2; newer ones only add fields at the end.

#include <cupti.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>

#include "common/base/text/kernel_name.hpp"
#include "common/trace/recorders/cupti_order.hpp"

namespace ladder::cuda_recorder {
namespace {

/// What has arrived since the last flush, and what lives as long as the process.
struct State {
  std::mutex mutex;
  std::vector<Activity> activities;
  std::map<std::uint32_t, ApiCall> calls;
  std::set<std::uint64_t> allocated;  // addresses allocated in this run
  Streams streams;
};

/// Never destroyed: CUPTI delivers its last buffers during the exit of the process.
State& state() {
  static State* const the_state = new State;
  return *the_state;
}

/// The first failure of CUPTI; printed once, because a recorder that sees nothing must not look like a step
/// that does nothing. The judge reads it where it reads the worker's error output.
bool ok(CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return true;
  const char* text = "";
  cuptiGetResultString(result, &text);
  static bool reported = false;
  if (!reported) std::fprintf(stderr, "CUDA recorder: %s: %s\n", what, text ? text : "unknown error");
  reported = true;
  return false;
}

ladder_event make_event(ladder_event_kind kind, std::uint64_t bytes, std::uint32_t device) {
  ladder_event event{};
  event.kind = kind;
  event.bytes = bytes;
  event.device = static_cast<std::int32_t>(device);
  event.peer = -1;
  return event;
}

template <class Record>
Activity operation(const Record& record, ladder_event_kind kind, std::uint64_t bytes) {
  Activity activity;
  activity.correlation = record.correlationId;
  activity.stream = {record.contextId, record.streamId};
  activity.graph = record.graphId;
  activity.event = make_event(kind, bytes, record.deviceId);
  activity.event.begin = record.start;
  activity.event.end = record.end;
  return activity;
}

void add_kernel(const CUpti_ActivityKernel9& record) {
  Activity activity = operation(record, LADDER_KERNEL, 0);
  ladder_event& event = activity.event;
  const std::int32_t grid[] = {record.gridX, record.gridY, record.gridZ};
  const std::int32_t block[] = {record.blockX, record.blockY, record.blockZ};
  for (int i = 0; i < 3; ++i) {
    event.grid[i] = static_cast<std::uint32_t>(grid[i]);
    event.block[i] = static_cast<std::uint32_t>(block[i]);
  }
  event.shared_bytes = static_cast<std::uint32_t>(record.staticSharedMemory + record.dynamicSharedMemory);
  event.registers = record.registersPerThread;
  std::snprintf(event.name, sizeof event.name, "%s", record.name ? kernel_name(record.name).c_str() : "");
  state().activities.push_back(activity);
}

bool on_host(std::uint8_t memory) {
  return memory == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE || memory == CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
}

void add_copy(const CUpti_ActivityMemcpy5& record) {
  const bool from_host = on_host(record.srcKind), to_host = on_host(record.dstKind);
  if (from_host && to_host) return;  // moves nothing to or from a device
  const ladder_event_kind kind = from_host ? LADDER_H2D : to_host ? LADDER_D2H : LADDER_D2D;
  const std::uint8_t host_side = from_host ? record.srcKind : record.dstKind;
  Activity activity = operation(record, kind, record.bytes);
  const bool pageable = kind != LADDER_D2D && host_side == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
  if (pageable) activity.event.flags |= LADDER_PAGEABLE;
  // An asynchronous copy to pageable memory returns only when it is done, as CUDA's reference says.
  const bool asynchronous = record.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
  activity.waits =
      kind != LADDER_D2D && record.graphId == 0 && (!asynchronous || (pageable && kind == LADDER_D2H));
  if (activity.waits) activity.event.flags |= LADDER_BLOCKING;
  state().activities.push_back(activity);
}

void add_peer_copy(const CUpti_ActivityMemcpyPtoP4& record) {
  state().activities.push_back(operation(record, LADDER_D2D, record.bytes));
}

void add_fill(const CUpti_ActivityMemset4& record) {
  state().activities.push_back(operation(record, LADDER_FILL, record.bytes));
}

void add_memory(const CUpti_ActivityMemory3& record) {
  const bool managed = record.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
  if (!managed && record.memoryKind != CUPTI_ACTIVITY_MEMORY_KIND_DEVICE) return;
  const bool begins = record.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
  if (begins)
    state().allocated.insert(record.address);
  else if (state().allocated.erase(record.address) == 0)
    return;  // allocated before this run
  Activity activity{.kind = Activity::Kind::memory, .correlation = record.correlationId};
  activity.event = make_event(begins ? LADDER_ALLOC : LADDER_FREE, record.bytes, record.deviceId);
  activity.event.begin = activity.event.end = record.timestamp;
  state().activities.push_back(activity);
  if (!managed || !begins) return;
  // Managed memory moves by pages whenever either side touches it: the whole counts once each way.
  for (const ladder_event_kind way : {LADDER_H2D, LADDER_D2H}) {
    activity.event.kind = way;
    activity.event.flags = LADDER_WHOLE | LADDER_PAGEABLE;
    state().activities.push_back(activity);
  }
}

void add_wait(const CUpti_ActivitySynchronization& record) {
  Activity activity;
  activity.correlation = record.correlationId;
  activity.stream = {record.contextId, record.streamId};
  activity.cuda_event = {record.contextId, record.cudaEventId};
  activity.event = make_event(LADDER_WAIT, 0, 0);
  activity.event.begin = record.start;
  activity.event.end = record.end;
  switch (record.type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
      activity.kind = Activity::Kind::wait_event;
      break;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
      activity.kind = Activity::Kind::stream_wait;
      break;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
      activity.kind = Activity::Kind::wait_stream;
      break;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
      activity.kind = Activity::Kind::wait_all;
      break;
    default:
      return;
  }
  state().activities.push_back(activity);
}

void add_event_record(const CUpti_ActivityCudaEvent& record) {
  Activity activity{.kind = Activity::Kind::event_record, .correlation = record.correlationId};
  activity.stream = {record.contextId, record.streamId};
  activity.cuda_event = {record.contextId, record.eventId};
  state().activities.push_back(activity);
}

void add_stream(const CUpti_ActivityStream& record) {
  const Handle stream{record.contextId, record.streamId};
  if (record.flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL) state().streams.null.insert(stream);
  if (record.flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING)
    state().streams.non_blocking.insert(stream);
}

void add_call(const CUpti_ActivityAPI& record) {
  state().calls[record.correlationId] = {record.start, record.end, record.threadId};
  // Asking until the answer is yes is waiting. Each question is a call; only the answered one counts.
  const bool asks = record.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020 ||
                    record.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020 ||
                    record.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_ptsz_v7000;
  if (!asks || record.returnValue != 0) return;
  Activity activity{.kind = Activity::Kind::wait_all, .correlation = record.correlationId};
  activity.event = make_event(LADDER_WAIT, 0, 0);
  activity.event.begin = record.start;
  activity.event.end = record.end;
  state().activities.push_back(activity);
}

template <class Record>
const Record& as(const CUpti_Activity* record) {
  return *reinterpret_cast<const Record*>(record);
}

void add(const CUpti_Activity* record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      add_kernel(as<CUpti_ActivityKernel9>(record));
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      add_copy(as<CUpti_ActivityMemcpy5>(record));
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      add_peer_copy(as<CUpti_ActivityMemcpyPtoP4>(record));
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      add_fill(as<CUpti_ActivityMemset4>(record));
      break;
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      add_memory(as<CUpti_ActivityMemory3>(record));
      break;
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      add_wait(as<CUpti_ActivitySynchronization>(record));
      break;
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      add_event_record(as<CUpti_ActivityCudaEvent>(record));
      break;
    case CUPTI_ACTIVITY_KIND_STREAM:
      add_stream(as<CUpti_ActivityStream>(record));
      break;
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      add_call(as<CUpti_ActivityAPI>(record));
      break;
    default:
      break;
  }
}

constexpr std::size_t buffer_bytes = 4 << 20;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  // CUPTI wants its records on 8-byte borders.
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
  *size = *buffer ? buffer_bytes : 0;
  *max_records = 0;
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
  std::lock_guard lock(state().mutex);
  CUpti_Activity* record = nullptr;
  while (valid > 0 && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) add(record);
  std::free(buffer);
  std::size_t dropped = 0;  // a step would look as if it did less
  if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped > 0)
    std::fprintf(stderr,
                 "CUPTI lost %zu records, so the trace is not complete: take a smaller problem (--size)\n",
                 dropped);
}

/// Waits for all work of the current context. Through the loaded driver: this library must also load where
/// none is.
void wait_for_device() {
  using Synchronize = int (*)();
  static const auto synchronize = [] {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return driver ? reinterpret_cast<Synchronize>(dlsym(driver, "cuCtxSynchronize")) : nullptr;
  }();
  if (synchronize) synchronize();  // no context yet is no work yet
}

/// What leads from CUPTI's clock to the one that HostWork and the other recorders read: both are read at one
/// time, as closely as in the best of some tries.
std::int64_t to_steady_clock() {
  using std::chrono::steady_clock;
  const auto nanoseconds = [](steady_clock::duration d) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count();
  };
  std::int64_t shift = 0, closest = std::numeric_limits<std::int64_t>::max();
  for (int tries = 0; tries < 10; ++tries) {
    std::uint64_t cupti = 0;
    const auto before = steady_clock::now();
    ok(cuptiGetTimestamp(&cupti), "cuptiGetTimestamp");
    const auto between = steady_clock::now() - before;
    if (nanoseconds(between) >= closest) continue;
    closest = nanoseconds(between);
    shift = nanoseconds((before + between / 2).time_since_epoch()) - static_cast<std::int64_t>(cupti);
  }
  return shift;
}

/// Takes everything that belongs to calls before this one and hands it to the sink, if it is recording.
void flush() {
  std::uint64_t now = 0;
  ok(cuptiGetTimestamp(&now), "cuptiGetTimestamp");
  wait_for_device();
  ok(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
  std::vector<Activity> activities;
  std::map<std::uint32_t, ApiCall> calls;
  Streams streams;
  {
    std::lock_guard lock(state().mutex);
    activities.swap(state().activities);
    calls.swap(state().calls);
    state().allocated.clear();
    streams = state().streams;
  }
  if (!ladder_sink_active()) return;
  // The wait of this flush is not the step's.
  std::erase_if(activities, [now](const Activity& activity) {
    return activity.event.kind == LADDER_WAIT && now != 0 && activity.event.begin >= now;
  });
  const auto shift = [by = to_steady_clock()](std::uint64_t& time) {
    if (time != 0) time += static_cast<std::uint64_t>(by);  // 0: not measured
  };
  for (Activity& activity : activities) shift(activity.event.begin), shift(activity.event.end);
  for (auto& [correlation, call] : calls) shift(call.begin), shift(call.end);
  record_in_order(std::move(activities), calls, streams);
}

/// @return whether all kinds of records come that the metrics need.
bool start() {
  if (!ok(cuptiActivityRegisterCallbacks(give_buffer, take_buffer), "cuptiActivityRegisterCallbacks"))
    return false;
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
        CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_MEMORY2})
    if (!ok(cuptiActivityEnable(kind), "cuptiActivityEnable")) return false;
  // Without these only the order between streams is less exact, or copies between GPUs are missing.
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_STREAM})
    cuptiActivityEnable(kind);
  return true;
}

}  // namespace
}  // namespace ladder::cuda_recorder

/// Called by the CUDA driver when it starts. @return 1, which it wants to see.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  // Attached only when it works: the judge then SKIPs the metrics with a reason instead of counting nothing.
  if (ladder::cuda_recorder::start()) ladder_sink_attach("cuda", ladder::cuda_recorder::flush);
  return 1;
}
