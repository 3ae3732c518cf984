#pragma once
/// @file
/// Double-precision operations of a launch, counted in the code that was compiled.

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/counters/site_counters.hpp"

namespace ladder::executor {

/// Sets the counters fp64_operations and fp64_instructions, or says in `skipped` why they are not known.
void add_arithmetic(LaunchCounters& launch, const LaunchTotals& totals);

}  // namespace ladder::executor
