#pragma once
/// @file
/// Which source lines a missed target on counters comes from.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/judge/test_report.hpp"

namespace ladder {

/// Adds the lines that cost most above their ideal as details: their text, the bytes of a request, what the
/// lanes do. Where every request is ideal there are too many of them, and that is said.
/// @param metric  as in the row: "sectors", "wavefronts per fma", "atomics:count"
/// @param missed  the target, as far as it is known
void explain_counters(const Observation& observation, std::string_view metric, const PlannedStep& step,
                      TestReport& report, const TargetResult& missed = {});

/// Adds a remark on each line that moves at least twice what its requests need, where no number of the row
/// would tell.
/// @param cases  with their names; of a line the one that is told is where it moves most
void remark_on_sectors(const std::vector<std::pair<std::string, Observation>>& cases, const PlannedStep& step,
                       TestReport& report);

/// The question of a metric whose lines are not known.
void ask_about(std::string_view metric, TestReport& report);

}  // namespace ladder
