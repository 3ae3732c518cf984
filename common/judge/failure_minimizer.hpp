#pragma once
/// @file
/// The experiment for a wrong result without a known cause: it looks for the smallest size that goes wrong,
/// too.

#include <cstddef>
#include <string>
#include <vector>

#include "common/judge/each_step.hpp"

namespace ladder::detail {

/// What the experiment found.
struct MinimizedFailure {
  int size = 0;                    ///< that goes wrong, with the plan's seed; 0: none of the tried
  std::string label;               ///< "n = 33"
  std::vector<std::string> right;  ///< sizes before it
};

/// Tries sizes from small to large, as `check --size` would, for some seconds at most.
/// @param largest  bytes of the arrays of a problem: larger problems than the one that went wrong say nothing
/// new
MinimizedFailure minimize_failure(const Judged& suite, const PlannedStep& step, const Step& row,
                                  std::size_t largest);

/// Reports what the experiment found, and ends with the command that repeats it.
void report_minimized(const MinimizedFailure& found, const std::string& failed, const PlannedStep& step,
                      TestReport& report);

}  // namespace ladder::detail
