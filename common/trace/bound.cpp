#include "common/trace/bound.hpp"

#include <algorithm>
#include <set>

#include "common/base/observation/launch_sum.hpp"
#include "common/trace/metrics.hpp"
#include "common/trace/occupancy.hpp"

namespace ladder {
namespace {

constexpr double sector_bytes = 32;

void add_part(LowerBound& bound, const char* what, double amount, double seconds) {
  if (amount <= 0 || seconds <= 0) return;
  bound.parts.push_back({what, amount, seconds});
  if (seconds > bound.seconds) bound.seconds = seconds, bound.limited_by = what;
}

/// What launches ask of the units of a multiprocessor, against what `multiprocessors` of them deliver.
struct Demand {
  double sectors = 0, wavefronts = 0, operations = 0;

  void add(const LaunchCounters& launch) {
    for (const char* name : {"global_load_sectors", "global_store_sectors", "global_atomic_sectors"})
      sectors += counter_of(launch, name);
    for (const char* name : {"shared_load_wavefronts", "shared_store_wavefronts"})
      wavefronts += counter_of(launch, name);
    operations += counter_of(launch, "fp64_operations");
  }

  LowerBound on(double multiprocessors, const DeviceLimits& device) const {
    LowerBound bound;
    const double clocks = multiprocessors * device.clock;
    if (clocks <= 0) return bound;
    if (device.l1_bytes_per_clock > 0)
      add_part(bound, "sectors through L1", sectors,
               sectors * sector_bytes / (device.l1_bytes_per_clock * clocks));
    add_part(bound, "wavefronts of shared memory", wavefronts, wavefronts / clocks);
    if (device.fp64_per_clock > 0)
      add_part(bound, "FP64 operations", operations, operations / (2 * device.fp64_per_clock * clocks));
    return bound;
  }
};

/// Whether all kernels are in one stream, so that they run one after the other.
bool one_stream(const Trace* trace) {
  std::set<std::pair<int, std::uint64_t>> streams;
  if (trace)
    for (const Trace::Event& event : trace->events)
      if (event.kind == LADDER_KERNEL) streams.insert({event.device, event.stream});
  return streams.size() <= 1;
}

double kernel_seconds(const Observation& run, const Trace* trace, const DeviceLimits& device,
                      const KnownWork& known) {
  if (one_stream(trace)) {
    double seconds = 0;
    const bool own = run.launches.size() == 1;  // of several launches nobody knows whose the stated work is
    for (const LaunchCounters& launch : run.launches)
      seconds += bound_of(launch, device, own ? known : KnownWork{}).seconds;
    return seconds;
  }
  // Kernels of several streams share the device: sure is only that each unit serves all of them.
  Demand all;
  for (const LaunchCounters& launch : run.launches) all.add(launch);
  return all.on(device.multiprocessors, device).seconds;
}

}  // namespace

LowerBound bound_of(const LaunchCounters& launch, const DeviceLimits& device, const KnownWork& known) {
  Demand work;
  work.add(launch);
  if (known.operations) work.operations = *known.operations;
  // A multiprocessor without a block does nothing.
  return work.on(std::min<double>(device.multiprocessors, shape_of(launch).blocks), device);
}

LowerBound bound_of(const Observation& run, const Trace* trace, const DeviceLimits& device,
                    const KnownWork& known) {
  LowerBound bound;
  if (device.clock <= 0) return bound;
  add_part(bound, "kernels", static_cast<double>(run.launches.size()),
           kernel_seconds(run, trace, device, known));
  const double launches = trace ? metrics::launches(*trace) : static_cast<double>(run.launches.size());
  add_part(bound, "launch calls", launches, launches * min_launch_seconds);
  if (trace && device.link_bandwidth > 0) {
    const double there = metrics::bytes_to_device(*trace), back = metrics::bytes_to_host(*trace);
    add_part(bound, "copies to the device", there, there / device.link_bandwidth);
    add_part(bound, "copies to the host", back, back / device.link_bandwidth);
  }
  if (known.array_bytes && device.memory_bandwidth > 0) {
    const double beyond = *known.array_bytes - device.l2_bytes;
    add_part(bound, "arrays beyond L2, once", beyond, beyond / device.memory_bandwidth);
  }
  return bound;
}

}  // namespace ladder
