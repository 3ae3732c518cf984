#include "common/tool/judging/judging.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/build/lint.hpp"
#include "common/tool/build/source_excerpt.hpp"
#include "common/tool/core/job_queue.hpp"
#include "common/tool/judging/plan_file.hpp"
#include "common/tool/judging/records.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// Seconds after which a judge that uses no processor counts as dead.
double max_silence() {
  const char* set = std::getenv("LADDER_JUDGE_SILENCE");  // of the tests, which cannot wait that long
  return set ? std::atof(set) : 30;
}

void decide(Job& job, Verdict verdict, const std::string& message, const model::Details& details = {}) {
  job.decided = true;
  job.result = report::decided(facts(job), verdict, message, details);
}

/// Of a student's own copy: a file of the tree, or a header next to it. Of a stranger's submission nothing is
/// read here.
BuildFailure with_own_source(const Job& job, const BuildFailure& failure, const fs::path& root) {
  const fs::path file = failure.where.substr(0, failure.where.rfind(':'));
  const bool own = job.submitted.empty() && job.made.empty() && job.mutant.empty() &&
                   file.parent_path() == fs::path(job.tree) / job.step->lesson;
  return own ? with_source(failure, root / file) : failure;
}

void decide_build_error(Job& job, const BuildFailure& found, const fs::path& root) {
  const BuildFailure failure = with_own_source(job, found, root);
  model::Details details;
  if (!failure.excerpt.empty()) details.emplace_back("Source", failure.excerpt);
  if (!failure.hint.empty()) details.emplace_back("Think", failure.hint);
  decide(job, Verdict::build_error, failure.line(), details);
  job.result.build_output = with_paths_in(root.string(), failure.output).substr(0, 20000);
}

/// A skeleton as it was handed out: the line that students delete when they begin.
bool is_untouched(const std::string& source) {
  for (const std::string& line : lines_of(source))
    if (line.find_first_not_of(' ') == line.find("ladder::task();") &&
        line.find("ladder::task();") != line.npos)
      return true;
  return false;
}

/// What clang says of host and device rules; where nvcc compiles the step, it knows better.
std::string lint_target(const Job& job) {
  const bool wanted =
      !job.untouched && job.place.backend == "executor" && (job.mutant.empty() || job.tree == "attempts");
  return wanted ? job.worker_stem() + ".lint" : "";
}

void take_lint(const Build& build, Job& job) {
  if (job.decided || !build.knows(lint_target(job))) return;
  const auto errors = lint_errors(read_text(build.file(lint_target(job))), build.root(), build.folder());
  if (!errors.empty()) decide_build_error(job, errors.front(), build.root());
}

bool died(const ProcessResult& ended) {
  return ended.silent || (ended.status > 128 && !ended.timed_out && !ended.interrupted);
}

std::string how_it_died(const ProcessResult& ended) {
  if (ended.silent) return fmt::format("the judge stood still for {} s and was ended", max_silence());
  return fmt::format("the judge died of signal {} ({})", ended.status - 128, strsignal(ended.status - 128));
}

/// What is said of planned steps that the judge wrote nothing about; empty when it ended as it should.
std::string why_incomplete(const ProcessResult& ended, const std::string& log) {
  if (ended.interrupted) return "interrupted";
  if (!ended.error.empty()) return "the judge could not be started: " + ended.error;
  if (ended.timed_out) return "the judge did not end in its time";
  if (died(ended)) return fmt::format("{}; see {}", how_it_died(ended), log);
  return fmt::format("the judge wrote no record of it; see {}", log);
}

/// The last lines of the judge's log.
std::string last_words(const fs::path& log) {
  constexpr std::size_t most = 1500;
  std::string text = read_text(log);
  text.erase(text.find_last_not_of(" \n") + 1);
  if (text.size() > most) text.erase(0, text.find('\n', text.size() - most) + 1);
  return text.empty() ? "none" : text;
}

