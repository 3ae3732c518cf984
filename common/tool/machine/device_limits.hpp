#pragma once
/// @file
/// The device that a profile is seen as.

#include <string>

#include "common/trace/devices.hpp"

namespace ladder {

/// The limits of a named device, or of the present one for "this" and "": the first GPU of this machine, else
/// the one that the executor shows to programs.
/// @throws UsageError for an unknown name, with the nearest
DeviceLimits device_limits(const std::string& name);

}  // namespace ladder
