#pragma once
/// @file
/// The first phase on all cores: parts of lessons, judged side by side while the rest is built.

#include <string>
#include <vector>

#include "common/tool/judging/phases.hpp"

namespace ladder {

/// Judges the parts of all tasks. What other programs may have caused (a call that took too long, threads
/// with unequal processor times) is judged once more, alone.
/// @param for_times  targets that are built at the end
/// @return the outcomes in the order of the tasks
std::vector<Outcome> judge_in_lanes(Context& context, const std::vector<Task>& tasks,
                                    const std::vector<std::string>& for_times, const PhaseReports& reports);

/// Whether other programs may have caused what a result says: a call that took too long; threads whose
/// processor times differ, or whose order decides which calls wait for each other. Then it is judged once
/// more, alone.
bool may_be_others(const model::StepResult& result);

}  // namespace ladder