/// Decides, after a judge's death, what it has finished and the step that it was at. @return whether there is
/// more
bool settle(const Context& context, Task& task, Collector& collector, const std::string& how,
            const fs::path& log) {
  bool more = false;
  for (std::size_t i = 0; i < task.jobs.size(); ++i) {
    Job& job = task.jobs[i];
    if (job.decided) continue;
    if (collector.complete(i)) {
      job.result = collector.result(i, "");
      job.decided = true;
    } else if (collector.under_way() == i) {
      decide(job, Verdict::not_run, fmt::format("{} while it judged this rung: {}", how, collector.doing()),
             {{"Last words", with_paths_in(context.root, last_words(log))},
              {"Log", path_in(context.root, log)}});
    } else {
      collector.forget(i);  // judged again, all kinds of it: one may depend on another
      more = true;
    }
  }
  collector.tell_decided();
  return more;
}

/// The packages without which CMake has left a lesson out (common/cmake/lessons.cmake); empty: it is there.
std::string missing_packages(const Context& context, const std::string& lesson) {
  return read_text(context.build.harness_folder() / "found" / ("missing-" + lesson));
}

void build_all(Context& context, Task& task, Outcome& outcome, std::map<std::string, BuildFailure>& failures,
               Share share) {
  if (task.built) return;
  const std::string judge = "judges/" + task.lesson->name;
  const std::string missing = missing_packages(context, task.lesson->name);
  for (Job& job : task.jobs)
    if (!job.decided && !missing.empty())
      decide(job, Verdict::not_run,
             fmt::format("{} needs packages that are not here: {}", task.lesson->name, missing));
    else if (!job.decided && !context.build.knows(job.worker()))
      decide(job, Verdict::not_run, fmt::format("the build has no target {}", job.worker()));
  if (std::all_of(task.jobs.begin(), task.jobs.end(), [](const Job& j) { return j.decided; })) return;
  if (!context.build.knows(judge))
    outcome.problems.push_back(
        fmt::format("{} has no judge: there is no test in tests/{}", task.lesson->name, task.lesson->name));
  failures = context.build.make(targets_of(context, task), [&](const std::string& what, double done) {
    context.terminal.progress(what, share.of_building(done));
  });
  if (share.alone) context.terminal.begin_work();
  if (const auto failed = failures.find(judge); failed != failures.end() && !interrupted())
    outcome.problems.push_back(
        fmt::format("the judge of {} does not compile: {}", task.lesson->name, failed->second.line()));
  for (Job& job : task.jobs)
    if (const auto failed = failures.find(job.worker()); !job.decided && failed != failures.end()) {
      if (interrupted())
        decide(job, Verdict::not_run, "interrupted");
      else
        decide_build_error(job, failed->second, context.build.root());
    } else if (!job.decided && !fs::exists(context.build.file(job.worker()))) {
      decide(job, Verdict::not_run, "the build did not make " + job.worker());
    } else {
      take_lint(context.build, job);
    }
}

/// Starts a judge on what is undecided, and takes its records until it ends.
ProcessResult run_judge(Context& context, const Task& task,
                        const std::map<std::string, BuildFailure>& failures, const fs::path& log, Share share,
                        Collector& collector, Outcome& outcome) {
  static int number = 0;
  // A job of a queue is judged by a process of its own, which counts for itself.
  const fs::path scratch =
      context.scratch() / fmt::format("{}-{}-{}", task.lesson->name, ::getpid(), ++number);
  fs::create_directories(scratch);
  // Also where grading keeps what it writes to itself: a worker of another user enters it, and reads nothing
  // else there.
  fs::permissions(scratch, fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add);
  const Plan plan = make_plan(context, task, scratch, [&](const std::string& target) {
    if (task.built && fs::path(target).is_absolute()) return fs::exists(target);
    return !target.empty() && context.build.knows(target) && !failures.count(target);
  });
  std::map<std::string, std::string> environment = write_plan(plan);
  // References by LAPACK would start as many threads as the machine has cores, in each of as many judges.
  if (const char* cores = std::getenv(cores_of_job)) environment.emplace("OPENBLAS_NUM_THREADS", cores);
  if (task.as_nobody) {
    give_to_nobody(scratch);
    environment.merge(nobodys_folders(scratch));
  }
  Tail tail(plan.results);
  std::optional<Build::Rest> rest;
  const auto read = [&](const std::string&) {
    for (const model::Line& record : tail.fresh()) collector.take(record);
    if (collector.times() && !rest) {
      rest.emplace(context.build);
      write_text(plan.quiet, "");
    }
    context.terminal.progress(collector.text, share.of_judging(collector.share()));
  };
  std::vector<std::string> judge = task.judge;
  if (judge.empty()) judge = {context.build.file("judges/" + task.lesson->name)};
  const ProcessResult ended = run_process({.arguments = judge,
                                           .environment = environment,
                                           .log = log,
                                           .seconds = judge_limit(task),
                                           .silent_seconds = max_silence(),
                                           .as_nobody = task.as_nobody,
                                           .for_all = true},  // caches of workers, which are other users
                                          read);
  outcome.seconds += ended.seconds;
  if (tail.bad() > 0)
    outcome.problems.push_back(
        fmt::format("{} lines of the judge's results are no records: {}", tail.bad(), tail.why_bad()));
  std::error_code ignored;
  fs::remove_all(scratch, ignored);
  return ended;
}

