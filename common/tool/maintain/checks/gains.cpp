#include "common/tool/maintain/checks/gains.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "common/base/text/rung_below.hpp"
#include "common/base/text/step_name.hpp"
#include "common/lesson/rung_json.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/judging/plan_file.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// The program that a row compares a rung with; empty: there is none.
std::string other_of(const Lesson& table, const Step& row) {
  return program_without(row.gain.without, table.steps, row.name(),
                         [](const Step& step) { return step.file; });
}

bool has_size(const Lesson& table, int size, const model::Gain& gain, const model::StepResult& step) {
  if (size == 0) return step.time && step.time->problem == gain.problem;
  const auto named = std::ranges::find(table.classes, size, &NamedSize::size);
  if (named != table.classes.end()) return gain.size_name == "class " + named->name;
  if (!gain.size_name.empty()) return false;  // of a class, and the row's size is none
  const auto n = gain.problem.find("n");
  return n == gain.problem.end() || n->second == size;
}

/// Whether a stored gain is about what the row names now.
bool is_as_said(const Lesson& table, const Step& row, const model::StepResult& step) {
  const model::Gain& gain = *step.gain;
  return gain.clock == clock_words[static_cast<std::size_t>(row.gain.clock)] &&
         gain.kernels == row.gain.kernels && gain.over == other_of(table, row) &&
         has_size(table, row.gain.size, gain, step);
}

std::optional<model::Gain> stored_gain(const report::StoredDocument& run, const Lesson& table,
                                       const Step& row) {
  for (const model::StepResult& step : run.step(table.name, row.name()))
    if (step.gain && is_as_said(table, row, step)) return step.gain;
  return {};
}

}  // namespace

Climb climb_of(const Lesson& table, const report::StoredDocument& run) {
  Climb climb;
  for (const Step& row : table.steps) {
    if (!is_track_of_gpu(row.track()) || other_of(table, row).empty()) continue;
    const std::string rung = table.name.substr(0, 2) + "/" + row.name();
    const auto gain = stored_gain(run, table, row);
    if (!gain || !gain->ratio) {
      climb.unmeasured.push_back(rung);
      continue;
    }
    const bool gains = gain->ratio->median >= least_gain && gain->ratio->low > least_low_gain;
    climb.gaining += gains;
    if (gains || !row.gain.experiment.empty()) continue;
    climb.flat.push_back(
        {rung, fmt::format("{} times as fast as {} ({} to {})", report::short_number(gain->ratio->median),
                           gain->over, report::short_number(gain->ratio->low),
                           report::short_number(gain->ratio->high))});
  }
  return climb;
}

Experiments experiments_of(const Lesson& table) {
  Experiments all;
  for (const Step& row : table.steps) {
    if (!is_track_of_gpu(row.track())) continue;
    ++all.rungs;
    all.experiments += !row.gain.experiment.empty();
  }
  return all;
}

/// Fails for each row that compares its rung with a program that is nowhere.
void check_programs_without(const fs::path& root, const LessonEntry& lesson, TestSummary& summary) {
  for (const StepEntry& step : lesson.steps) {
    if (!step.row.is_object()) continue;
    const std::string without = step.row.value("gain", nlohmann::json::object()).value("without", "");
    const auto dot = without.find('.');
    if (dot == without.npos) continue;
    const auto other = std::ranges::find(lesson.steps, without.substr(0, dot), &StepEntry::name);
    if (other == lesson.steps.end()) continue;  // an error of its own, where rungs.toml is read
    summary.expect(
        !tree_of_program(root, *other, without.substr(dot + 1)).empty(),
        "tree: what " + step.label() + " is compared with",
        fmt::format("gain.without = \"{}\": {} has neither an attempt {}.{} nor a mutant {} of {}", without,
                    step.lesson, other->name, without.substr(dot + 1), without.substr(dot + 1), other->name));
  }
}

void check_gains(Context& context, const std::vector<LessonEntry*>& lessons, TestSummary& summary) {
  Experiments all;
  std::vector<Lesson> tables;
  for (const LessonEntry* lesson : lessons) {
    if (lesson->table.is_null()) continue;
    check_programs_without(context.root, *lesson, summary);
    const Lesson& table = tables.emplace_back(lesson_from_json(lesson->table));
    const Experiments here = experiments_of(table);
    all.rungs += here.rungs, all.experiments += here.experiments;
  }
  summary.expect(rungs_per_experiment * all.experiments <= all.rungs, "tree: a ladder climbs",
                 fmt::format("{} of {} rungs are experiments: one in {} at most", all.experiments, all.rungs,
                             rungs_per_experiment));
  for (const report::StoredMachine& machine : report::stored_machines(context.root)) {
    if (!machine.run) continue;
    std::vector<std::string> unmeasured;
    int gaining = 0;
    for (const Lesson& table : tables) {
      const Climb climb = climb_of(table, *machine.run);
      gaining += climb.gaining;
      for (const FlatRung& flat : climb.flat)
        summary.fail(fmt::format("tree: {} climbs on {}", flat.rung, machine.name),
                     fmt::format("{}; at least {} times, or its row says which expectation it refutes "
                                 "(experiment)",
                                 flat.text, least_gain));
      unmeasured.insert(unmeasured.end(), climb.unmeasured.begin(), climb.unmeasured.end());
    }
    summary.pass(gaining);
    // A machine without a GPU has measured none of them, and is not asked.
    if (gaining > 0 && !unmeasured.empty())
      summary.skip("tree: gains on " + machine.name,
                   fmt::format("not measured as rungs.toml says: {}", fmt::join(unmeasured, ", ")));
  }
}

}  // namespace ladder
