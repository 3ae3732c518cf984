#pragma once
/// @file
/// Joules per call, from the counters of the CPU (RAPL) and of an NVIDIA GPU (NVML). Nothing is subtracted:
/// they include what the machine uses when it is idle, and the time between two calls.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/judge/plan.hpp"

namespace ladder {

/// A counter of energy, open for reading.
class EnergyCounter {
 public:
  virtual ~EnergyCounter() = default;
  /// Joules since the call before, or since it was opened. @throws Error when it cannot be read any more
  virtual double spent() = 0;
};

/// A counter, or why there is none.
struct OpenedCounter {
  std::unique_ptr<EnergyCounter> counter;
  std::string reason;
};

/// All packages of the CPU, as the kernel counts them.
/// @param powercap  /sys/class/powercap
OpenedCounter processor_energy(const std::filesystem::path& powercap);
/// One GPU, as its driver counts it. The counter changes only every 20 to 100 ms.
/// @param library  libnvidia-ml.so.1
/// @param address  of the GPU on the PCI bus, "0000:17:00.0"
OpenedCounter gpu_energy(const std::string& library, const std::string& address);

/// The counters of the hardware that runs a step.
struct EnergyMeter {
  std::vector<EnergyCounter*> counters{};  ///< none: nothing is readable
  std::string source{};                    ///< what they count: "GPU and processor"
  std::string reason{};                    ///< why something is missing
};

/// The meter of a step. Counters are opened once per judge: starting NVML takes longer than reading it.
EnergyMeter energy_meter_of(const PlannedStep& step);

/// What a call of a step took.
struct EnergyResult {
  double joules = 0;     ///< per call
  int calls = 0;         ///< 0: not measured
  double seconds = 0;    ///< from the first reading to the second
  double in_calls = 0;   ///< of these, the seconds that the step ran; the rest went into copying arrays
  std::string source{};  ///< what was counted
  std::string reason{};  ///< why nothing, or not everything, was counted
};

/// Calls until @p min_seconds are over, one call at least; none when there is nothing to read.
/// @param call  one call of the step; returns its seconds. One that throws Failure becomes the reason.
EnergyResult measure_energy(const EnergyMeter& meter, const std::function<double()>& call,
                            double min_seconds = 0.5);

}  // namespace ladder
