#pragma once
/// @file
/// Double-precision operations and conversions of a launch, counted in the code that was compiled.

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/counters/site_counters.hpp"

namespace ladder::executor {

/// Sets the counters fp64_operations, fp64_instructions and conversions, or says in `skipped` why they are
/// not known.
void add_arithmetic(LaunchCounters& launch, const LaunchTotals& totals);

}  // namespace ladder::executor
