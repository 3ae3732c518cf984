#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/judging/phases.hpp"
#include "common/tool/judging/problem_file.hpp"
#include "common/tool/machine/software.hpp"

namespace ladder {
namespace {

using nlohmann::json;

void require_suitable(Context& context, const std::vector<StepEntry*>& steps) {
  const Placer& placer = context.placer();
  if (steps.empty()) return;
  if (std::any_of(steps.begin(), steps.end(), [&](const StepEntry* s) { return placer.suits(s->family()); }))
    return;
  throw UsageError{fmt::format("{} is a rung for {}; --device {} cannot run it", steps.front()->label(),
                               steps.front()->family(), context.options.device)};
}

/// What a request asks of the plan of a lesson, and the size of the class that was named.
Plan plan_of(const LessonEntry& lesson, const Options& options, Plan plan) {
  plan.file = options.matrix;
  if (!options.class_name.empty()) plan.size = lesson.size_of_class(options.class_name);
  if (options.npb && lesson.classes.empty())
    throw UsageError{lesson.name + " is none of the NAS Parallel Benchmarks: --npb says nothing about it"};
  return plan;
}

using Matrix = std::optional<model::OwnFile>;

/// @param matrix  what was read
model::LessonResults results_of(const LessonEntry& lesson, const Outcome& outcome, const Matrix& matrix) {
  model::LessonResults results{.name = lesson.name, .title = lesson.title, .problems = outcome.problems};
  if (matrix) results.title += fmt::format(": {}, n = {}, nnz = {}", matrix->file, matrix->n, matrix->nnz);
  if (!lesson.problem.empty())
    results.problems.insert(results.problems.begin(), lesson.name + ": " + lesson.problem);
  for (const model::StepResult& step : outcome.steps) results.steps.push_back({step});
  results.reproductions = outcome.reproductions;
  return results;
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

model::Document judge_names(Context& context, const Request& request) {
  const auto& names = context.options.names;
  const auto steps = context.catalogue.resolve(names);
  const auto lessons = context.catalogue.resolve_lessons(names);
  require_matrix(context.options, lessons);
  require_suitable(context, steps);
  context.refuse_mistakes(lessons);
  context.terminal.begin_work();
  context.build.refresh();
  context.check_tables(lessons);
  std::vector<model::LessonResults> done(lessons.size());
  Matrix matrix;  // what --matrix names; the same for all lessons that read one
  PhaseReports reports;
  reports.step_ready = [&](std::size_t i, const model::StepResult& result) {
    for (const StepEntry* step : steps)
      if (step->lesson == lessons[i]->name && step->name == result.name && request.step_ready)
        request.step_ready(*step, result);
  };
  reports.judged = [&](std::size_t i, const Outcome& outcome) {
    if (request.lesson_judged) request.lesson_judged(results_of(*lessons[i], outcome, matrix));
  };
  reports.times_begin = [&] {
    if (request.times_begin) request.times_begin();
  };
  reports.timed = [&](std::size_t i, const Outcome& outcome) {
    done[i] = results_of(*lessons[i], outcome, matrix);
    if (request.lesson_ready) request.lesson_ready(done[i]);
  };
  std::vector<Task> tasks = tasks_of(context, request, lessons, steps);
  if (!context.options.matrix.empty())
    for (const Task& task : tasks) matrix = describe_matrix(context, task);
  if (request.in_phases) {
    const auto outcomes = judge_in_phases(context, std::move(tasks), reports);
    for (std::size_t i = 0; i < outcomes.size(); ++i) done[i] = results_of(*lessons[i], outcomes[i], matrix);
  } else {
    judge_in_turn(context, std::move(tasks), request, reports);
  }
  context.terminal.end_work();
  model::Document document = report::document(context.options.verb, context.seed, std::move(done));
  document.machine = request.machine;
  document.interrupted = interrupted();
  document.size = context.options.size;
  document.class_name = context.options.class_name;
  document.matrix = matrix;
  if (request.machine) document.commit = commit_of(context.root);
  return document;
}

}  // namespace ladder
