#include "common/tool/judging/phase_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "common/base/files/json_fields.hpp"
#include "common/model/result_fields.hpp"
#include "common/model/result_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/job_queue.hpp"
#include "common/tool/judging/records.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
using nlohmann::json;

bool may_be_others(const model::StepResult& result) {
  if (result.verdict == Verdict::timeout) return true;
  return std::any_of(result.targets.begin(), result.targets.end(), [](const model::Target& target) {
    const bool of_threads = find_metric(target.metric).source == Source::worker || target.metric == "chain";
    return of_threads && target.verdict != Verdict::pass;
  });
}

// What a lane's process sends of its outcome. What both know of a job, and what no phase of run has, is left
// out.
void fields(Is<Job> auto& job, auto&& visit) {
  visit("decided", job.decided);
  visit("result", job.result);
  visit("records", job.records);
}
void fields(Is<Outcome> auto& outcome, auto&& visit) {
  visit("steps", outcome.steps);
  visit("jobs", outcome.jobs);
  visit("problems", outcome.problems);
  visit("seconds", outcome.seconds);
  visit("interrupted", outcome.interrupted);
}

namespace {

/// @param part  the task that it is of, with what only this process knows of its jobs
Outcome outcome_of(const json& sent, const Task& part) {
  auto outcome = structure_from<Outcome>(sent, "an outcome");
  std::vector<Job> jobs = part.jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Job& job = outcome.jobs.at(i);
    jobs[i].decided = job.decided, jobs[i].result = std::move(job.result),
    jobs[i].records = std::move(job.records);
  }
  outcome.jobs = std::move(jobs);
  return outcome;
}

/// Of a part whose process has not come to its end.
Outcome unjudged(const Task& part, const JobEnd& end, const std::string& problem) {
  Outcome outcome;
  outcome.jobs = part.jobs;
  outcome.interrupted = end.interrupted;
  const std::string why = end.interrupted ? "interrupted" : problem.empty() ? end.problem : problem;
  outcome.steps = Collector(part, {}).finish(why);
  if (end.interrupted) return outcome;
  for (std::size_t i = 0; i < outcome.jobs.size(); ++i)  // not timed either
    outcome.jobs[i].decided = true, outcome.jobs[i].result = outcome.steps[i];
  outcome.problems.push_back(fmt::format("{} was not judged to its end: {}", part.lesson->name, why));
  return outcome;
}

/// The parts of all lessons, in the lanes of one queue.
class PartLanes {
 public:
  PartLanes(Context& context, const std::vector<Task>& tasks, const PhaseReports& reports)
      : context_(context), reports_(reports), queue_(context), lessons_(tasks.size()) {
    const std::size_t most = steps_of_part(tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i)
      for (Task& part : parts_of(tasks[i], most)) keep(i, std::move(part), nullptr);
  }

  std::vector<Outcome> run(const std::vector<std::string>& for_times) {
    for (std::size_t i = 0; i < lessons_.size(); ++i)
      for (Part& part : lessons_[i].parts) add(i, part);
    queue_.add({.name = "what the times need",
                .targets = for_times,
                .cost = 0,
                .memory_gib = 0,
                .work = [](const Emit&) {}});
    queue_.run();
    std::vector<Outcome> outcomes;
    for (const Lesson& lesson : lessons_) outcomes.push_back(whole(lesson));
    return outcomes;
  }

 private:
  struct Part {
    Task task;
    Outcome outcome{};
    bool judged = false;
    std::string problem{};  ///< that its process has told
    Part* first = nullptr;  ///< of one that judges some of its steps again, alone
  };
  struct Lesson {
    std::deque<Part> parts;  // whose addresses stay
    std::size_t left = 0;
  };

  Part& keep(std::size_t lesson, Task task, Part* first) {
    Lesson& all = lessons_[lesson];
    ++all.left;
    const std::string log = fmt::format("{}-judge-{}.log", task.lesson->name, all.parts.size() + 1);
    task.log = context_.build.folder() / "logs" / log;  // judges of one lesson work at once
    return all.parts.emplace_back(Part{.task = std::move(task), .first = first});
  }

  void add(std::size_t lesson, Part& part) {
    constexpr double seconds = 4;  // of a step, about
    queue_.add({.name = part.task.lesson->name,
                .targets = targets_of(context_, part.task),
                .cost = seconds * static_cast<double>(part.task.jobs.size()),
                .memory_gib = 2,
                .alone = part.first != nullptr,
                .work = [this, &part](const Emit& emit) { judge_part(part, emit); },
                .message = [this, lesson, &part](const json& message) { hear(lesson, part, message); },
                .ended = [this, lesson, &part](const JobEnd& end) { ended(lesson, part, end); }});
  }

  /// In the part's own process.
  void judge_part(const Part& part, const Emit& emit) {
    const Outcome outcome = judge(context_, part.task, {}, [&](const model::StepResult& result) {
      emit({{"step", to_json(result)}});
    });
    emit({{"outcome", json_from(outcome)}});
  }

  void hear(std::size_t lesson, Part& part, const json& message) {
    if (message.contains("step")) {
      const model::StepResult step = model::step_from_json(message["step"]);
      if (part.first || !may_be_others(step)) reports_.step_ready(lesson, step);
    }
    part.problem = message.value("problem", part.problem);
    if (!message.contains("outcome")) return;
    part.outcome = outcome_of(message["outcome"], part.task);
    part.judged = true;
  }

  void ended(std::size_t lesson, Part& part, const JobEnd& end) {
    if (!part.judged) part.outcome = unjudged(part.task, end, part.problem);
    if (part.first && part.judged && !part.outcome.interrupted) replace(part);
    if (!part.first && part.judged && !part.outcome.interrupted) judge_again(lesson, part);
    if (--lessons_[lesson].left == 0 && !end.interrupted) reports_.judged(lesson, whole(lessons_[lesson]));
  }

  /// What other programs may have caused is judged once more, with nothing else of ours running.
  void judge_again(std::size_t lesson, Part& part) {
    Task again = part.task;
    again.jobs.clear();
    for (std::size_t i = 0; i < part.task.jobs.size(); ++i)
      if (may_be_others(part.outcome.steps[i])) again.jobs.push_back(part.task.jobs[i]);
    if (again.jobs.empty()) return;
    again.alone = true;
    add(lesson, keep(lesson, std::move(again), &part));
  }

  /// Puts the results of the second time in the place of the first.
  static void replace(const Part& again) {
    Outcome& outcome = again.first->outcome;
    for (std::size_t i = 0; i < outcome.jobs.size(); ++i)
      for (std::size_t k = 0; k < again.outcome.jobs.size(); ++k)
        if (outcome.jobs[i].step == again.outcome.jobs[k].step &&
            outcome.jobs[i].place.backend == again.outcome.jobs[k].place.backend) {
          outcome.jobs[i] = again.outcome.jobs[k];
          outcome.steps[i] = again.outcome.steps[k];
        }
  }

  static Outcome whole(const Lesson& lesson) {
    Outcome whole;
    for (const Part& part : lesson.parts)
      if (!part.first) add_part(part.outcome, whole);
    return whole;
  }

  Context& context_;
  const PhaseReports& reports_;
  JobQueue queue_;
  std::vector<Lesson> lessons_;
};

}  // namespace

std::vector<Outcome> judge_in_lanes(Context& context, const std::vector<Task>& tasks,
                                    const std::vector<std::string>& for_times, const PhaseReports& reports) {
  return PartLanes(context, tasks, reports).run(for_times);
}

}  // namespace ladder
