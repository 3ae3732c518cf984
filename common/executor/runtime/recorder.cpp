#include "common/executor/runtime/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>

// A program without libladder-sink.so runs too, and records nothing.
extern "C" {
__attribute__((weak)) void ladder_sink_attach(const char*, void (*)(void));
__attribute__((weak)) int ladder_sink_active(void);
__attribute__((weak)) uint64_t ladder_sink_record(const struct ladder_event*, const uint64_t*, size_t);
__attribute__((weak)) void ladder_sink_times(uint64_t, uint64_t, uint64_t);
}

namespace ladder::executor {
namespace {

/// Number of the recording: the sink gives new ids in each, and old ones would name other events.
std::atomic<std::uint64_t> recording{1};

void (*finish_device)();

void end_recording() {
  finish_device();
  ++recording;
}

}  // namespace

void TraceIds::add(const TraceIds& other) {
  if (other.ids.empty()) return;
  const std::uint64_t current_recording = executor::recording.load();
  if (recording != current_recording) ids.clear();
  recording = current_recording;
  if (other.recording != current_recording) return;
  for (const std::uint64_t id : other.ids)
    if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
}

ladder_event trace_event(ladder_event_kind kind, const std::string& name, std::uint64_t bytes) {
  ladder_event event{};
  event.kind = kind;
  event.bytes = bytes;
  event.peer = -1;
  for (int i = 0; i < 3; ++i) event.grid[i] = event.block[i] = 1;
  std::snprintf(event.name, sizeof event.name, "%s", name.c_str());
  return event;
}

bool tracing() {
  return ladder_sink_active && ladder_sink_active();
}

TraceIds record(const ladder_event& event, const TraceIds& dependencies) {
  if (!tracing()) return {};
  const std::uint64_t current_recording = recording.load();
  const bool current = dependencies.recording == current_recording;
  const std::uint64_t id =
      ladder_sink_record(&event, dependencies.ids.data(), current ? dependencies.ids.size() : 0);
  if (id == 0) return {};
  return {current_recording, {id}};
}

void record_times(const TraceIds& event, std::uint64_t begin, std::uint64_t end) {
  if (event.recording != recording.load() || !ladder_sink_times) return;
  for (const std::uint64_t id : event.ids) ladder_sink_times(id, begin, end);
}

std::uint64_t trace_clock() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    std::chrono::nanoseconds(1));
}

void attach_recorder(void (*finish)()) {
  finish_device = finish;
  if (ladder_sink_attach) ladder_sink_attach("executor", end_recording);
}

}  // namespace ladder::executor
