#pragma once
/// @file
/// The sum of the launches of one kernel from one line: a loop over pivots launches a thousand.

#include <vector>

#include "common/base/observation/observation.hpp"

namespace ladder {

/// Passes of the memory unit that a line costs, and those that better requests would save: a sector is a
/// quarter of a pass, a wavefront is one, and lanes of an atomic with one address need one pass each.
struct LineCost {
  double passes = 0, wasted = 0;
};
LineCost cost_of(const LineCounters& line);

/// Adds what was counted of the same line elsewhere; the example stays.
void add_counts(LineCounters& to, const LineCounters& more);

/// Adds lines to the same ones of other launches; keeps the worse example of each.
void add_lines(std::vector<LineCounters>& all, const std::vector<LineCounters>& more);

/// A counter by its name; 0 when the launch has none of it.
double counter_of(const LaunchCounters& launch, const char* name);

/// Adds a launch to others: counters, lines and branches. Grid, block and shared memory are those of the
/// largest launch.
void add_launch(LaunchCounters& sum, const LaunchCounters& more);

}  // namespace ladder
