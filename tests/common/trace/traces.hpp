#pragma once
/// @file
/// Traces for tests: written by hand, or taken from the sink of this process.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/trace/trace.hpp"

namespace ladder::test {

/// A trace under construction. Each add returns the event's id, so that later ones can depend on it.
class Builder {
 public:
  std::uint64_t add(ladder_event_kind kind, double bytes = 0, std::vector<std::uint64_t> deps = {}) {
    Trace::Event event;
    event.kind = kind;
    event.bytes = bytes;
    event.deps = std::move(deps);
    event.id = trace.events.size() + 1;
    trace.events.push_back(event);
    return event.id;
  }
  std::uint64_t kernel(std::uint32_t grid, std::uint32_t block, std::vector<std::uint64_t> deps = {},
                       const char* name = "kernel") {
    const std::uint64_t id = add(LADDER_KERNEL, 0, std::move(deps));
    last().grid[0] = grid;
    last().block[0] = block;
    last().name = name;
    return id;
  }
  Trace::Event& last() { return trace.events.back(); }

  Trace trace;
};

inline std::span<const std::byte> as_bytes(const auto* data, std::size_t count) {
  return std::as_bytes(std::span(data, count));
}

/// Runs something between start and drain of the sink, as the worker does.
template <class Body>
Trace record(Body&& body) {
  ladder_sink_start();
  body();
  const ladder_event* events = nullptr;
  const std::uint64_t(*deps)[2] = nullptr;
  std::size_t count = 0, dep_count = 0;
  ladder_sink_drain(&events, &count, &deps, &dep_count);
  return Trace::from_bytes(as_bytes(events, count), std::as_bytes(std::span(deps, dep_count)),
                           ladder_sink_recorders());
}

/// The kinds of the events, in order.
inline std::vector<ladder_event_kind> kinds(const Trace& trace) {
  std::vector<ladder_event_kind> result;
  for (const Trace::Event& event : trace.events) result.push_back(event.kind);
  return result;
}

/// The n-th event of a kind, from 0.
inline const Trace::Event& nth(const Trace& trace, ladder_event_kind kind, std::size_t n = 0) {
  for (const Trace::Event& event : trace.events)
    if (event.kind == kind && n-- == 0) return event;
  throw std::out_of_range("no such event");
}

/// Whether an event comes after another by dependencies, directly or not.
inline bool depends(const Trace& trace, const Trace::Event& event, const Trace::Event& on) {
  for (const std::uint64_t dep : event.deps)
    if (dep == on.id || depends(trace, trace.events[dep - 1], on)) return true;
  return false;
}

/// Whether two numbers are the same but for rounding.
inline bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

/// What a call threw; "" when it did not throw.
template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace ladder::test
