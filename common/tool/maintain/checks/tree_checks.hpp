#pragma once
/// @file
/// Checks of the trees: one table, one cut, five mutants a step.

#include <set>

#include "common/sitegen/pages.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/maintain/testing/test_summary.hpp"

namespace ladder {

/// Nothing is to be done (TODO); files equal the table; lessons/ is the cut of solutions/; demonstrations are
/// the same in both trees; mutants apply; common is in layers, and uses no tests but lessons'.
/// @param chosen  the steps that were asked for
void check_trees(Context& context, const std::vector<LessonEntry*>& lessons,
                 const std::set<const StepEntry*>& chosen, TestSummary& summary);

/// The lessons' tables as pages are made of them; builds what computes the values in their text. @throws
/// UsageError
report::Tables tables_of(Context& context, const std::vector<LessonEntry*>& lessons);

}  // namespace ladder
