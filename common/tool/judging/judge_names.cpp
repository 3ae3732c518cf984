#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/result_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/judging/phases.hpp"
#include "common/tool/machine/software.hpp"

namespace ladder {
namespace {

using nlohmann::json;

void require_suitable(Context& context, const std::vector<StepEntry*>& steps) {
  const Placer& placer = context.placer();
  if (steps.empty()) return;
  if (std::any_of(steps.begin(), steps.end(), [&](const StepEntry* s) { return placer.suits(s->family()); }))
    return;
  throw UsageError{fmt::format("{} is a step for {}; --device {} cannot run it", steps.front()->label(),
                               steps.front()->family(), context.options.device)};
}

/// What a request asks of the plan of a lesson, and the size of the class that was named.
Plan plan_of(const LessonEntry& lesson, const Options& options, Plan plan) {
  if (!options.class_name.empty()) plan.size = lesson.size_of_class(options.class_name);
  if (options.npb && lesson.classes.empty())
    throw UsageError{lesson.name + " is none of the NAS Parallel Benchmarks: --npb says nothing about it"};
  return plan;
}

json lesson_of(const LessonEntry& lesson, const Outcome& outcome) {
  json entry = {{"name", lesson.name}, {"title", lesson.title}, {"steps", model::to_json(outcome.steps)}};
  std::vector<std::string> problems = outcome.problems;
  if (!lesson.problem.empty()) problems.insert(problems.begin(), lesson.name + ": " + lesson.problem);
  if (!problems.empty()) entry["problems"] = problems;
  if (!outcome.reproductions.empty()) entry["reproductions"] = outcome.reproductions;
  return entry;
}

}  // namespace

nlohmann::json record_of(const std::vector<nlohmann::json>& records, TestKind kind, const std::string& lesson,
                         const std::string& step) {
  for (const nlohmann::json& r : records)
    if (r.value("record", "") == to_string(kind) && r.value("lesson", "") == lesson &&
        r.value("step", "") == step)
      return r;
  return nullptr;
}

std::vector<std::string> steps_without_row(const std::vector<std::string>& steps, const json& rows,
                                           const char* field) {
  std::vector<std::string> left;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(left), [&](const std::string& step) {
    return std::none_of(rows.begin(), rows.end(),
                        [&](const json& row) { return row.value(field, "") == step; });
  });
  return left;
}

std::string not_measured(const std::vector<std::string>& steps) {
  return fmt::format("not measured: {}: {}", counted(steps.size(), "solution"), fmt::join(steps, ", "));
}

Plan budget_of(const Options& options, double usual) {
  Plan plan;
  plan.cell_seconds = std::max(0.0, options.budget.value_or(usual));
  plan.limits.call_seconds = std::max(plan.limits.call_seconds, 1.5 * plan.cell_seconds);
  return plan;
}

namespace {

std::vector<Task> tasks_of(Context& context, const Request& request, const std::vector<LessonEntry*>& lessons,
                           const std::vector<StepEntry*>& steps) {
  std::vector<Task> tasks;
  for (LessonEntry* lesson : lessons) {
    std::vector<StepEntry*> mine;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(mine),
                 [&](auto* s) { return s->lesson == lesson->name; });
    tasks.push_back({.lesson = lesson,
                     .jobs = jobs_for(context, mine, context.options.tree),
                     .kinds = request.kinds,
                     .plan = plan_of(*lesson, context.options, request.plan)});
    if (const auto other = request.judges.find(lesson->name); other != request.judges.end())
      tasks.back().judge = other->second;
    if (request.budget > 0)
      tasks.back().plan.cell_seconds = request.budget / static_cast<double>(steps.size());
  }
  return tasks;
}

/// While the first is judged, the others are built with what it leaves of the cores, but not next to its
/// times.
void build_ahead(Context& context, const std::vector<Task>& tasks, const Request& request) {
  const bool times =
      std::find(request.kinds.begin(), request.kinds.end(), TestKind::time) != request.kinds.end();
  if (tasks.size() == 1 || !times) return;
  std::vector<std::string> ahead;
  for (const Task& task : tasks)
    for (std::string& target : targets_of(context, task)) ahead.push_back(std::move(target));
  context.build.ahead(std::move(ahead));
}

/// One lesson after the other, each with all kinds.
void judge_in_turn(Context& context, std::vector<Task> tasks, const Request& request,
                   const PhaseReports& reports) {
  constexpr double building = 0.4;  // of a lesson's time, when nothing is built yet
  build_ahead(context, tasks, request);
  const bool alone = tasks.size() == 1;
  const double size = 1.0 / static_cast<double>(std::max<std::size_t>(1, tasks.size()));
  for (std::size_t i = 0; i < tasks.size(); ++i) {  // after Ctrl-C the rest are NOT RUN
    const Outcome outcome =
        judge(context, std::move(tasks[i]), {static_cast<double>(i) * size, size, alone, building},
              [&](const model::StepResult& result) { reports.step_ready(i, result); });
    if (request.profile_ready)
      for (const json& record : outcome.profiles) request.profile_ready(record);
    reports.timed(i, outcome);
  }
}

}  // namespace

json judge_names(Context& context, const Request& request) {
  const auto& names = context.options.names;
  const auto steps = context.catalogue.resolve(names);
  require_suitable(context, steps);
  const auto lessons = context.catalogue.resolve_lessons(names);
  context.refuse_mistakes(lessons);
  context.terminal.begin_work();
  context.build.refresh();
  context.check_tables(lessons);
  std::vector<json> done(lessons.size());
  PhaseReports reports;
  reports.step_ready = [&](std::size_t i, const model::StepResult& result) {
    for (const StepEntry* step : steps)
      if (step->lesson == lessons[i]->name && step->name == result.name && request.step_ready)
        request.step_ready(*step, result);
  };
  reports.judged = [&](std::size_t i, const Outcome& outcome) {
    if (request.lesson_judged) request.lesson_judged(lesson_of(*lessons[i], outcome));
  };
  reports.times_begin = [&] {
    if (request.times_begin) request.times_begin();
  };
  reports.timed = [&](std::size_t i, const Outcome& outcome) {
    done[i] = lesson_of(*lessons[i], outcome);
    if (request.lesson_ready) request.lesson_ready(done[i]);
  };
  std::vector<Task> tasks = tasks_of(context, request, lessons, steps);
  if (request.in_phases) {
    const auto outcomes = judge_in_phases(context, std::move(tasks), reports);
    for (std::size_t i = 0; i < outcomes.size(); ++i) done[i] = lesson_of(*lessons[i], outcomes[i]);
  } else {
    judge_in_turn(context, std::move(tasks), request, reports);
  }
  context.terminal.end_work();
  json document = report::document(context.options.verb, request.machine, context.seed, done);
  if (interrupted()) document["interrupted"] = true;
  if (context.options.size > 0) document["size"] = context.options.size;
  if (!context.options.class_name.empty()) document["class"] = context.options.class_name;
  if (const std::string commit = commit_of(context.root); request.machine.is_object() && !commit.empty())
    document["commit"] = commit;
  return document;
}

}  // namespace ladder
