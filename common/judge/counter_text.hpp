#pragma once
/// @file
/// Which source lines a missed target on counters comes from.

#include <string_view>

#include "common/base/observation.hpp"
#include "common/judge/sheet.hpp"

namespace ladder {

/// Adds the lines that cost most above their ideal as details: their text, the bytes of a request, what the lanes do.
/// @param metric  as in the row: "sectors", "wavefronts an fma", "atomics:count"
void explain_counters(const Observation& observation, std::string_view metric, const PlannedStep& step,
                      Sheet& sheet);

}  // namespace ladder
