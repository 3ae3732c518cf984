#pragma once
/// @file
/// What a person reads of rungs that were judged: a verdict with its blocks, and what to do next.

#include <string>

#include "common/report/text/table.hpp"
#include "common/tool/standing/progress.hpp"

namespace ladder {

using report::feedback_block;

/// The verdict line and the detail blocks of a step.
std::string feedback(const Context& context, const model::StepResult& step);

/// A call of check or profile with the options of this one that it does not have: what was asked is asked
/// again. It stays on one line when its text is wrapped.
std::string with_options_of(const Options& mine, std::string call);

/// What a person reads of a step that was judged: feedback, and what to do next.
/// @param one_of_several  the way from a rung that is done to the next one is left out: next_text() says it
/// once
std::string judged_text(Context& context, const Progress& progress, const StepEntry& step,
                        const model::StepResult& result, bool one_of_several = false);

/// What to do after a step that was judged, under *Next*; empty where the judge has said it.
std::string next_text(Context& context, const Progress& progress, const StepEntry& step,
                      const model::StepResult& result);

/// "12 steps: 10 PASS, 2 SKIPPED.", why numbers were not measured or not decided, and the problems of the
/// lessons.
std::string summary(const model::Document& document);

}  // namespace ladder
