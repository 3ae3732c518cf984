#pragma once
/// @file
/// What this judge already knows about a step: a kind of test that could only repeat a failure is not run.

#include <string>

#include "common/base/verdict.hpp"
#include "common/judge/plan.hpp"

namespace ladder {

/// Notes the verdict of a kind.
void remember(const PlannedStep& step, TestKind kind, Verdict verdict, const std::string& message);

/// Whether the step's results were found right here.
bool passed_earlier(const PlannedStep& step);

/// Notes that numbers were wrong at a target's size, and whether they were. Where all cases were right, what
/// is found in them may say why.
void remember_wrong_target(const PlannedStep& step);
bool was_wrong_at_target(const PlannedStep& step);

/// The failure of an earlier kind (not started, wrong, crashed, …); null when there was none.
const Earlier* failed_earlier(const PlannedStep& step);

}  // namespace ladder
