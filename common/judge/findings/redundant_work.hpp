#pragma once
/// @file
/// Work that a kernel does more than once, or for nothing: it comes before the cost of single requests.

#include <string_view>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/judge/test_report.hpp"

namespace ladder {

/// Says so where most accesses are of blocks that store nothing to device memory: the grid is too large, or
/// these blocks could leave before they load.
/// @param kernel  part of its name
/// @return false, and nothing said, where it is not so
bool explain_idle_blocks(const Observation& observation, std::string_view kernel, TestReport& report);

/// Says so where threads of a block store the same elements of shared memory again and again between two
/// barriers, and this is a good part of what the lines cost.
/// @param lines  of all launches, each once
/// @return false, and nothing said, where it is not so
bool explain_repeated_stores(const std::vector<LineCounters>& lines, const PlannedStep& step,
                             TestReport& report);

}  // namespace ladder
