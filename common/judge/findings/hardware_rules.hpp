#pragma once
/// @file
/// A step's counters as a GPU's own profiler reports them.

#include <string>

#include "common/judge/session/session.hpp"

namespace ladder {

/// The launch of a step under ncu, which writes its table into a file. When the step was profiled before,
/// only launches of the kernels that were observed are counted: those of a library take ncu minutes, and have
/// nothing to compare with.
/// @throws Failure (SKIPPED) when the step does not run by CUDA on a GPU, ncu is missing, or no kernel is its
/// own
Launch launch_under_ncu(const PlannedStep& step, Data data, const std::string& log);

/// Reads that file and writes one line to the results, besides the verdict of kind "hardware":
///
///     {"record": "hardware", "lesson", "step", "tree", "mutant", "problem", "observation": path of its JSON}
///
/// @throws Failure (SKIPPED) with the reason when ncu could not count
void write_hardware(const PlannedStep& step, const std::string& problem, const std::string& log);

/// The launch of a step under the program that the plan names (profile --under).
/// @throws Failure (SKIPPED) when the program is not there, or looks at CUDA on a GPU and the step runs
/// elsewhere
Launch launch_under_program(const PlannedStep& step, Data data);

/// One line for what the program and the step printed:
///
///     {"record": "hardware", "lesson", "step", "tree", "mutant", "problem", "printed"}
void write_printed(const PlannedStep& step, const std::string& problem, const std::string& printed);

}  // namespace ladder
