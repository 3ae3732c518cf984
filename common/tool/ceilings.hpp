#pragma once
/// @file
/// Measured ceilings: what no step can beat.

#include <nlohmann/json.hpp>
#include <vector>

#include "common/tool/machine.hpp"

namespace ladder {

/// Measures each available device with a program of its own (common/tool/probe), which is built when it is
/// not there.
/// @return {"cpu": [{"what", "unit", "median", "low", "high", "runs", "how"} or {"what", "error"}, …],
/// "opencl:0": …}
nlohmann::json measure_ceilings(const std::vector<DeviceInfo>& devices, const MachineProgress& progress);

}  // namespace ladder
