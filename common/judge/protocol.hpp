#pragma once
/// @file
/// What judge and worker say to each other: fixed-size messages over a Unix socket that keeps their borders.
///
///     worker  Hello                        once, when it is ready for work
///     judge   Prepare (+ memory)           worker  Ready      inputs mapped, outputs poisoned
///     judge   Go                           worker  Done       the step has returned, its outputs are kept
///                                          worker  Outputs    they lie in the judge's memory; not when it has thrown
///                                          worker  TraceReady (+ memory), when the call was traced
///                                          worker  ObservationReady (+ memory), when it was observed
///
/// Memory travels as file descriptors: `inputs` can only be read by the worker, `outputs` is written by it.
/// The judge treats each reply as hostile: size, tag and sequence must be the expected ones.

#include <cstddef>
#include <cstdint>

namespace ladder::protocol {

constexpr std::uint32_t version = 2;
constexpr std::size_t max_arrays = 12;
constexpr std::size_t max_problem = 512;
constexpr std::size_t max_threads = 256;

enum class Tag : std::uint32_t { hello = 0x4c414401, prepare, ready, go, done, outputs, trace, observation };

struct Hello {
  Tag tag = Tag::hello;
  std::uint32_t version = protocol::version;
  std::int32_t rank = 0, ranks = 1;
  std::int32_t pid = 0;
  char source_hash[72] = {};  ///< SHA-256 of the step's source, hexadecimal
  char recorders[64] = {};
  char backend[16] = {};
  char device[128] = {};
};

/// One array of the problem. Offsets are multiples of a page.
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
  std::uint32_t resident = 0;
  std::uint32_t team =
      0;  ///< threads whose equal work is timed before the call, and each thread's time in it; 0: none
  std::uint32_t arrays = 0;
  std::uint32_t problem_bytes = 0;
  std::uint64_t input_bytes = 0, output_bytes = 0;
  Array array[max_arrays];
  std::byte problem[max_problem];
};

struct Ready {
  Tag tag = Tag::ready;
  std::uint32_t sequence = 0;
};

struct Go {
  Tag tag = Tag::go;
  std::uint32_t sequence = 0;
};

enum class Status : std::uint32_t { returned = 1, not_started, threw, wrote_outside };

struct Done {
  Tag tag = Tag::done;
  std::uint32_t sequence = 0;
  Status status = Status::returned;
  std::uint32_t threads = 0;
  char what[2048] = {};
  double equal_work = 0;    ///< balance of the team's equal work: what this machine cannot tell apart
  double step_seconds = 0;  ///< of the call alone, by the worker's clock
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

/// Comes with a descriptor whose content is the JSON document of common/trace/observation.hpp.
struct ObservationReady {
  Tag tag = Tag::observation;
  std::uint32_t sequence = 0;
};

struct TraceHeader {
  std::uint64_t events = 0, deps = 0;
};

}  // namespace ladder::protocol
