#pragma once
/// @file
/// A lower bound of the time that a device needs for what a step did, from published limits. A bound, not a
/// prediction: real times are longer.

#include <optional>
#include <string>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/trace/devices.hpp"
#include "common/trace/trace.hpp"

namespace ladder {

/// A part of a bound, with what it comes from.
struct BoundPart {
  std::string what;  ///< "sectors through L1", "copies to the device"
  double amount = 0;
  double seconds = 0;
};

/// A lower bound of a time.
struct LowerBound {
  std::vector<BoundPart> parts;  ///< each alone is a bound: the units of a device work at the same time
  double seconds = 0;            ///< the largest part
  std::string limited_by;        ///< its name; empty when nothing is known
};

/// What is known of a run in addition to its counters.
struct KnownWork {
  std::optional<double> operations;   ///< in double precision; nothing: as counted, or left out
  std::optional<double> array_bytes;  ///< of all arrays of the problem, each once
};

/// Seconds that a launch costs the host at a minimum, whatever the kernel does. Stated, the same for every
/// device; an H200 took 2.9 us for one of a hundred in a row (ceilings-cuda).
constexpr double min_launch_seconds = 1e-6;

/// The lower bound of one launch: sectors, wavefronts and double-precision operations, on the multiprocessors
/// that its blocks can occupy. No parts for a device whose limits are not published.
LowerBound bound_of(const LaunchCounters& launch, const DeviceLimits& device, const KnownWork& known = {});

/// The least time of the whole run: its kernels, its launch calls, its copies each way over the link, and its
/// arrays once through the device's memory as far as they do not fit into L2.
/// @param trace  null: kernels only, one after the other
LowerBound bound_of(const Observation& run, const Trace* trace, const DeviceLimits& device,
                    const KnownWork& known = {});

}  // namespace ladder
