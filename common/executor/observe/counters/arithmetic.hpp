#pragma once
/// @file
/// Double-precision operations of a launch, counted in the code that was compiled.

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/counters/site_counters.hpp"

namespace ladder::executor {

/// Sets the counter fp64_operations, or says in `skipped` why it is not known.
void add_arithmetic(LaunchCounters& launch, const LaunchTotals& totals);

}  // namespace ladder::executor
