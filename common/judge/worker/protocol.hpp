#pragma once
/// @file
/// What judge and worker say to each other: fixed-size messages over a Unix socket that keeps their borders.
///
///     launcher Confined                once, before it becomes the worker, which takes over its connection
///     worker  Hello                    once, when it is ready for work
///     judge   Prepare (+ memory)       worker  Ready      inputs mapped, outputs poisoned
///     judge   Go                       worker  Synchronised  the step has returned and its device is idle:
///                                                 here the judge's clock stops; not when it has thrown
///                                      worker  Done       what went wrong; outputs on the device are kept
///                                      worker  Outputs    they lie in the judge's memory
///                                      worker  TraceReady (+ memory), when the call was traced
///                                      worker  ObservationReady (+ memory), when it was observed
///
/// Memory travels as file descriptors: `inputs` can only be read by the worker, `outputs` is written by it. A
/// step on host data works in `outputs`: on "synchronised" the judge stops the worker, copies them, and lets
/// it go on. The judge treats each reply as hostile: size, tag and sequence must be the expected ones.

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ladder::protocol {

constexpr std::uint32_t version = 3;
constexpr std::size_t max_arrays = 12;
constexpr std::size_t max_problem = 512;
constexpr std::size_t max_threads = 256;
/// Usually fills outputs before a call. As double and float: a NaN; as int: -1.
constexpr std::byte poison{0xFF};
/// A variable of the worker's environment: it ends with the destructors and functions that programs have for
/// that.
constexpr const char* ends_as_programs_do = "LADDER_ENDS_AS_PROGRAMS_DO";

enum class Tag : std::uint32_t {
  hello = 0x4c414401,
  prepare,
  ready,
  go,
  synchronised,
  done,
  outputs,
  trace,
  observation,
  confined
};

/// How far this kernel let the worker be confined: said before anything of the step's program runs.
struct Confined {
  Tag tag = Tag::confined;
  std::int32_t landlock = 0;     ///< its version; 0: not here
  std::int32_t no_landlock = 0;  ///< errno; 0: it holds
  std::int32_t no_filter = 0;    ///< of seccomp
  std::int32_t no_network = 0;   ///< of a network of its own, in m rows
  std::int32_t devices = 0;      ///< device files that may be opened for writing
};

struct Hello {
  Tag tag = Tag::hello;
  std::uint32_t version = protocol::version;
  std::int32_t rank = 0;
  char source_hash[72] = {};  ///< SHA-256 of the step's source, hexadecimal
  char recorders[64] = {};
  char device[128] = {};
};

/// The end of an array lies at the end of its room, but for what fills a cache line: an index beyond it
/// leaves the room.
constexpr std::size_t alignment = 64;  // the same start for every step, so times compare

inline std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}
/// Bytes of the whole pages that an output array of that many bytes gets.
inline std::size_t room_of(std::size_t bytes) {
  static const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return round_up(bytes > 0 ? bytes : 1, page);
}
/// Where in its room an output array begins.
inline std::size_t begin_in_room(std::size_t bytes) {
  return room_of(bytes) - round_up(bytes, alignment);
}

/// One array of the problem. Offsets are multiples of a page; an output begins at begin_in_room() from its
/// offset.
struct Array {
  std::uint32_t role = 0;  ///< ladder::Role
  std::uint32_t present = 0;
  std::uint64_t bytes = 0;
  std::uint64_t input_offset = 0;   ///< in, inout
  std::uint64_t output_offset = 0;  ///< out, inout
};

struct Prepare {
  Tag tag = Tag::prepare;
  std::uint32_t sequence = 0;
  std::uint32_t traced = 0;
  std::uint32_t observed = 0;  ///< the worker must be one of the observed mode
  std::uint16_t resident = 0;
  /// Nobody reads outputs on the device: they stay there, and so do a resident step's inputs.
  std::uint16_t unread = 0;
  std::uint32_t warm = 0;  ///< the device's clocks are to be at their height
  std::uint32_t spin = 0;  ///< microseconds to look for "go" before sleeping
  /// Threads whose equal work is timed before the call, and each thread's time in it; 0: none.
  std::uint32_t team = 0;
  std::uint32_t arrays = 0;
  std::uint32_t problem_bytes = 0;
  std::uint32_t poison = 0;  ///< the byte that outputs on the device are filled with
  std::uint32_t offset = 0;  ///< elements in front of each resident array, in its memory
  std::uint64_t input_bytes = 0, output_bytes = 0;
  Array array[max_arrays];
  std::byte problem[max_problem] = {};
};
static_assert(std::has_unique_object_representations_v<Prepare>,
              "padding would carry bytes of the judge's stack");

/// Whether the rank has arrays, and not only the problem's scalars.
inline bool has_arrays(const Prepare& prepare) {
  return std::any_of(prepare.array, prepare.array + max_arrays,
                     [](const Array& array) { return array.present != 0; });
}

struct Ready {
  Tag tag = Tag::ready;
  std::uint32_t sequence = 0;
};

struct Go {
  Tag tag = Tag::go;
  std::uint32_t sequence = 0;
};

enum class Status : std::uint32_t { returned = 1, not_started, threw, wrote_outside };

struct Synchronised {
  Tag tag = Tag::synchronised;
  std::uint32_t sequence = 0;
};

/// Moments of a call by the worker's clock, which is the machine's, as the judge's is. Shown, never judged.
struct Stamps {
  double called = 0, returned = 0, synchronised = 0;
};

struct Done {
  Tag tag = Tag::done;
  std::uint32_t sequence = 0;
  Status status = Status::returned;
  std::uint32_t threads = 0;
  char what[2048] = {};
  double equal_work = 0;  ///< balance of the team's equal work: what this machine cannot tell apart
  Stamps stamps{};
  double cpu_seconds[max_threads] =
      {};  ///< processor time of each thread in the call, when a team was asked for
};

struct Outputs {
  Tag tag = Tag::outputs;
  std::uint32_t sequence = 0;
};

/// Comes with a descriptor whose content is: this header, ladder_event[events], uint64_t[deps][2].
struct TraceReady {
  Tag tag = Tag::trace;
  std::uint32_t sequence = 0;
};

/// Comes with a descriptor whose content is the JSON document of common/base/observation/observation.hpp.
struct ObservationReady {
  Tag tag = Tag::observation;
  std::uint32_t sequence = 0;
};

struct TraceHeader {
  std::uint64_t events = 0, deps = 0;
};

}  // namespace ladder::protocol
