#pragma once
/// @file
/// The record of kind "costs": what the observed mode costs a step, for reproduce executor costs.

#include <functional>
#include <string>

#include "common/base/costs.hpp"
#include "common/judge/test_report.hpp"

namespace ladder {

/// After one uncounted call of each, calls the plain worker, the observed one and the plain one again, round
/// after round. Then writes one line to the results, besides the verdict of kind "costs":
///
///     {"record": "costs", "lesson", "step", "tree", "mutant", "backend", "problem", "cost": what cost_of()
/// says}
///
/// @param problem   "n = 64"
/// @param plain     runs the round's problem on the plain worker
/// @param observed  the same on the observed worker
void record_cost(const PlannedStep& step, const std::string& problem,
                 const std::function<Spent(int round)>& plain,
                 const std::function<Spent(int round)>& observed, const TestReport& report);

}  // namespace ladder
