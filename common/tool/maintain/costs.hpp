#pragma once
/// @file
/// What the executor costs: against plain C++, and its observed mode against itself. Times as ratios inside
/// one run.

#include <nlohmann/json.hpp>

#include "common/tool/core/context.hpp"

namespace ladder {

/// Measures, in turns and with equal inputs, the tiled matrix product on the executor against the plain
/// triple loop, and for each CUDA solution, at the size of its target, an observed call against a plain one.
/// Needs no GPU, uses none:
///
///     [{"name", "problem", "reference", "measured": what was compared, "cost": cost_of() of
/// common/base/costs.hpp}]
///
/// @return what there was when Ctrl-C came. A solution without numbers has "reason" instead of "cost".
nlohmann::json measure_costs(Context& context);

/// One line a row. @return rows that have no numbers, or whose processor time does not meet its bound
int print_costs(Context& context, const nlohmann::json& rows);

}  // namespace ladder
