#pragma once
/// @file
/// The executor's own trace: it knows every operation, so it records itself.

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/event.h"

namespace ladder::executor {

/// Ids of trace events that an operation stands for; of one recording, and empty in the next.
struct TraceIds {
  std::uint64_t recording = 0;
  std::vector<std::uint64_t> ids;

  void add(const TraceIds& other);
};

/// An event with the fields that every one has.
ladder_event trace_event(ladder_event_kind kind, const std::string& name, std::uint64_t bytes = 0);

/// Whether a trace is being taken.
bool tracing();
/// Records an event that may begin when `dependencies` are done. @return what later events depend on
TraceIds record(const ladder_event& event, const TraceIds& dependencies);
/// Sets when the event ran.
void record_times(const TraceIds& event, std::uint64_t begin, std::uint64_t end);
/// Nanoseconds of the recorder's clock.
std::uint64_t trace_clock();
/// Announces this recorder to the sink, when the process has one.
/// @param finish waits for the device; called before a recording begins and before it ends
void attach_recorder(void (*finish)());

}  // namespace ladder::executor
