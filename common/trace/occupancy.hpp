#pragma once
/// @file
/// How much of a device a launch can fill: resident blocks and warps, waves, and what the last wave leaves
/// idle. Pure functions of a launch and the limits of a device, after NVIDIA's occupancy calculator.

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/observation/observation.hpp"
#include "common/trace/devices.hpp"

namespace ladder {

/// What a launch asks of a multiprocessor.
struct LaunchShape {
  double blocks = 1;
  unsigned threads = 1;                 ///< per block
  std::uint64_t shared_bytes = 0;       ///< per block, static and dynamic
  std::optional<unsigned> registers{};  ///< per thread
};

/// The shape of an observed launch.
LaunchShape shape_of(const LaunchCounters& launch);
/// The same without registers: what the executor answered by when the program asked it how many blocks are
/// resident.
LaunchShape shape_as_asked(const LaunchCounters& launch);

/// Blocks that are on one multiprocessor at once.
struct Occupancy {
  /// Blocks that each limit alone allows; registers: nothing when their number is not known.
  int by_threads = 0, by_blocks = 0, by_shared = 0;
  std::optional<int> by_registers;
  int blocks = 0;    ///< the least of them
  int warps = 0;     ///< of these blocks
  double share = 0;  ///< of the warps that a multiprocessor can hold
  std::string
      limited_by;  ///< "threads", "blocks", "registers", "shared memory", or several: "threads and registers"
  std::string impossible;  ///< why the launch is refused there; empty: it is not
};

/// The occupancy of a launch on a device.
Occupancy occupancy(const LaunchShape& launch, const DeviceLimits& device);

/// A grid as waves of resident blocks.
struct Waves {
  double capacity = 0;  ///< blocks that the whole device holds at once
  double waves = 0;     ///< blocks / capacity: 1.5 is a full wave and a half-empty one
  double last = 0;      ///< blocks of the last wave
  double tail_efficiency =
      0;  ///< waves / whole waves: share of the places that had work, if all blocks take the same time
};

/// The waves of a launch on a device; all 0 when it cannot run there.
Waves waves(const LaunchShape& launch, const DeviceLimits& device);

}  // namespace ladder
