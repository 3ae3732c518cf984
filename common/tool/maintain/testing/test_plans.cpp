/// @file
/// The parts of the verb test that judge: solutions, skeletons, mutants, attempts.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "common/base/error.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/judging/phase_lanes.hpp"
#include "common/tool/maintain/checks/attempts.hpp"
#include "common/tool/maintain/testing/test_parts.hpp"

namespace ladder {
namespace {

using nlohmann::json;

using model::StepResult;

/// Decides whether one result is what it should be; empty when it is.
using Expectation = std::function<std::string(const StepResult& result)>;

std::string name_of(const StepResult& r) {
  return fmt::format("{} {}/{}{} on {}", r.tree, r.lesson, r.name, r.mutant.empty() ? "" : "~" + r.mutant,
                     r.device);
}

std::string said(const StepResult& r) {
  std::string text = fmt::format("{}: {}", name(r.verdict), r.message);
  for (const auto& [heading, block] : r.details) text += "\n" + heading + ": " + block;
  return text;
}

/// Why nothing can be said of a solution here: it cannot run, or a number of its row cannot be measured or
/// decided.
std::string skipped(const StepResult& r) {
  const bool undecided =
      r.verdict == Verdict::inconclusive;  // this machine's cores, and no fault of the step
  return undecided || r.verdict == Verdict::skipped ? r.message : "";
}

/// What a part of the test says of results that must all have one verdict.
Expectation expects(Verdict verdict, const std::string& sentence) {
  return [=](const StepResult& r) { return r.verdict == verdict ? "" : sentence + ", got " + said(r); };
}

/// Keeps what a lesson's judge found, each step of which is counted already.
void keep(const LessonEntry& lesson, const Outcome& outcome, JobReport& report) {
  for (const std::string& problem : outcome.problems) report.summary.fail(lesson.name, problem);
  model::LessonResults entry{.name = lesson.name, .title = lesson.title, .problems = outcome.problems};
  for (const model::StepResult& step : outcome.steps) entry.steps.push_back({step});
  report.results.push_back(std::move(entry));
}

/// What names a job among those of its task.
json key_of(const model::StepResult& r) {
  return {r.name, r.mutant, r.device};
}

/// "solutions of 03/c1 to 03/g2" as a file's name.
std::string file_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ' ' || c == ','; }, '-');
  return name;
}

/// How a part's results are judged.
struct Judgement {
  Expectation wrong;             ///< why a result is not what it should be
  Expectation untold = skipped;  ///< why it says nothing of that; empty: it does
  bool looks_deeper = false;     ///< what is wrong is judged once more, by all kinds of test
};

/// A job that judges; a step is counted as soon as it is judged, so that a failure is told where it happens.
/// What other programs may have caused is judged once more, alone.
TestJob judging_job(Context& context, const std::string& part, const std::string& name, Task task,
                    Judgement judgement) {
  TestJob job{.part = part, .name = name, .targets = targets_of(context, task), .memory_gib = 2};
  task.log = context.build.folder() / "logs" / (file_name(name) + ".log");
  const auto shared = std::make_shared<Task>(std::move(task));
  const bool alone = shared->alone;
  job.work = [&context, shared, judgement, alone](JobReport& report) {
    const auto take = [&](const model::StepResult& result) {
      const std::string untold = judgement.untold(result),
                        why = untold.empty() ? judgement.wrong(result) : "";
      const bool late = may_be_others(result) && !alone;
      if (!why.empty() && (late || judgement.looks_deeper)) return report.again.push_back(key_of(result));
      if (!untold.empty()) return report.summary.skip(name_of(result), untold);
      report.summary.expect(why.empty(), name_of(result), why);
    };
    Outcome outcome = judge(context, *shared, {}, take);
    std::erase_if(outcome.steps, [&](const model::StepResult& r) {
      return std::find(report.again.begin(), report.again.end(), key_of(r)) != report.again.end();
    });
    keep(*shared->lesson, outcome, report);
  };
  job.more = [&context, part, name, shared, judgement](const json& again) {
    Task rest = *shared;
    std::erase_if(rest.jobs, [&](const Job& one) {
      const json key = {one.step->name, one.mutant, one.place.device};
      return std::find(again.begin(), again.end(), key) == again.end();
    });
    if (judgement.looks_deeper)
      rest.kinds = Task{}.kinds;
    else
      rest.alone = true;
    Judgement last = judgement;
    last.looks_deeper = false;
    const bool alone_now = rest.alone;
    const std::vector<Job> steps = shared->jobs;  // of all of them something is decided only now
    TestJob more =
        judging_job(context, part, name + (alone_now ? ", alone" : ", further"), std::move(rest), last);
    more.alone = alone_now;
    for (const Job& one : steps)
      if (more.steps.empty() || more.steps.back() != one.step->path()) more.steps.push_back(one.step->path());
    return TestJobs{std::move(more)};
  };
  return job;
}

