/// @file
/// The process's one list of events. Its own shared object, so that a layer, an injected library and the
/// executor, each loaded by another mechanism, all write to the same list. No dependency but the C++ runtime.

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "common/base/event.h"

#define LADDER_EXPORT __attribute__((visibility("default")))

namespace {

using Pair = std::uint64_t[2];

struct Sink {
  std::mutex mutex;
  std::vector<ladder_event> events;  // events[i].id == i + 1
  std::vector<std::array<std::uint64_t, 2>> deps;
  std::string recorders;
  std::vector<void (*)()> flushes;
};

std::atomic<bool> recording{false};
std::atomic<std::uint64_t> run{0};  // counts starts

/// The order of one thread's program: what it has waited for or worked on comes before what it calls next.
struct HostOrder {
  std::uint64_t run = 0;
  std::uint64_t last = 0;
  bool flushing = false;
};
thread_local HostOrder host_order;

/// Never destroyed: recorders still call during the exit of the process, after static destructors.
Sink& sink() {
  static Sink* const the_sink = new Sink;
  return *the_sink;
}

/// Called without the lock: recorders record events and set times in it.
void flush_recorders() {
  std::vector<void (*)()> flushes;
  {
    std::lock_guard lock(sink().mutex);
    flushes = sink().flushes;
  }
  host_order.flushing = true;
  for (void (*flush)() : flushes) flush();
  host_order.flushing = false;
}

}  // namespace

extern "C" {

LADDER_EXPORT void ladder_sink_attach(const char* recorder, void (*flush)(void)) {
  Sink& s = sink();
  std::lock_guard lock(s.mutex);
  if (!s.recorders.empty()) s.recorders += ',';
  s.recorders += recorder;
  if (flush) s.flushes.push_back(flush);
}

LADDER_EXPORT const char* ladder_sink_recorders(void) {
  Sink& s = sink();
  std::lock_guard lock(s.mutex);
  // One copy per calling thread: a recorder that attaches later must not move the text while the caller reads
  // it.
  thread_local std::string copy;
  copy = s.recorders;
  return copy.c_str();
}

LADDER_EXPORT void ladder_sink_start(void) {
  recording = false;
  flush_recorders();
  Sink& s = sink();
  std::lock_guard lock(s.mutex);
  s.events.clear();
  s.deps.clear();
  ++run;
  recording = true;
}

LADDER_EXPORT int ladder_sink_active(void) {
  return recording.load(std::memory_order_relaxed) ? 1 : 0;
}

LADDER_EXPORT uint64_t ladder_sink_record(const struct ladder_event* event, const uint64_t* deps,
                                          size_t dep_count) {
  if (!recording) return 0;
  Sink& s = sink();
  std::lock_guard lock(s.mutex);
  if (!recording || s.events.size() >= LADDER_MOST_EVENTS) return 0;
  const std::uint64_t id = s.events.size() + 1;
  s.events.push_back(*event);
  s.events.back().id = id;
  s.events.back().name[sizeof event->name - 1] = '\0';
  const auto add = [&](std::uint64_t dep) {
    if (dep > 0 && dep < id && s.deps.size() < LADDER_MOST_DEPENDENCIES) s.deps.push_back({id, dep});
  };
  for (std::size_t i = 0; i < dep_count; ++i) add(deps[i]);
  HostOrder& order = host_order;
  if (order.flushing) return id;
  if (order.run != run) order = {.run = run};
  add(order.last);
  if (event->kind == LADDER_WAIT || event->kind == LADDER_HOST) order.last = id;
  return id;
}

LADDER_EXPORT void ladder_sink_times(uint64_t id, uint64_t begin, uint64_t end) {
  Sink& s = sink();
  std::lock_guard lock(s.mutex);
  if (id == 0 || id > s.events.size()) return;
  s.events[id - 1].begin = begin;
  s.events[id - 1].end = end;
}

LADDER_EXPORT void ladder_sink_drain(const struct ladder_event** events, size_t* count,
                                     const uint64_t (**deps)[2], size_t* dep_count) {
  flush_recorders();
  Sink& s = sink();
  std::lock_guard lock(s.mutex);
  recording = false;
  *events = s.events.data();
  *count = s.events.size();
  *deps = reinterpret_cast<const Pair*>(s.deps.data());
  *dep_count = s.deps.size();
}

}  // extern "C"
