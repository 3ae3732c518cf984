#pragma once
/// @file
/// Launches of one kernel from one place, added up: a loop over pivots launches a thousand.

#include <vector>

#include "common/base/observation.hpp"

namespace ladder {

/// Passes of the memory unit that a line costs, and those that its requests could do without: a sector is a quarter, a
/// wavefront is one, lanes of an atomic at one address follow each other.
struct LineCost {
  double passes = 0, wasted = 0;
};
LineCost cost_of(const LineCounters& line);

/// Adds lines to the same ones of other launches; keeps the worse example of each.
void add_lines(std::vector<LineCounters>& all, const std::vector<LineCounters>& more);

/// Adds a launch to others: counters, lines and branches. The largest one's grid, block and shared memory stay.
void add_launch(LaunchCounters& sum, const LaunchCounters& more);

}  // namespace ladder