/// Expected processor seconds of a step, where none were measured.
double usual_cost(const Job& job, const Task& task) {
  const std::string& backend = job.place.backend;
  const double correctness = backend == "executor" ? 0.4 : backend == "opencl" ? 1 : backend == "mpi" ? 2 : 1;
  return correctness * static_cast<double>(task.kinds.size());
}

/// Jobs for a task: as many as make each short, so that all cores have something to do. Steps stay together.
TestJobs judging_jobs(Context& context, const std::string& part, Task task, const Judgement& judgement,
                      const std::string& which = "") {
  constexpr double max_cost = 30;
  std::vector<Task> tasks;
  double cost = 0;
  for (Job& job : task.jobs) {
    const bool other_step = tasks.empty() || tasks.back().jobs.back().step != job.step;
    if (other_step && (tasks.empty() || cost > max_cost || context.options.changed)) {
      tasks.push_back(task);
      tasks.back().jobs.clear();
      cost = 0;
    }
    cost += usual_cost(job, task);
    tasks.back().jobs.push_back(std::move(job));
  }
  TestJobs jobs;
  for (Task& one : tasks) {
    const StepEntry *first = one.jobs.front().step, *last = one.jobs.back().step;
    const std::string name =
        first == last ? fmt::format("{}{} of {}", part, which, first->label())
                      : fmt::format("{}{} of {} to {}", part, which, first->label(), last->label());
    double sum = 0;
    std::vector<std::string> steps;
    for (const Job& job : one.jobs) {
      sum += usual_cost(job, one);
      if (steps.empty() || steps.back() != job.step->path()) steps.push_back(job.step->path());
    }
    jobs.push_back(judging_job(context, part, name, std::move(one), judgement));
    jobs.back().cost = sum;
    jobs.back().steps = std::move(steps);
  }
  return jobs;
}

void append(TestJobs& jobs, TestJobs more) {
  std::move(more.begin(), more.end(), std::back_inserter(jobs));
}

/// The steps of a lesson whose files are in the tree.
std::vector<StepEntry*> steps_in(const Context& context, LessonEntry& lesson, const std::string& tree) {
  std::vector<StepEntry*> steps;
  for (StepEntry& s : lesson.steps)
    if (std::filesystem::exists(source_of(context.root, tree, s))) steps.push_back(&s);
  return steps;
}

/// The jobs, and for each that runs on a GPU its twin on the executor.
std::vector<Job> with_twins(Context& context, std::vector<Job> jobs) {
  for (std::size_t j = 0, n = jobs.size(); j < n; ++j) {
    if (jobs[j].place.backend != "cuda" || jobs[j].decided) continue;
    Job twin = jobs[j];
    twin.place = {"executor", "executor", "", {}};
    if (context.build.knows(twin.worker())) jobs.push_back(twin);
  }
  return jobs;
}

bool is_given(const StepEntry& step) {
  return step.row.is_object() && step.kind() == "D";
}

/// The mutant's own device, else the executor for CUDA: on a GPU many a race shows only sometimes.
Placement place_mutant(Context& context, const Job& job, const std::string& device) {
  const std::string request = !device.empty()                   ? device
                              : !context.options.device.empty() ? context.options.device
                              : is_cuda(job.step->family())     ? "executor"
                                                                : "";
  try {
    return Placer(context.placer().devices(), request).place(*job.step, context.build, job.worker_stem());
  } catch (const UsageError& none) {
    return {"none", request, none.text, {}};
  }
}

/// A job for each edit of a solution in tests/NN-name/<kind> that can run here; the others are counted as
/// skipped.
std::vector<std::pair<cut::Mutant, Job>> edited_jobs(Context& context, const StepEntry& step,
                                                     const std::string& kind, TestSummary& summary) {
  std::vector<std::pair<cut::Mutant, Job>> jobs;
  const auto file = edits_of(context.root, step, kind);
  const std::string text = read_text(file);
  if (text.empty()) return jobs;
  try {
    for (const cut::Mutant& m : cut::read_mutants(text, file.string())) {
      Job job{.step = &step, .tree = kind, .mutant = m.name};
      job.place = place_mutant(context, job, m.device);
      if (job.place.skip.empty())
        jobs.emplace_back(m, job);
      else
        summary.skip(fmt::format("{} {}/{}~{}", kind, step.lesson, step.name, m.name), job.place.skip);
    }
  } catch (const cut::Error& error) {
    summary.fail(kind + " " + step.path(), error.what());
  }
  return jobs;
}

