#include "common/executor/runtime/schedule.hpp"

#include <algorithm>

#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
Schedule& Schedule::get() {
  static Schedule* const schedule = new Schedule;  // never destroyed: its thread outlives static objects
  return *schedule;
}

Schedule::Schedule() {
  std::thread([this] { run_starter(); }).detach();
}

// ---------------------------------------------------------------- streams and events

Stream* Schedule::create_stream(unsigned flags, int priority) {
  Lock lock(mutex_);
  streams_.push_back(new Stream{flags, priority, ++streams_made_, nullptr, nullptr, {}});
  if (observer) observer->stream_created(streams_made_, resolve({}));
  return streams_.back();
}

cudaError_t Schedule::destroy_stream(Stream* stream, Site site) {
  Lock lock(mutex_);
  const auto found = std::ranges::find(streams_, stream);
  if (found == streams_.end()) return cudaErrorInvalidResourceHandle;
  if (stream->blocking() && stream->last && !stream->last->done)  // the default stream must still wait for it
    default_stream_.last =
        queue(default_stream_, {"cudaStreamDestroy", site, {}, {}}, predecessors(default_stream_));
  if (observer) observer->stream_destroyed(stream->number, site);
  streams_.erase(found);  // what it has queued still runs: pending_ keeps it
  delete stream;
  return cudaSuccess;
}

Event* Schedule::create_event(unsigned flags) {
  Lock lock(mutex_);
  auto* event = new Event{flags, nullptr, nullptr, {}};
  events_.insert(event);
  if (observer) observer->event_created(event, resolve({}));
  return event;
}

cudaError_t Schedule::destroy_event(Event* event) {
  Lock lock(mutex_);
  if (events_.erase(event) == 0) return cudaErrorInvalidResourceHandle;
  if (observer) observer->event_destroyed(event, resolve({}));
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
  operation->id = ++operations_made_;
  TraceIds dependencies;
  for (const OperationPointer& other : before) {
    if (!other->done) operation->needs.push_back(other);
    dependencies.add(other->trace);
  }
  if (task.event) {
    task.event->stream = stream.number;
    operation->trace = record(*task.event, dependencies);
  } else {
    operation->trace = dependencies;
  }
  if (observer) {
    std::vector<std::uint64_t> after;
    for (const OperationPointer& other : before) after.push_back(other->id);
    observer->operation_queued(
        {operation->id, task.call, task.site, stream.number, after, task.touches, task.host_waits});
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

}  // namespace ladder::executor
