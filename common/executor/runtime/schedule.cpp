#include "common/executor/runtime/schedule.hpp"

#include <algorithm>

#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t most_queued = 1024;
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

Schedule& Schedule::get() {
  static Schedule* const schedule = new Schedule;  // never destroyed: its thread outlives static objects
  return *schedule;
}

Schedule::Schedule() {
  std::thread([this] { run_starter(); }).detach();
}

Site current_operation_site() { return operation_site; }

bool Schedule::in_host_function() { return host_function_runs; }

void Schedule::run_host_function(const std::function<void()>& function) {
  host_function_runs = true;
  function();
  host_function_runs = false;
}

// ---------------------------------------------------------------- streams and events

Stream* Schedule::create_stream(unsigned flags, int priority) {
  Lock lock(mutex_);
  streams_.push_back(new Stream{flags, priority, ++streams_made_, nullptr, nullptr, {}});
  return streams_.back();
}

cudaError_t Schedule::destroy_stream(Stream* stream, Site) {
  Lock lock(mutex_);
  const auto found = std::ranges::find(streams_, stream);
  if (found == streams_.end()) return cudaErrorInvalidResourceHandle;
  streams_.erase(found);  // what it has queued still runs: pending_ keeps it
  delete stream;
  return cudaSuccess;
}

Event* Schedule::create_event(unsigned flags) {
  Lock lock(mutex_);
  auto* event = new Event{flags, nullptr, nullptr, {}};
  events_.insert(event);
  return event;
}

cudaError_t Schedule::destroy_event(Event* event) {
  Lock lock(mutex_);
  if (events_.erase(event) == 0) return cudaErrorInvalidResourceHandle;
  delete event;
  return cudaSuccess;
}

bool Schedule::known(const Stream* stream) const {
  Lock lock(mutex_);
  return !stream || std::ranges::find(streams_, stream) != streams_.end();
}

bool Schedule::known(const Event* event) const {
  Lock lock(mutex_);
  return events_.contains(const_cast<Event*>(event));
}

// ---------------------------------------------------------------- putting operations into order

/// The stream's own last operation, and by the rule of the legacy default stream that of the others.
std::vector<OperationPointer> Schedule::predecessors(const Stream& stream) const {
  std::vector<OperationPointer> result;
  if (stream.last) result.push_back(stream.last);
  if (&stream == &default_stream_) {
    for (const Stream* other : streams_)
      if (other->blocking() && other->last) result.push_back(other->last);
  } else if (stream.blocking() && default_stream_.last) {
    result.push_back(default_stream_.last);
  }
  return result;
}

OperationPointer Schedule::queue(Stream& stream, Task task, const std::vector<OperationPointer>& before) {
  auto operation = std::make_shared<Operation>();
  TraceIds dependencies;
  for (const OperationPointer& other : before) {
    if (!other->done) operation->needs.push_back(other);
    dependencies.add(other->trace);
  }
  if (task.event) {
    dependencies.add(host_);
    task.event->stream = stream.number;
    operation->trace = record(*task.event, dependencies);
  } else {
    operation->trace = dependencies;
  }
  operation->task = std::move(task);
  pending_.push_back(operation);
  ++queued_;
  return operation;
}

cudaError_t Schedule::submit(Stream* handle, Task task, OperationPointer* operation) {
  Lock lock(mutex_);
  Stream& stream = stream_of(handle);
  if (stream.capture) return capture_node(stream, std::move(task));
  if (&stream == &default_stream_ && any_capture(false)) {
    lock.unlock();
    return fail(cudaErrorStreamCaptureImplicit, task.site,
                std::string(task.call) + " uses the default stream while another stream captures a graph");
  }
  stream.last = queue(stream, std::move(task), predecessors(stream));
  if (operation) *operation = stream.last;
  after_queueing(lock);
  return cudaSuccess;
}

cudaError_t Schedule::record_event(Event* event, Stream* handle, Site site) {
  Lock lock(mutex_);
  Stream& stream = stream_of(handle);
  event->capture = stream.capture;
  if (stream.capture) {
    event->captured = stream.captured_last;
    return cudaSuccess;
  }
  stream.last = event->recorded = queue(stream, {"cudaEventRecord", site, {}, {}}, predecessors(stream));
  after_queueing(lock);
  return cudaSuccess;
}

cudaError_t Schedule::wait_event(Stream* handle, Event* event, Site site) {
  Lock lock(mutex_);
  Stream& stream = stream_of(handle);
  if (event->capture) {
    if (!stream.capture) stream.capture = event->capture;  // the stream joins the capture
    if (stream.capture != event->capture) return cudaErrorStreamCaptureIsolation;
    for (const int node : event->captured) stream.captured_last.push_back(node);
    return cudaSuccess;
  }
  if (stream.capture) {
    lock.unlock();
    return fail(cudaErrorStreamCaptureIsolation, site,
                "cudaStreamWaitEvent: the stream captures a graph, the event was recorded outside of it");
  }
  if (!event->recorded) return cudaSuccess;
  std::vector<OperationPointer> before = predecessors(stream);
  before.push_back(event->recorded);
  stream.last = queue(stream, {"cudaStreamWaitEvent", site, {}, {}}, before);
  after_queueing(lock);
  return cudaSuccess;
}