std::string wrong_mutant(const cut::Mutant& mutant, const StepResult& r) {
  const std::string all = said(r), got(name(r.verdict));
  if (got != mutant.verdict && got != mutant.other_verdict)
    return fmt::format("expected {}{}{}, got {}", mutant.verdict, mutant.other_verdict.empty() ? "" : " or ",
                       mutant.other_verdict, all);
  // A mutant that cannot even be cut would look like one that does not compile.
  if (r.message.find(".mutants:") != std::string::npos) return all;
  for (const std::string& word : mutant.words)
    if (all.find(word) == std::string::npos) return fmt::format("\"{}\" is not in {}", word, all);
  return "";
}

/// What the judge could not look for here, in a step that must be wrong and passed; empty: it looked for
/// everything.
std::string not_looked_for(const std::string& expected, const StepResult& r) {
  if (r.verdict == Verdict::pass && expected == "WRONG")
    for (const auto& [heading, text] : r.details)
      if (text.find(" not looked for: ") != std::string::npos) return text;
  return "";
}

/// Why a mutant says nothing: it cannot run here, or the kind of test that would have told could not.
/// Empty: it says something.
std::string untold_mutant(const cut::Mutant& mutant, const StepResult& r) {
  if (const std::string reason = not_looked_for(mutant.verdict, r); !reason.empty()) return reason;
  if (r.verdict != Verdict::skipped || !report::is_done(r)) return skipped(r);
  const TestKind telling =
      mutant.verdict == "MISSED" || mutant.verdict == "REVIEW" ? TestKind::targets : TestKind::findings;
  for (const model::KindResult& k : r.kinds)
    if (k.verdict == Verdict::skipped && k.kind == telling) return k.message;
  return "";
}

// ---- what each part judges of a lesson

Task skeletons_of(Context& context, LessonEntry& lesson) {
  auto steps = steps_in(context, lesson, "lessons");
  std::erase_if(steps, [](const StepEntry* s) { return is_given(*s); });
  // A skeleton throws in its first call: no other kind could see more.
  return {.lesson = &lesson, .jobs = jobs_for(context, steps, "lessons"), .kinds = {TestKind::correctness}};
}

Task solutions_of(Context& context, LessonEntry& lesson, std::vector<TestKind> kinds) {
  const auto steps = steps_in(context, lesson, "solutions");
  return {.lesson = &lesson,
          .jobs = with_twins(context, jobs_for(context, steps, "solutions")),
          .kinds = std::move(kinds)};
}

/// A problem of each size that rungs are timed at, by the first rung that is: a timed result is verified,
/// too, and what an input of such a size does to its error no small case shows.
std::vector<Task> timed_sizes_of(Context& context, LessonEntry& lesson) {
  std::map<int, Task> tasks;
  for (Job& job : jobs_for(context, steps_in(context, lesson, "solutions"), "solutions")) {
    const json& row = job.step->row;  // without a bound on time the table has null there
    const json time = row.is_object() && row.contains("time") ? row["time"] : json();
    const int size = time.is_object() ? time.value("size", 0) : 0;
    if (size <= 0 || job.decided || tasks.contains(size)) continue;
    Task task{.lesson = &lesson, .kinds = {TestKind::correctness}};
    task.jobs.push_back(std::move(job));
    task.plan.size = size;
    tasks.emplace(size, std::move(task));
  }
  std::vector<Task> all;
  for (auto& [size, task] : tasks) all.push_back(std::move(task));
  return all;
}

const std::vector<TestKind> of_solutions = {TestKind::correctness, TestKind::targets};

/// The edits of a lesson's solutions, by the kinds of test that can tell. Most mutants show in their results.
/// The observed program, half of what there is to build, is for the others: those that must miss a target,
/// and those that must not be accused of anything.
struct Edits {
  Task by_results, by_targets, by_all;
  std::map<std::string, cut::Mutant> known{};

  const cut::Mutant& of(const StepResult& r) const { return known.at(r.name + "~" + r.mutant); }
};

