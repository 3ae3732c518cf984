#pragma once
/// @file
/// Measured ceilings: what no step can beat.

#include <vector>

#include "common/model/machine.hpp"
#include "common/model/plan.hpp"
#include "common/tool/machine/machine.hpp"

namespace ladder {

/// Measures each available device with a program of its own (common/probe), which is built when it is
/// not there.
/// What is measured is remembered in the build folder, the highest of each: the device reached it.
model::Ceilings measure_ceilings(const std::vector<DeviceInfo>& devices, const MachineProgress& progress);

/// What a plan says of a device's ceilings, by which its steps get floors and percents: the highest ever
/// measured, now if nobody has before. Of OpenCL on the cores whatever the cores can do.
Ceilings plan_ceilings(const std::string& device, const MachineProgress& progress);

}  // namespace ladder