void Schedule::after_queueing(Lock& lock) {
  if (eager() || queued_ >= most_queued) {
    finish(lock, everything());
    return;
  }
  start_at_ = Clock::now() + delay();
  if (starter_sleeps_) queued_work_.notify_one();
}

// ---------------------------------------------------------------- running

/// Every operation that is not done: streams from the last created to the first, then what no stream holds any more.
std::vector<OperationPointer> Schedule::everything() const {
  std::vector<OperationPointer> result;
  for (auto stream = streams_.rbegin(); stream != streams_.rend(); ++stream)
    if ((*stream)->last) result.push_back((*stream)->last);
  if (default_stream_.last) result.push_back(default_stream_.last);
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
      const auto needed = std::ranges::find_if(operation->needs, [](const auto& other) { return !other->done; });
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
  if (operation->task.work) operation->task.work();
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

void Schedule::host_waited_for(const std::vector<OperationPointer>& targets) {
  TraceIds dependencies = host_;
  for (const OperationPointer& target : targets) dependencies.add(target->trace);
  host_ = record(trace_event(LADDER_WAIT, "wait"), dependencies);
}

void Schedule::finish(const OperationPointer& operation, bool host_waits) {
  Lock lock(mutex_);
  finish(lock, {operation});
  if (host_waits) host_waited_for({operation});
}

cudaError_t Schedule::finish_stream(Stream* handle, Site site) {
  Lock lock(mutex_);
  Stream& stream = stream_of(handle);
  if (stream.capture) {
    stream.capture->broken = true;
    lock.unlock();
    return fail(cudaErrorStreamCaptureUnsupported, site, "the host cannot wait for a stream that captures a graph");
  }
  // The default stream has waited for the others only where it has work of its own.
  const auto targets = &stream == &default_stream_ ? predecessors(stream) : std::vector{stream.last};
  if (targets.empty() || !targets.front()) {
    host_waited_for({});
    return cudaSuccess;
  }
  finish(lock, targets);
  host_waited_for(targets);
  return cudaSuccess;
}

cudaError_t Schedule::finish_event(Event* event, Site site) {
  Lock lock(mutex_);
  if (event->capture) {
    lock.unlock();
    return fail(cudaErrorStreamCaptureUnsupported, site, "the host cannot wait for an event that was recorded into a graph");
  }
  if (!event->recorded) return cudaSuccess;
  finish(lock, {event->recorded});
  host_waited_for({event->recorded});
  return cudaSuccess;
}

void Schedule::finish_all(bool host_waits) {
  Lock lock(mutex_);
  std::vector<OperationPointer> targets = everything();
  finish(lock, targets);
  if (host_waits) host_waited_for(targets);
}

bool Schedule::poll(const OperationPointer& operation) {
  Lock lock(mutex_);
  if (!operation || operation->done) {
    if (operation) host_.add(operation->trace);
    return true;
  }
  poke();
  return false;
}

bool Schedule::poll_stream(Stream* handle) {
  OperationPointer last;
  {
    Lock lock(mutex_);
    last = stream_of(handle).last;
  }
  return poll(last);
}

bool Schedule::poll_event(Event* event) {
  OperationPointer recorded;
  {
    Lock lock(mutex_);
    recorded = event->recorded;
  }
  return poll(recorded);
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
  changed_.notify_all();
}

/// Host code that polls, or waits for a host function, calls nothing that would run the queue: this thread does.
void Schedule::run_starter() {
  Lock lock(mutex_);
  for (;;) {
    starter_sleeps_ = true;
    queued_work_.wait(lock, [this] { return queued_ > 0; });
    starter_sleeps_ = false;
    while (queued_ > 0 && Clock::now() < start_at_) queued_work_.wait_until(lock, start_at_);
    if (queued_ > 0) finish(lock, everything());
    // A program that launches and waits in a loop would wake this thread each time: look again a little later.
    for (int idle = 0; queued_ == 0 && idle < 20; ++idle) queued_work_.wait_for(lock, std::chrono::milliseconds(1));
  }
}

void Schedule::record_launch(const std::string& name) {
  if (!tracing()) return;
  Lock lock(mutex_);
  record(trace_event(LADDER_LAUNCH, name), host_);
}

void Schedule::record_memory(ladder_event_kind kind, std::uint64_t bytes) {
  if (!tracing()) return;
  Lock lock(mutex_);
  record(trace_event(kind, kind == LADDER_ALLOC ? "cudaMalloc" : "cudaFree", bytes), host_);
}

}  // namespace ladder::executor
