#pragma once
/// @file
/// What a step did to its device in one call, as the judge sees it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/event.h"

namespace ladder {

/// The events of one call in the order in which they were recorded. Metrics (metrics.hpp) are pure functions
/// of it.
struct Trace {
  /// One event: what ladder_event says, checked, with its dependencies.
  struct Event {
    ladder_event_kind kind = LADDER_KERNEL;  ///< what happened
    std::uint32_t flags = 0;                 ///< ladder_event_flag
    std::uint64_t id = 0;                    ///< place in Trace::events, from 1
    double bytes = 0;          ///< whole; a double, so that no sum of hostile values wraps around
    int device = 0;            ///< index; -1: none
    int peer = -1;             ///< rank of the other side; -1: none
    int rank = 0;              ///< process that recorded it
    std::uint64_t stream = 0;  ///< any stable number; 0: default stream or host
    std::uint64_t begin = 0;   ///< nanoseconds of the recorder's clock; 0: not measured
    std::uint64_t end = 0;     ///< the same clock
    std::array<std::uint32_t, 3> grid{1, 1, 1};   ///< blocks; work-items where the runtime chose the block
    std::array<std::uint32_t, 3> block{1, 1, 1};  ///< work-items of a block
    std::uint32_t shared_bytes = 0;               ///< shared or local memory of a block
    std::uint32_t registers = 0;                  ///< of a thread; 0: not known
    std::string name{};                           ///< printable ASCII
    std::vector<std::uint64_t> deps{};            ///< ids, each less than this event's: there is no cycle

    /// Whether a flag is set.
    bool is(ladder_event_flag flag) const { return (flags & flag) != 0; }
    /// Whether it moves bytes from one place to another.
    bool is_copy() const { return kind == LADDER_H2D || kind == LADDER_D2H || kind == LADDER_D2D; }
    /// Whether a stream does it: kernels, copies and fills. The others are calls or work of the host.
    bool is_operation() const { return kind == LADDER_KERNEL || kind == LADDER_FILL || is_copy(); }
  };

  std::vector<Event> events;  ///< in the order of the program
  std::string recorders;      ///< as attached, separated by commas: "opencl"

  /// Reads what a worker sent. All of it is hostile: sizes, kinds, flags, names and dependencies are checked,
  /// ids must be 1, 2, 3, ... as the sink gives them, and what a recorder cut because it was too long is
  /// refused.
  /// @param events ladder_event[]; need not be aligned.
  /// @param deps uint64_t[][2], pairs (event, dependency).
  /// @throws ladder::Error that names the first wrong event.
  static Trace from_bytes(std::span<const std::byte> events, std::span<const std::byte> deps,
                          std::string_view recorders);

  /// Appends the events of another rank's trace; their ids and dependencies move up.
  void append(const Trace& other, int rank);

  /// As Trace Event JSON: opens in Perfetto (ui.perfetto.dev) and chrome://tracing. A process a rank, a
  /// thread for the host and one a stream; arrows are dependencies between threads. Events without times
  /// follow one another.
  std::string to_json() const;

  /// Reads what to_json wrote; the times are from the first event on. @throws ladder::Error for another
  /// document
  static Trace from_json(std::string_view text);
};

/// Name of a kind as messages and exports print it: "copy to device".
std::string_view name_of(ladder_event_kind kind);

}  // namespace ladder
