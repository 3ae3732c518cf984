#pragma once
/// @file
/// What compute-sanitizer finds in a CUDA step on a real GPU.

#include <array>
#include <string>

#include "common/judge/session/session.hpp"
#include "common/judge/test_report.hpp"

namespace ladder {

/// The tools of compute-sanitizer, all of which a step must pass.
inline constexpr std::array<const char*, 4> sanitizer_tools = {"memcheck", "racecheck", "initcheck",
                                                               "synccheck"};

/// The launch of a step under one tool. @throws Failure (SKIPPED) when it is not CUDA on a GPU or the tool is
/// missing.
Launch launch_under(const char* tool, const PlannedStep& step, Data data);
/// Reads the tool's summary in what the worker printed; a finding is WRONG. Races of bulk copies are named,
/// and left to the executor (bulk_copy_races.hpp).
void judge_findings_of(const char* tool, const PlannedStep& step, const std::string& printed,
                       TestReport& report);

}  // namespace ladder
