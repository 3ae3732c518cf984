/// @file
/// Metrics that are read from counters of an observed run.

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "common/trace/metrics.hpp"
#include "common/trace/occupancy.hpp"

namespace ladder::metrics {
namespace {

bool is_of(const LaunchCounters& launch, std::string_view kernel) {
  return launch.kernel.find(kernel) != std::string::npos;
}

/// Why a counter of a launch is not known.
std::string reason(const LaunchCounters& launch, const std::string& counter) {
  const auto why = launch.skipped.find(counter);
  return why != launch.skipped.end() ? why->second : "this run did not count " + counter;
}

/// A number is never read from a part of the blocks.
void check_whole(const LaunchCounters& launch) {
  if (launch.observed_blocks < launch.all_blocks())
    throw NotCounted("only " + std::to_string(launch.observed_blocks) + " of the " +
                     std::to_string(launch.all_blocks()) + " blocks of " + launch.kernel + " were observed");
}

/// What differs from launch to launch cannot be read from their sum.
void check_single(const LaunchCounters& launch) {
  if (launch.launches > 1)
    throw NotCounted("the record has only the sum of " + std::to_string(launch.launches) + " launches of " +
                     launch.kernel);
}

/// The sum of counters over the launches of the kernels whose name contains @p kernel.
double sum_of(const Observation& observation, std::initializer_list<const char*> counters,
              std::string_view kernel) {
  double total = 0;
  for (const LaunchCounters& launch : observation.launches) {
    if (!is_of(launch, kernel)) continue;
    check_whole(launch);
    for (const char* counter : counters) {
      const auto found = launch.counters.find(counter);
      if (found == launch.counters.end()) throw NotCounted(reason(launch, counter));
      total += found->second;
    }
  }
  return total;
}

}  // namespace

double sectors(const Observation& observation, std::string_view kernel) {
  return sum_of(observation, {"global_load_sectors", "global_store_sectors", "global_atomic_sectors"},
                kernel);
}

double wavefronts(const Observation& observation, std::string_view kernel) {
  return sum_of(observation, {"shared_load_wavefronts", "shared_store_wavefronts"}, kernel);
}

double load_requests(const Observation& observation, std::string_view kernel) {
  return sum_of(observation, {"global_load_requests"}, kernel);
}

double barriers_per_block(const Observation& observation, std::string_view kernel) {
  double total = 0;
  for (const LaunchCounters& launch : observation.launches) {
    if (!is_of(launch, kernel)) continue;
    check_whole(launch);
    check_single(launch);
    const auto found = launch.counters.find("barriers");
    if (found == launch.counters.end()) throw NotCounted(reason(launch, "barriers"));
    total += found->second / std::max(1.0, static_cast<double>(launch.observed_blocks));
  }
  return total;
}

double most_barriers(const Observation& observation, std::string_view kernel) {
  for (const LaunchCounters& launch : observation.launches)
    if (is_of(launch, kernel)) check_single(launch);
  return sum_of(observation, {"most_barriers"}, kernel);
}

double grid_barriers(const Observation& observation, std::string_view kernel) {
  return sum_of(observation, {"grid_barriers"}, kernel);
}

double atomics(const Observation& observation, std::string_view kernel) {
  return sum_of(observation, {"global_atomics"}, kernel);
}

double local_bytes(const Observation& observation, std::string_view kernel) {
  return sum_of(observation, {"local_bytes"}, kernel);
}

double active_lanes(const Observation& observation, std::string_view kernel) {
  const double warps = sum_of(observation, {"instructions_warps"}, kernel);
  const double lanes = sum_of(observation, {"instructions_lanes"}, kernel);
  if (!(warps > 0)) throw NotCounted("no warp was seen at work");
  return lanes / warps;
}

double executed_branches(const Observation& observation, std::string_view kernel) {
  return sum_of(observation, {"branches"}, kernel);
}

double tail_efficiency(const Observation& observation, const DeviceLimits& device, std::string_view kernel) {
  double used = 0, places = 0;
  for (const LaunchCounters& launch : observation.launches) {
    if (!is_of(launch, kernel)) continue;
    check_single(launch);
    const LaunchShape shape = shape_as_asked(launch);
    const Waves w = waves(shape, device);
    if (w.capacity == 0)
      throw Error(launch.kernel + " cannot run on the " + device.name + ": " +
                  occupancy(shape, device).impossible);
    used += shape.blocks * shape.threads;
    places += std::ceil(w.waves) * w.capacity * shape.threads;
  }
  if (places == 0) throw Error("no kernel was launched: there are no waves");
  return used / places;
}

double findings(const Observation& observation, std::string_view kernel) {
  const auto errors = std::ranges::count_if(observation.findings, [&](const Finding& f) {
    return f.severity == "error" && f.kernel.find(kernel) != std::string::npos;
  });
  if (errors == 0)
    for (const LaunchCounters& launch : observation.launches)
      if (is_of(launch, kernel)) check_whole(launch);
  return static_cast<double>(errors);
}

}  // namespace ladder::metrics
