#pragma once
/// @file
/// What is short: what a rung adds to the one below it, since a rung is one idea; and a lesson's contract,
/// which everybody reads first.

#include <set>
#include <string>
#include <vector>

#include "common/tool/core/context.hpp"
#include "common/tool/maintain/testing/test_summary.hpp"

namespace ladder {

/// Each rung next to the one below it in its track: no more new lines in its solution than an idea needs, or
/// a reason in its row (`why_long`), and no reason without need. Lesson 00 is exempt, its rungs are separate
/// exercises, and so is the first rung of a track. What is in a header is given, not added.
/// @param chosen  the steps that were asked for
/// @return the table: rung, lines, added, reason
std::string check_added_lines(const Context& context, const std::vector<LessonEntry*>& lessons,
                              const std::set<const StepEntry*>& chosen, TestSummary& summary);

/// No lesson's problem.hpp is longer than a page: what is not the contract is in headers next to it.
void check_contract_lines(const Context& context, const std::vector<LessonEntry*>& lessons,
                          TestSummary& summary);

}  // namespace ladder
