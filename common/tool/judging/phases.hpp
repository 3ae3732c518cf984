#pragma once
/// @file
/// Judging in two phases: first all that needs no clock, then the times, alone on a quiet machine.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "common/tool/judging/judging.hpp"

namespace ladder {

/// What somebody wants to hear meanwhile; the number is the task's place.
struct PhaseReports {
  /// A step's result: without times, and again when they, or a worse verdict, have come.
  std::function<void(std::size_t, const model::StepResult&)> step_ready;
  std::function<void(std::size_t, const Outcome&)> judged;  ///< a lesson without times
  std::function<void()> times_begin;
  std::function<void(std::size_t, const Outcome&)> timed;  ///< a lesson with its times
};

/// Judges tasks one of whose kinds is time, the last one. After Ctrl-C in the second phase the results of the
/// first are kept: the times that are missing are SKIPPED with that reason.
/// @return the outcomes in the order of the tasks
std::vector<Outcome> judge_in_phases(Context& context, std::vector<Task> tasks, const PhaseReports& reports);

/// How many steps a part may have, so that all cores have work.
std::size_t steps_of_part(const std::vector<Task>& tasks,
                          std::size_t cores = std::max(1u, std::thread::hardware_concurrency()));

/// The parts of a task that may be judged at once: no judge of the kinds without a clock has to know the
/// others' steps.
/// @param most  steps of a part
std::vector<Task> parts_of(const Task& task, std::size_t most);

/// Adds what came of a part to what is known of its lesson.
void add_part(const Outcome& part, Outcome& whole);

/// The places of the tasks in the order in which they are timed: those with the fewest steps to time first.
std::vector<std::size_t> shortest_first(const std::vector<Task>& tasks);

}  // namespace ladder
