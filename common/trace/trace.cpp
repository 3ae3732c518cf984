#include "common/trace/trace.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/base/error.hpp"

namespace ladder {
namespace {

// 4 PB: more than any machine moves in a call, and sums of such numbers stay exact in a double for long.
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 52;
// Three centuries in nanoseconds: differences fit in a signed number.
constexpr std::uint64_t last_time = std::uint64_t{1} << 63;

[[noreturn]] void refuse(std::size_t index, const std::string& why) {
  throw Error("the worker's trace is broken: event " + std::to_string(index + 1) + " " + why);
}

std::string printable(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

Trace::Event checked(const ladder_event& raw, std::size_t index) {
  if (raw.id != index + 1) refuse(index, "has id " + std::to_string(raw.id));
  if (raw.kind < LADDER_KERNEL || raw.kind > LADDER_RECEIVE)
    refuse(index, "has the unknown kind " + std::to_string(raw.kind));
  if (raw.flags & ~std::uint32_t{LADDER_PAGEABLE | LADDER_BLOCKING | LADDER_WHOLE})
    refuse(index, "has unknown flags " + std::to_string(raw.flags));
  if (raw.bytes > max_bytes) refuse(index, "moves " + std::to_string(raw.bytes) + " bytes");
  if (raw.device < -1 || raw.device > 1023) refuse(index, "names device " + std::to_string(raw.device));
  if (raw.peer < -1 || raw.peer > 1'000'000) refuse(index, "names rank " + std::to_string(raw.peer));
  if (raw.end < raw.begin || raw.end >= last_time)
    refuse(index, "ends before it begins or in the far future");
  const char* terminator = static_cast<const char*>(std::memchr(raw.name, '\0', sizeof raw.name));
  if (!terminator) refuse(index, "has a name without an end");

  Trace::Event event;
  event.kind = static_cast<ladder_event_kind>(raw.kind);
  event.flags = raw.flags;
  event.id = raw.id;
  event.bytes = static_cast<double>(raw.bytes);
  event.device = raw.device;
  event.peer = raw.peer;
  event.stream = raw.stream;
  event.begin = raw.begin;
  event.end = raw.end;
  std::ranges::copy(raw.grid, event.grid.begin());
  std::ranges::copy(raw.block, event.block.begin());
  event.shared_bytes = raw.shared_bytes;
  event.registers = raw.registers;
  event.name = printable(std::string_view(raw.name, terminator - raw.name));
  return event;
}

}  // namespace

std::string_view name_of(ladder_event_kind kind) {
  switch (kind) {
    case LADDER_KERNEL:
      return "kernel";
    case LADDER_H2D:
      return "copy to device";
    case LADDER_D2H:
      return "copy to host";
    case LADDER_D2D:
      return "copy on device";
    case LADDER_FILL:
      return "fill";
    case LADDER_LAUNCH:
      return "launch";
    case LADDER_WAIT:
      return "wait";
    case LADDER_ALLOC:
      return "allocate";
    case LADDER_FREE:
      return "free";
    case LADDER_HOST:
      return "host work";
    case LADDER_SEND:
      return "send";
    case LADDER_RECEIVE:
      return "receive";
  }
  return "unknown";
}

Trace Trace::from_bytes(std::span<const std::byte> events, std::span<const std::byte> deps,
                        std::string_view recorders) {
  constexpr std::size_t pair_bytes = 2 * sizeof(std::uint64_t);
  if (events.size() % sizeof(ladder_event) != 0 || deps.size() % pair_bytes != 0)
    throw Error("the worker's trace is broken: it ends in the middle of a record");
  const std::size_t event_count = events.size() / sizeof(ladder_event), dep_count = deps.size() / pair_bytes;
  if (event_count >= LADDER_MOST_EVENTS || dep_count >= LADDER_MOST_DEPENDENCIES)
    throw Error("the rung recorded more than " + std::to_string(LADDER_MOST_EVENTS) +
                " events: its trace was cut and can't be counted");
  if (recorders.size() > 256) throw Error("the worker's trace is broken: the list of recorders is too long");

  Trace trace;
  trace.recorders = printable(recorders);
  trace.events.reserve(event_count);
  for (std::size_t i = 0; i < event_count; ++i) {
    ladder_event raw;
    std::memcpy(&raw, events.data() + i * sizeof raw, sizeof raw);
    trace.events.push_back(checked(raw, i));
  }
  for (std::size_t i = 0; i < dep_count; ++i) {
    std::uint64_t pair[2];
    std::memcpy(pair, deps.data() + i * pair_bytes, pair_bytes);
    // A dependency points back: so each id is known, and the events form no cycle.
    if (pair[0] == 0 || pair[0] > event_count || pair[1] == 0 || pair[1] >= pair[0])
      throw Error("the worker's trace is broken: event " + std::to_string(pair[0]) + " depends on event " +
                  std::to_string(pair[1]));
    trace.events[pair[0] - 1].deps.push_back(pair[1]);
  }
  return trace;
}

void Trace::append(const Trace& other, int rank) {
  const std::uint64_t offset = events.size();
  for (Event event : other.events) {
    event.rank = rank;
    event.id += offset;
    for (std::uint64_t& dep : event.deps) dep += offset;
    events.push_back(std::move(event));
  }
  if (recorders.empty()) recorders = other.recorders;
}

}  // namespace ladder