/// Starts a judge, and another for the rest of the steps when one dies: a step may have ended it, or somebody
/// else.
/// @return how the last one ended
ProcessResult judge_all(Context& context, Task& task, const std::map<std::string, BuildFailure>& failures,
                        const fs::path& log, Share share, Collector& collector, Outcome& outcome) {
  constexpr int max_idle = 2;  // deaths with nothing done: then another judge would do no better
  for (int idle = 0;;) {
    const std::size_t records = collector.records();
    const ProcessResult ended = run_judge(context, task, failures, log, share, collector, outcome);
    idle = collector.records() == records ? idle + 1 : 0;
    if (!died(ended) || interrupted() || task.reproduces() || idle == max_idle) return ended;
    if (!settle(context, task, collector, how_it_died(ended), log)) return ended;
  }
}

}  // namespace

std::string Job::worker_stem() const {
  if (!made.empty()) return (made / "workers/lessons" / step->lesson / step->name).string();
  return fmt::format("workers/{}/{}/{}{}", tree, step->lesson, step->name,
                     mutant.empty() ? "" : "~" + mutant);
}

std::map<std::string, std::string> Job::sanitized_workers() const {
  if (place.backend == "cpu")
    return {{"races", worker_stem() + ".races"}, {"memory", worker_stem() + ".memory"}};
  if (place.backend == "mpi") return {{"memory", worker_stem() + ".mpi-memory"}};
  return {};
}

fs::path Job::source(const Build& build) const {
  if (!submitted.empty()) return submitted / step->lesson / step->file;
  if (mutant.empty()) return source_of(build.root(), tree, *step);
  if (tree == "attempts")
    return build.root() / "tests" / step->lesson / tree /
           (step->name + "." + mutant + fs::path(step->file).extension().string());
  return build.folder() / "generated" / tree / step->lesson /
         (step->name + "~" + mutant + fs::path(step->file).extension().string());
}

std::vector<std::string> targets_of(Context& context, const Task& task) {
  std::vector<std::string> targets = companions(context, task);
  for (const Job& job : task.jobs)
    if (!job.decided) targets.insert(targets.end(), {job.worker(), lint_target(job)});
  targets.push_back("judges/" + task.lesson->name);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  targets.erase(
      std::remove_if(targets.begin(), targets.end(), [&](auto& t) { return !context.build.knows(t); }),
      targets.end());
  return targets;
}

