#pragma once
/// @file
/// Checks of the trees: one table, one cut, five mutants a step.

#include "common/tool/context.hpp"
#include "common/tool/tally.hpp"

namespace ladder {

/// Files equal the table; lessons/ is the cut of solutions/; demonstrations are the same in both trees; mutants apply.
void check_trees(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally);

/// The file of a step's edits, of kind "mutants" or "variants".
std::filesystem::path edits_of(const std::filesystem::path& root, const StepEntry& step,
                               const std::string& kind);

}  // namespace ladder
