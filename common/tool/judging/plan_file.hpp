#pragma once
/// @file
/// plan.json: what the tool asks of a judge.

#include "common/tool/judging/judging.hpp"

namespace ladder {

/// Where the program is that a row calls "g3_tile.no_tile": `gain.without`.
/// @param step  the rung in its name, "g3_tile"
/// @param name  the rest, "no_tile"
/// @return the tree "attempts", if a file there has that name; "mutants", if an edit of the solution has it;
/// empty: nowhere
/// @throws cut::Error for a list of mutants that cannot be read
std::string tree_of_program(const std::filesystem::path& root, const StepEntry& step,
                            const std::string& name);

/// Targets besides the workers that the plan needs: recorders, and for time the peers and the steps below.
std::vector<std::string> companions(Context& context, const Task& task);

/// The plan of a task's undecided jobs.
/// @param scratch  private folder of this judge; results.jsonl will be in it
/// @param built    whether a target is there and up to date
Plan make_plan(Context& context, const Task& task, const std::filesystem::path& scratch,
               const std::function<bool(const std::string&)>& built);

/// Writes the plan, and a file for the records, into the plan's scratch folder.
/// @return the environment with which the judge is started
std::map<std::string, std::string> write_plan(const Plan& plan);

/// Seconds after which a judge is ended, whatever it does.
double judge_limit(const Task& task);

}  // namespace ladder
