/// @file
/// When operations run: as late as CUDA allows, in an order that breaks programs which rely on another.

#include <algorithm>

#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/schedule.hpp"

namespace ladder::executor {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t max_queued = 1024;
constinit thread_local bool host_function_runs = false;
constinit thread_local Site operation_site;

/// Milliseconds after which queued work starts by itself.
std::chrono::milliseconds delay() {
  static const std::chrono::milliseconds value(setting("LADDER_EXECUTOR_DELAY", 1, 1, 1000000000));
  return value;
}

bool eager() {
  static const bool value = setting("LADDER_EXECUTOR_EAGER", 0, 0, 1) == 1;
  return value;
}

}  // namespace

Site current_operation_site() {
  return operation_site;
}

bool Schedule::in_host_function() {
  return host_function_runs;
}

void Schedule::run_host_function(const std::function<void()>& function) {
  host_function_runs = true;
  function();
  host_function_runs = false;
}

void Schedule::after_queueing(Lock& lock) {
  if (eager() || queued_ >= max_queued) {
    finish(lock, everything());
    return;
  }
  start_at_ = Clock::now() + delay();
  if (starter_sleeps_) queued_work_.notify_one();
}

/// From the last created stream to the first, then the default stream.
std::vector<OperationPointer> Schedule::last_of_streams() const {
  std::vector<OperationPointer> result;
  for (auto stream = streams_.rbegin(); stream != streams_.rend(); ++stream)
    if ((*stream)->last) result.push_back((*stream)->last);
  if (default_stream_.last) result.push_back(default_stream_.last);
  return result;
}

/// The streams, then what no stream holds any more.
std::vector<OperationPointer> Schedule::everything() const {
  std::vector<OperationPointer> result = last_of_streams();
  for (const OperationPointer& operation : pending_)
    if (!operation->done) result.push_back(operation);
  return result;
}

/// Depth first through what each target needs, without recursion: a chain may be long.
void Schedule::finish(Lock& lock, const std::vector<OperationPointer>& targets) {
  std::optional<DeviceAccess> access;
  for (const OperationPointer& target : targets) {
    std::vector<OperationPointer> path = {target};
    while (!path.empty()) {
      const OperationPointer operation = path.back();
      const auto needed =
          std::ranges::find_if(operation->needs, [](const auto& other) { return !other->done; });
      if (operation->done) {
        path.pop_back();
      } else if (executing_) {
        changed_.wait(lock);
      } else if (needed != operation->needs.end()) {
        path.push_back(*needed);
      } else {
        if (!access) access.emplace();
        execute(lock, operation);
        path.pop_back();
      }
    }
  }
  while (!pending_.empty() && pending_.front()->done) pending_.pop_front();
}

void Schedule::execute(Lock& lock, const OperationPointer& operation) {
  executing_ = true;
  lock.unlock();
  const std::uint64_t begin = trace_clock();
  operation_site = operation->task.site;
  if (observer) observer->operation_begins(operation->id);
  if (operation->task.work) operation->task.work();
  if (observer) observer->operation_ends(operation->id);
  operation_site = {};
  const std::uint64_t end = trace_clock();
  if (operation->task.event) record_times(operation->trace, begin, end);
  operation->task.work = nullptr;
  lock.lock();
  operation->finished = end;
  operation->done = true;
  operation->needs.clear();
  executing_ = false;
  --queued_;
  changed_.notify_all();
}

void Schedule::record_wait(const char* name, const std::vector<OperationPointer>& targets,
                           std::uint64_t begin) {
  notify_waited(targets);
  if (!tracing()) return;
  TraceIds dependencies;
  for (const OperationPointer& target : targets) dependencies.add(target->trace);
  ladder_event event = trace_event(LADDER_WAIT, name);
  event.begin = begin;
  event.end = trace_clock();
  record(event, dependencies);
}

void Schedule::notify_waited(const std::vector<OperationPointer>& targets) {
  if (!observer) return;
  std::vector<std::uint64_t> ids;
  for (const OperationPointer& target : targets) ids.push_back(target->id);
  observer->host_waited(ids);
}

