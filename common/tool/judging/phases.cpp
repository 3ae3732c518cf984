#include "common/tool/judging/phases.hpp"

#include <algorithm>
#include <numeric>

#include "common/base/verdict.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/judging/phase_lanes.hpp"
#include "common/tool/judging/records.hpp"

namespace ladder {
namespace {

const std::vector<TestKind> timed_kinds = {TestKind::time};

/// The kinds of a task that need no clock.
std::vector<TestKind> without_time(std::vector<TestKind> kinds) {
  std::erase(kinds, TestKind::time);
  return kinds;
}

bool has_failed(const Job& job) {
  return std::any_of(job.records.begin(), job.records.end(),
                     [](const model::Record& record) { return record.verdict >= Verdict::not_started; });
}

bool has_record(const Job& job, TestKind kind) {
  return std::any_of(job.records.begin(), job.records.end(),
                     [&](const model::Record& record) { return record.kind == kind; });
}

/// The result of a job whose time nobody has taken: right as far as it was judged, and no number is made up.
model::StepResult without_its_time(const Task& task, const Job& job) {
  std::vector<model::Record> records = job.records;
  model::Record& time = records.emplace_back();
  time.kind = TestKind::time;
  time.verdict = Verdict::skipped;
  time.message = report::time_interrupted;
  std::vector<TestKind> kinds = without_time(task.all_kinds());
  kinds.push_back(TestKind::time);
  return report::merge(facts(job), records, kinds, "interrupted");
}

/// Puts these results in the place of those that Ctrl-C has left without a time, where all else was judged.
void keep_first_phase(const Task& task, Outcome& outcome) {
  const auto first = without_time(task.all_kinds());
  for (std::size_t i = 0; i < outcome.jobs.size(); ++i) {
    const Job& job = task.jobs[i];  // as the first phase left it: Ctrl-C in a build decides jobs, too
    const bool judged =
        std::all_of(first.begin(), first.end(), [&](TestKind kind) { return has_record(job, kind); });
    if (!job.decided && judged && !has_record(outcome.jobs[i], TestKind::time))
      outcome.steps[i] = without_its_time(task, job);
  }
}

void add_problems(const std::vector<std::string>& more, std::vector<std::string>& problems) {
  for (const std::string& problem : more)
    if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
}

/// Results with their times, in the place of those without.
void take_times(Outcome timed, Outcome& outcome) {
  outcome.steps = std::move(timed.steps);
  outcome.jobs = std::move(timed.jobs);
  add_problems(timed.problems, outcome.problems);
  outcome.interrupted = timed.interrupted;
  outcome.seconds += timed.seconds;
}

/// The tasks of the second phase, with what the first has decided.
Task time_task(const Task& task, std::vector<Job> jobs) {
  Task timed = task;
  timed.jobs = std::move(jobs);
  timed.earlier_kinds = without_time(task.kinds);
  timed.kinds = timed_kinds;
  return timed;
}

/// All that needs no clock: a few steps by one judge, more by several at once.
std::vector<Outcome> first_phase(Context& context, const std::vector<Task>& tasks,
                                 const PhaseReports& reports) {
  std::vector<Task> parts;
  std::vector<std::string> for_times;
  const std::size_t most = steps_of_part(tasks);
  for (const Task& task : tasks) {
    for (Task& part : parts_of(task, most)) parts.push_back(std::move(part));
    for (std::string& target : targets_of(context, time_task(task, task.jobs)))
      for_times.push_back(std::move(target));
  }
  if (parts.size() != 1) return judge_in_lanes(context, tasks, for_times, reports);
  std::vector<Outcome> outcomes;
  outcomes.push_back(judge(context, std::move(parts[0]), {},
                           [&](const model::StepResult& result) { reports.step_ready(0, result); }));
  if (!interrupted()) reports.judged(0, outcomes[0]);
  return outcomes;
}

/// Whether a result of the second phase says more than that of the first.
bool is_news(const model::StepResult& result, const std::vector<model::StepResult>& first) {
  const auto same = std::find_if(first.begin(), first.end(), [&](const model::StepResult& one) {
    return one.name == result.name && one.backend == result.backend;
  });
  return result.time || same == first.end() || same->verdict != result.verdict;
}

}  // namespace

void add_part(const Outcome& part, Outcome& whole) {
  whole.steps.insert(whole.steps.end(), part.steps.begin(), part.steps.end());
  whole.jobs.insert(whole.jobs.end(), part.jobs.begin(), part.jobs.end());
  add_problems(part.problems, whole.problems);
  whole.interrupted = whole.interrupted || part.interrupted;
  whole.seconds += part.seconds;
}

std::size_t steps_of_part(const std::vector<Task>& tasks, std::size_t cores) {
  std::size_t steps = 0;
  for (const Task& task : tasks) steps += task.jobs.size();
  // Two parts for most cores, so that the last ones are short. Each judge computes reference results for its
  // own steps: on two cores a lesson has two halves.
  return std::clamp<std::size_t>(steps / std::max<std::size_t>(1, 2 * cores - 2), 4, 8);
}

std::vector<Task> parts_of(const Task& task, std::size_t most) {
  const std::size_t n = task.jobs.size(), count = std::max<std::size_t>(1, (n + most - 1) / most);
  std::vector<Task> parts;
  for (std::size_t i = 0; i < count; ++i) {
    Task& part = parts.emplace_back(task);
    const auto begin = task.jobs.begin();
    part.jobs.assign(begin + static_cast<std::ptrdiff_t>(i * n / count),
                     begin + static_cast<std::ptrdiff_t>((i + 1) * n / count));
    part.kinds = without_time(task.kinds);
    part.later_kinds = timed_kinds;
  }
  return parts;
}

std::vector<std::size_t> shortest_first(const std::vector<Task>& tasks) {
  const auto timed = [&](std::size_t i) {
    return std::count_if(tasks[i].jobs.begin(), tasks[i].jobs.end(),
                         [](const Job& job) { return !job.decided && !has_failed(job); });
  };
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return timed(a) < timed(b); });
  return order;
}

std::vector<Outcome> judge_in_phases(Context& context, std::vector<Task> tasks, const PhaseReports& reports) {
  std::vector<Outcome> outcomes = first_phase(context, tasks, reports);
  double steps = 0, done = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    steps += static_cast<double>(outcomes[i].jobs.size());
    tasks[i] = time_task(tasks[i], outcomes[i].jobs);
  }
  if (!interrupted()) {
    context.terminal.begin_work();
    reports.times_begin();
  }
  for (const std::size_t i : shortest_first(tasks)) {
    const double size = static_cast<double>(tasks[i].jobs.size()) / std::max(1.0, steps);
    const bool begun = !interrupted();
    if (begun)
      take_times(judge(context, tasks[i], {done, size, tasks.size() == 1, 0},
                       [&](const model::StepResult& result) {
                         if (!interrupted() && is_news(result, outcomes[i].steps))
                           reports.step_ready(i, result);
                       }),
                 outcomes[i]);
    done += size;
    if (interrupted()) keep_first_phase(tasks[i], outcomes[i]);
    if (begun) reports.timed(i, outcomes[i]);
  }
  return outcomes;
}

}  // namespace ladder
