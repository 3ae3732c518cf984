#pragma once
/// @file
/// Lines of a step's source, for feedback.

#include <string>

#include "common/base/observation/observation.hpp"
#include "common/judge/plan.hpp"

namespace ladder {

/// "line 23" in the step's own file, "helper.cuh:7" in another one.
std::string line_name(const SourceLine& site, const PlannedStep& step);

/// The text of that line, without its indentation and comments, shortened; empty when it cannot be read.
/// Only the step's source and regular files of the project are read: the name comes from the worker.
std::string line_text(const SourceLine& site, const PlannedStep& step);

}  // namespace ladder
