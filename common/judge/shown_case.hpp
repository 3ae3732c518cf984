#pragma once
/// @file
/// One case, shown whole: what it printed, its numbers where it is small, and which thread accessed what.

#include "common/base/observation/observation.hpp"
#include "common/judge/suite.hpp"
#include "common/judge/test_report.hpp"

namespace ladder {

/// The largest size whose numbers and accesses are shown.
constexpr int max_shown_size = 8;

/// What the step itself has printed, as lines for a terminal: without the executor's messages and without
/// control characters, at most 20 lines, with what was left out. Empty: nothing.
std::string printed_text(const Printed& printed);

/// Adds the inputs, what is expected and what came out.
void show_numbers(const Case& one, const AnyInstance& instance, TestReport& report);

/// Adds which thread read and wrote what on which line, of the first threads that touch device memory.
void show_accesses(const Observation& observation, const PlannedStep& step, TestReport& report);

}  // namespace ladder
