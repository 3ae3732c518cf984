#pragma once
/// @file
/// The numbers that a step's idea exists to move: pure functions of a trace, and their registry by name.

#include <cstddef>
#include <span>
#include <string_view>

#include "common/base/error.hpp"
#include "common/base/observation/observation.hpp"
#include "common/trace/devices.hpp"
#include "common/trace/oclgrind/oclgrind.hpp"
#include "common/trace/trace.hpp"

namespace ladder {

/// The metrics as functions.
namespace metrics {

/// Bytes of copies to the device.
double bytes_to_device(const Trace& trace);
/// Bytes of copies to the host.
double bytes_to_host(const Trace& trace);
/// Bytes both ways. Copies on the device and fills do not count.
double bytes(const Trace& trace);
/// Bytes both ways whose host side is pageable memory.
double pageable_bytes(const Trace& trace);
/// Calls of the host that launch: one a kernel, one a whole graph.
double launches(const Trace& trace);
/// Kernels that ran.
double kernels(const Trace& trace);
/// Times that the host waited for the device; a blocking copy is one.
double waits(const Trace& trace);
/// Most bytes that were allocated in the call and alive at once, on the fullest device.
double peak_device_bytes(const Trace& trace);
/// Bytes sent to other ranks: the sum over the ranks in the trace. Collectives: see pmpi_collectives.cpp.
double bytes_sent(const Trace& trace);

/// Work-items (threads) launched: sum of grid x block over the kernels whose name contains `kernel`; all for
/// "".
double work_items(const Trace& trace, std::string_view kernel = "");

/// Stated costs of `chain`, in seconds. Not a model of any machine: the same everywhere, so that the metric
/// is too. They keep the proportions that matter: a launch costs as much as 100 kB of transfer, a thread a
/// nanosecond.
namespace cost {
constexpr double kernel = 4e-6;             ///< each kernel, its launch included
constexpr double work_item = 1e-9;          ///< each work-item of it
constexpr double transfer = 10e-6;          ///< each copy between host and device
constexpr double transfer_byte = 1 / 25e9;  ///< each byte of it
constexpr double device_copy = 2e-6;        ///< each copy on the device, each fill
constexpr double device_byte = 1 / 1000e9;  ///< each byte of it
constexpr double message = 10e-6;           ///< each message received from another rank
constexpr double message_byte = 1 / 10e9;   ///< each byte of it
constexpr double host = 1e-6;               ///< each piece of host work with stated bytes
constexpr double host_byte = 1 / 10e9;      ///< each byte of it
}  // namespace cost

/// Seconds that an event costs in `chain`. Host work that states no bytes costs what it took. Waits,
/// launches, allocations and sends cost nothing of their own: they only carry dependencies.
double stated_cost(const Trace::Event& event);

/// Longest dependent path over the sum of all events, by stated costs. 1: everything waits for everything
/// before it; 1/s: s streams that never wait for each other. Of several ranks: that of the rank where it is
/// largest.
/// @throws ladder::Error when the trace holds nothing with a cost.
/// @param kernel  only kernels whose name contains it cost anything; all, and copies, for ""
double chain(const Trace& trace, std::string_view kernel = "");

/// The longest dependent path itself, in seconds by stated costs.
/// @throws ladder::Error when the trace holds nothing with a cost.
double path(const Trace& trace, std::string_view kernel = "");

/// Measured: time in which a copy between host and device and a kernel both ran, over the shorter of the two
/// busy times. 0: one after the other; 1: the shorter is hidden.
/// @throws ladder::Error when kernels or copies are missing or were not timed.
double overlap(const Trace& trace);

/// Measured: seconds in which the device worked, at kernels, copies or fills, or at kernels only; what
/// overlaps counts once.
double busy_seconds(const Trace& trace, bool kernels_only);

/// Processor time of the busiest thread over the mean. 1: perfect; p: one of p threads does all.
/// @param cpu_seconds one entry a thread that ran.
/// @param threads that the step was given; those that never ran count as idle. 0: as many as entries.
/// @throws ladder::Error when no thread used measurable time.
double balance(std::span<const double> cpu_seconds, std::size_t threads = 0);

// Counters of an observed run, over the launches of kernels whose name contains `kernel`; all for "".
// Amounts "a flop", "an FMA", "a byte" are whole amounts here: the flops are the contract's, so the necessary
// amount is one for the same problem, and useless operations improve nothing.

/// 32-byte sectors of device memory: loads, stores and atomics.
double sectors(const Observation& observation, std::string_view kernel = "");
/// Passes of shared memory: loads and stores.
double wavefronts(const Observation& observation, std::string_view kernel = "");
/// Load requests of warps to device memory.
double load_requests(const Observation& observation, std::string_view kernel = "");
/// Barriers that a block executes, summed over the launches.
double barriers_per_block(const Observation& observation, std::string_view kernel = "");
/// Barriers of the block that executes the most, summed over the launches.
double most_barriers(const Observation& observation, std::string_view kernel = "");
/// Barriers of the whole grid that a block passes, summed over the launches.
double grid_barriers(const Observation& observation, std::string_view kernel = "");
/// Atomic operations of lanes on device memory.
double atomics(const Observation& observation, std::string_view kernel = "");
/// Bytes of local memory moved: arrays and spilled registers.
double local_bytes(const Observation& observation, std::string_view kernel = "");
/// Lanes that are active, the mean over executed instructions; 32 when no warp diverges.
double active_lanes(const Observation& observation, std::string_view kernel = "");
/// Branches executed by warps.
double executed_branches(const Observation& observation, std::string_view kernel = "");
/// Blocks over the places in their whole waves, the mean over the launches: below 1 the last waves leave
/// places empty. By the limits of @p device; registers do not count, as the executor that was asked does not
/// know them.
double tail_efficiency(const Observation& observation, const DeviceLimits& device,
                       std::string_view kernel = "");
/// Findings of severity error.
double findings(const Observation& observation, std::string_view kernel = "");

}  // namespace metrics

/// A metric that this run cannot determine, with the reason: leads to SKIPPED, never to a number.
struct NotCounted : Error {
  using Error::Error;
};

/// What a metric is read from: says which run of the worker measures it.
enum class Source {
  device,        ///< the trace of a GPU or OpenCL recorder
  ranks,         ///< the traces of all MPI ranks, appended to one
  worker,        ///< the processor times that the worker sends
  instructions,  ///< a run under Oclgrind
  counters,      ///< the observed mode of the executor, or a profiler
  result,        ///< the result itself: the lesson's verification measures it
  clock,         ///< the judge's clock
};

/// What is known in addition to the trace.
struct Extras {
  std::span<const double> cpu_seconds{};            ///< for balance
  std::size_t threads = 0;                          ///< for balance
  const InstructionCounts* instructions = nullptr;  ///< for branches of OpenCL kernels
  const Observation* observation = nullptr;         ///< for counters
  const DeviceLimits* device = nullptr;             ///< that the executor showed; null: its own
};

/// A row of the registry.
struct Metric {
  const char* name;     ///< as a Target writes it; spaces may replace underscores
  const char* unit;     ///< of what compute returns
  Source source;        ///< which run measures it
  const char* meaning;  ///< a few words for messages
  const char* field;    ///< what the field calls it; empty: the same
  /// What the profiler ncu counts of it: counters of a launch (ncu_metrics() has ncu's names for them) or
  /// names of ncu's own, separated by blanks; empty: ncu does not count it.
  const char* counted;
  double (*compute)(const Trace& trace, const Extras& extras,
                    std::string_view kernel);  ///< null for result, clock
  bool of_devices =
      false;  ///< the step's launches depend on the device: measured on several, the worst counts
};

/// All metrics that a Target may name.
std::span<const Metric> all_metrics();

/// The metric of that name. A part after a colon, "work_items:update", is the kernel filter and does not
/// belong to it.
/// @throws ladder::Error for an unknown name, with the nearest ones.
const Metric& find_metric(std::string_view name);

/// Computes a metric by name: "bytes", "work_items", "work_items:update" (kernels whose name contains
/// "update").
/// @throws ladder::Error for an unknown name, for one that is not computed from traces, or when what it needs
/// is missing.
double metric(std::string_view name, const Trace& trace, const Extras& extras = {});

}  // namespace ladder