std::vector<Job> jobs_for(Context& context, const std::vector<StepEntry*>& steps, const std::string& tree) {
  const Placer& placer = context.placer();
  std::vector<Job> jobs;
  for (const StepEntry* step : steps) {
    Job job{.step = step, .tree = tree};
    job.place = placer.place(*step, context.build, job.worker_stem());
    if (tree == "lessons") {
      const std::string source = read_text(job.source(context.build));
      job.source_sha256 = sha256(source);
      job.untouched = is_untouched(source);
    }
    if (!fs::exists(job.source(context.build)) && tree != "mutants")
      decide(job, Verdict::not_run, fmt::format("no file {}/{}/{}", tree, step->lesson, step->file));
    else if (!job.place.skip.empty() && interrupted())  // the build may not have said all that it has
      decide(job, Verdict::not_run, "interrupted");
    else if (!job.place.skip.empty())
      decide(job, Verdict::skipped, job.place.skip);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<TestKind> Task::all_kinds() const {
  std::vector<TestKind> all = earlier_kinds;
  all.insert(all.end(), kinds.begin(), kinds.end());
  return all;
}

namespace {

Outcome judge_once(Context& context, Task task, Share share,
                   const std::function<void(const model::StepResult&)>& ready) {
  Outcome outcome;
  std::map<std::string, BuildFailure> failures;
  if (!interrupted()) build_all(context, task, outcome, failures, share);
  const bool work = std::any_of(task.jobs.begin(), task.jobs.end(), [](const Job& j) { return !j.decided; });
  Collector collector(task, ready);
  std::string why_not = interrupted() ? "interrupted" : "its judge could not be built";
  if (work && outcome.problems.empty() && !interrupted()) {
    const fs::path log =
        task.log.empty() ? context.build.folder() / "logs" / (task.lesson->name + "-judge.log") : task.log;
    std::error_code ignored;
    fs::create_directories(log.parent_path(), ignored);
    fs::remove(log, ignored);
    const ProcessResult ended = judge_all(context, task, failures, log, share, collector, outcome);
    const std::string shown = path_in(context.root, log);
    why_not = why_incomplete(ended, shown);
    outcome.steps = collector.finish(why_not);
    const bool all_good = std::all_of(outcome.steps.begin(), outcome.steps.end(), [](const auto& s) {
      return s.verdict == Verdict::pass || s.verdict == Verdict::skipped || s.verdict == Verdict::build_error;
    });
    // The records decide; the exit status can only contradict them.
    if (all_good && ended.status != 0 && !ended.interrupted)
      outcome.problems.push_back(
          fmt::format("the judge of {} ended with status {} though all its records are good; see {}",
                      task.lesson->name, ended.status, shown));
    if (task.reproduces()) {
      if (ended.status != 0 && !ended.interrupted)
        outcome.problems.push_back(ended.status == 1 ? "a table could not be reproduced; see " + shown
                                                     : why_incomplete(ended, shown));
      std::erase_if(outcome.steps, [](const auto& step) { return step.verdict == Verdict::not_run; });
    }
    outcome.reproductions = collector.reproductions;
    outcome.profiles = collector.profiles;
  } else {
    outcome.steps = collector.finish(why_not);
  }
  for (std::size_t i = 0; i < task.jobs.size(); ++i) {
    task.jobs[i].records = collector.records_of(i);
    if (collector.complete(i))
      task.jobs[i].decided = false;  // by its records, for the judge after one that died
  }
  outcome.jobs = std::move(task.jobs);
  outcome.interrupted = interrupted();
  return outcome;
}

}  // namespace

Outcome judge(Context& context, Task task, Share share,
              const std::function<void(const model::StepResult&)>& ready) {
  const bool untouched = std::all_of(task.jobs.begin(), task.jobs.end(),
                                     [](const Job& job) { return job.untouched || job.decided; });
  // A worker that counts accesses, which takes longer to build than all else, has nothing to count.
  if (untouched) {
    Outcome outcome = judge_once(context, task, share, {});
    bool as_expected = true;
    for (std::size_t i = 0; i < task.jobs.size(); ++i) {
      const Verdict verdict = outcome.steps[i].verdict;
      as_expected = as_expected && (task.jobs[i].decided || verdict == Verdict::not_started ||
                                    verdict == Verdict::not_run || verdict == Verdict::build_error);
    }
    if (as_expected || outcome.interrupted || !outcome.problems.empty()) {
      if (ready)
        for (const model::StepResult& step : outcome.steps) ready(step);
      return outcome;
    }
  }
  for (Job& job : task.jobs) job.untouched = false;  // the line is there, and something ran all the same
  return judge_once(context, std::move(task), share, ready);
}

}  // namespace ladder