void Schedule::finish(const OperationPointer& operation, const char* wait) {
  const std::uint64_t begin = trace_clock();
  Lock lock(mutex_);
  finish(lock, {operation});
  if (wait) record_wait(wait, {operation}, begin);
}

cudaError_t Schedule::finish_stream(Stream* handle, Site site) {
  const std::uint64_t begin = trace_clock();
  Lock lock(mutex_);
  Stream& stream = stream_of(handle);
  if (stream.capture) {
    stream.capture->broken = true;
    lock.unlock();
    return fail(cudaErrorStreamCaptureUnsupported, site,
                "the host cannot wait for a stream that captures a graph");
  }
  std::vector<OperationPointer> targets;
  if (&stream == &default_stream_)
    targets = predecessors(stream);  // it stands for all blocking streams
  else if (stream.last)
    targets = {stream.last};
  finish(lock, targets);
  record_wait("cudaStreamSynchronize", targets, begin);
  return cudaSuccess;
}

cudaError_t Schedule::finish_event(Event* event, Site site) {
  const std::uint64_t begin = trace_clock();
  Lock lock(mutex_);
  if (event->capture) {
    lock.unlock();
    return fail(cudaErrorStreamCaptureUnsupported, site,
                "the host cannot wait for an event that was recorded into a graph");
  }
  std::vector<OperationPointer> targets;
  if (event->recorded) targets = {event->recorded};
  finish(lock, targets);
  record_wait("cudaEventSynchronize", targets, begin);
  return cudaSuccess;
}

void Schedule::finish_all(const char* wait) {
  const std::uint64_t begin = trace_clock();
  Lock lock(mutex_);
  finish(lock, everything());
  if (wait) record_wait(wait, last_of_streams(), begin);
  if (observer) observer->host_waited_for_all();
}

/// A question that is answered with yes was a wait: the host knows what it knows after one.
bool Schedule::poll(const char* call, const OperationPointer& operation) {
  if (!operation || operation->done) {
    record_wait(call, operation ? std::vector{operation} : std::vector<OperationPointer>(), trace_clock());
    return true;
  }
  poke();
  return false;
}

bool Schedule::poll_stream(Stream* handle) {
  Lock lock(mutex_);
  return poll("cudaStreamQuery", stream_of(handle).last);
}

bool Schedule::poll_event(Event* event) {
  Lock lock(mutex_);
  return poll("cudaEventQuery", event->recorded);
}

cudaError_t Schedule::elapsed(float* milliseconds, Event* begin, Event* end, Site) {
  Lock lock(mutex_);
  if ((begin->flags | end->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
  if (!begin->recorded || !end->recorded) return cudaErrorInvalidResourceHandle;
  if (!begin->recorded->done || !end->recorded->done) return cudaErrorNotReady;
  const auto difference = static_cast<std::int64_t>(end->recorded->finished - begin->recorded->finished);
  *milliseconds = static_cast<float>(static_cast<double>(difference) * 1e-6);
  return cudaSuccess;
}

void Schedule::poke() {
  start_at_ = Clock::now();
  queued_work_.notify_one();
}

/// Host code that polls, or waits for a host function, calls nothing that would run the queue: this thread
/// does.
void Schedule::run_starter() {
  Lock lock(mutex_);
  for (;;) {
    starter_sleeps_ = true;
    queued_work_.wait(lock, [this] { return queued_ > 0; });
    starter_sleeps_ = false;
    while (queued_ > 0 && Clock::now() < start_at_) queued_work_.wait_until(lock, start_at_);
    if (queued_ > 0) finish(lock, everything());
    // A program that launches and waits in a loop would wake this thread each time: look again a little
    // later.
    for (int idle = 0; queued_ == 0 && idle < 20; ++idle)
      queued_work_.wait_for(lock, std::chrono::milliseconds(1));
  }
}

void Schedule::record_launch(const std::string& name) {
  if (!tracing()) return;
  Lock lock(mutex_);
  record(trace_event(LADDER_LAUNCH, name), {});
}

void Schedule::record_memory(ladder_event_kind kind, std::uint64_t bytes) {
  if (!tracing()) return;
  Lock lock(mutex_);
  record(trace_event(kind, kind == LADDER_ALLOC ? "cudaMalloc" : "cudaFree", bytes), {});
}

}  // namespace ladder::executor