Edits edits_of(Context& context, LessonEntry& lesson, TestSummary& summary) {
  Edits edits{.by_results = {.lesson = &lesson, .kinds = {TestKind::correctness}},
              .by_targets = {.lesson = &lesson, .kinds = {TestKind::correctness, TestKind::targets}},
              .by_all = {.lesson = &lesson}};
  for (const StepEntry& step : lesson.steps)
    for (const char* kind : {"mutants", "variants"})
      for (auto [mutant, job] : edited_jobs(context, step, kind, summary)) {
        edits.known[step.name + "~" + mutant.name] = mutant;
        job.words = mutant.words;
        job.targets_only =
            mutant.verdict == "MISSED" || mutant.verdict == "REVIEW" || mutant.verdict == "PASS";
        Task& task = mutant.verdict == "MISSED" ? edits.by_targets
                     : job.targets_only         ? edits.by_all
                                                : edits.by_results;
        task.jobs.push_back(job);
      }
  return edits;
}

}  // namespace

TestJobs solution_jobs(Context& context, const Lessons& lessons) {
  const auto wrong = expects(Verdict::pass, "expected PASS");
  TestJobs jobs;
  for (LessonEntry* lesson : lessons) {
    append(jobs, judging_jobs(context, "solutions", solutions_of(context, *lesson, of_solutions), {wrong}));
    for (Task& task : timed_sizes_of(context, *lesson)) {
      const int size = task.plan.size;
      const auto wrong_at =
          expects(Verdict::pass, fmt::format("at the size that is timed, {}: expected PASS", size));
      append(jobs, judging_jobs(context, "solutions", std::move(task), {wrong_at},
                                fmt::format(" at size {}", size)));
    }
  }
  return jobs;
}

TestJob solutions_as_nobody(Context& context, LessonEntry& lesson) {
  const auto steps = steps_in(context, lesson, "solutions");
  Task task{.lesson = &lesson, .jobs = jobs_for(context, steps, "solutions"), .as_nobody = true};
  const auto wrong = expects(Verdict::pass, "as nobody: expected PASS");
  TestJob job =
      judging_job(context, "nobody", "solutions of " + lesson.name + " as nobody", std::move(task), {wrong});
  job.cost = 20;
  return job;
}

TestJobs finding_jobs(Context& context, const Lessons& lessons) {
  const auto wrong = expects(Verdict::pass, "expected no finding");
  TestJobs jobs;
  for (LessonEntry* lesson : lessons)
    append(jobs,
           judging_jobs(context, "findings", solutions_of(context, *lesson, {TestKind::findings}), {wrong}));
  return jobs;
}

TestJobs skeleton_jobs(Context& context, const Lessons& lessons) {
  const auto wrong = expects(Verdict::not_started, "expected NOT STARTED");
  TestJobs jobs;
  for (LessonEntry* lesson : lessons)
    append(jobs, judging_jobs(context, "skeletons", skeletons_of(context, *lesson), {wrong}));
  return jobs;
}

TestJobs mutant_jobs(Context& context, const Lessons& lessons, TestSummary& summary) {
  TestJobs jobs;
  for (LessonEntry* lesson : lessons) {
    const auto edits = std::make_shared<Edits>(edits_of(context, *lesson, summary));
    const auto wrong = [edits](const StepResult& r) { return wrong_mutant(edits->of(r), r); };
    const auto untold = [edits](const StepResult& r) { return untold_mutant(edits->of(r), r); };
    append(jobs, judging_jobs(context, "mutants", edits->by_results, {wrong, untold, true}));
    append(jobs,
           judging_jobs(context, "mutants", edits->by_targets, {wrong, untold, true}, " with counters"));
    append(jobs, judging_jobs(context, "mutants", edits->by_all, {wrong, untold}, " that are right"));
  }
  return jobs;
}

TestJobs attempt_jobs(Context& context, const Lessons& lessons, TestSummary& summary) {
  TestJobs jobs;
  for (LessonEntry* lesson : lessons) {
    Task task{.lesson = lesson};
    const auto known = std::make_shared<std::map<std::string, ExpectedResult>>();
    for (const StepEntry& step : lesson->steps)
      for (const auto& [name, file] : attempts_of(context.root, step)) try {
          (*known)[step.name + "~" + name] = read_attempt(read_text(file));
          Job job{.step = &step, .tree = "attempts", .mutant = name};
          job.place = place_mutant(context, job, is_cuda(step.family()) ? "executor" : "");
          task.jobs.push_back(job);
        } catch (const Error& error) {
          summary.fail(path_in(context.root, file), error.what());
        }
    const auto of = [known](const StepResult& r) -> const ExpectedResult& {
      return known->at(r.name + "~" + r.mutant);
    };
    const auto wrong = [of](const StepResult& r) { return wrong_attempt(of(r), r); };
    // SKIPPED is wrong, too
    const auto untold = [of](const StepResult& r) { return not_looked_for(of(r).allowed().front(), r); };
    append(jobs, judging_jobs(context, "attempts", std::move(task), {wrong, untold}));
  }
  return jobs;
}

}  // namespace ladder
