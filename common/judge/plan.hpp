#pragma once
/// @file
/// The plan of this judge: plan.json, read once.

#include "common/model/plan.hpp"

namespace ladder {

/// Threads that a step on the processor gets: what the plan says, else all cores, but two at least, so that
/// sharing work shows on any machine.
int team_size();

/// Whether a GPU runs the step, and not the executor or a processor's OpenCL.
bool runs_on_gpu(const PlannedStep& step);

/// Whether the step is a program for a GPU, wherever it runs: tracks g and t.
bool for_gpu(const Step& step);
/// Names the step that is judged from now on; null: none is.
void set_under_way(const PlannedStep* step);
/// Whether the step that is judged now runs on a real GPU: the plan may have it on the executor too.
bool on_gpu();

/// The plan named by the environment variable LADDER_PLAN. @throws ladder::Error
const Plan& plan();

}  // namespace ladder
