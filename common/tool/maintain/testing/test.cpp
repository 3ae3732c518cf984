/// @file
/// The verb test: the tests of the repository.

#include "common/tool/maintain/testing/test.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>

#include "common/base/clock.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/random.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/catalogue/todos.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/job_queue.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/machine/software.hpp"
#include "common/tool/maintain/added_lines.hpp"
#include "common/tool/maintain/checks/handout_check.hpp"
#include "common/tool/maintain/checks/tree_checks.hpp"
#include "common/tool/maintain/testing/test_parts.hpp"
#include "common/tool/maintain/testing/test_store.hpp"
#include "common/tool/maintain/testing/test_summary.hpp"
#include "common/tool/maintain/testing/times.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// Leaves the steps that were asked for and are finished: what is said of the others is where TODO stands.
void choose_steps(Context& context, const std::vector<LessonEntry*>& lessons,
                  const std::set<const StepEntry*>& chosen, TestSummary& summary) {
  for (LessonEntry* lesson : lessons) {
    const auto left = unfinished(*lesson, todos_of(context.root, *lesson));
    std::vector<StepEntry> steps;
    for (const StepEntry& step : lesson->steps) {
      if (!chosen.contains(&step)) continue;
      if (!left.contains(step.name))
        steps.push_back(step);
      else
        summary.skip(step.path(), "not judged: TODO is in its files");
    }
    lesson->steps = std::move(steps);
  }
}

/// Versions of what builds and judges here: a verdict counts for these.
std::string tools_of(const std::filesystem::path& build) {
  std::string text = read_text(build / ".configured");
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(build / "CMakeFiles", none))
    if (const std::string name = entry.path().filename(); name == "CMakeCXXCompiler.cmake")
      text += read_text(entry.path());
  return sha256(text);
}

/// A part of a test and how it goes.
struct TestPart {
  std::string name, title;
  int passed = 0;
  std::size_t failed = 0, skipped = 0;
  int jobs = 0;  ///< that have not ended
  PartTime time{};
};

/// A run of the verb test: jobs in lanes, counted part by part. A part's line comes when its last job has
/// ended.
class TestRun {
 public:
  TestRun(Context& context, TestSummary& summary, std::vector<model::LessonResults>& results)
      : context_(context),
        tally_(summary),
        results_(results),
        store_(context.root, context.build.folder() / "verdicts.json", tools_of(context.build.folder())),
        tenth_(context.seed),
        queue_(context) {}

  bool wanted(const std::string& part) const {
    const auto& parts = context_.options.parts;
    return !interrupted() && (parts.empty() || named(part));
  }
  bool named(const std::string& part) const {
    const auto& parts = context_.options.parts;
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  }

  /// A part that is done at once, in this process.
  template <class Work>
  void now(const std::string& name, const std::string& title, Work&& work) {
    if (!wanted(name)) return;
    TestPart& part = begin(name, title);
    const double used = processor_seconds_used();
    const Stopwatch watch;
    TestSummary mine;
    mine.on_failure([&](const TestSummary::Entry& failure) { tell(failure); });
    work(mine);
    part.time.seconds = watch.seconds();
    part.time.processor = processor_seconds_used() - used;
    count(part, mine.counts());
    end(part);
  }

  /// A part that is jobs. @param jobs  makes them, and counts what needs none
  template <class Jobs>
  void add(const std::string& name, const std::string& title, Jobs&& jobs) {
    if (!wanted(name)) return;
    TestPart& part = begin(name, title);
    TestSummary mine;
    mine.on_failure([&](const TestSummary::Entry& failure) { tell(failure); });
    ++part.jobs;  // it has not ended while jobs are added
    for (TestJob& job : jobs(mine))
      if (!is_left_out(part, job)) enqueue(part, std::move(job));
    count(part, mine.counts());
    if (--part.jobs == 0) end(part);
  }

  void run() {
    tell_left_out();
    queue_.run();
    store_.save();
  }

  TestTimes times() const {
    TestTimes times{.jobs = jobs_};
    for (const TestPart& part : parts_) {
      times.parts.push_back(part.time);
      times.parts.back().checks = part.passed + static_cast<int>(part.failed + part.skipped);
    }
    times.building = queue_.building_seconds();
    take_steps(times, results_);
    return times;
  }

 private:
  TestPart& begin(const std::string& name, const std::string& title) {
    parts_.push_back({.name = name, .title = title, .time = {.name = name}});
    return parts_.back();
  }

  void tell(const TestSummary::Entry& failure) {
    context_.terminal.print(told(failure, static_cast<std::size_t>(context_.terminal.width())));
  }

  void count(TestPart& part, const model::TestCounts& summary) {
    part.passed += summary.passed;
    part.failed += summary.failures.size();
    part.skipped += summary.skips.size();
    tally_.add(summary);
  }

  void end(const TestPart& part) {
    context_.terminal.print(fmt::format("{:<42} {:>4} passed, {} failed, {} skipped", part.title, part.passed,
                                        part.failed, part.skipped));
  }

  void fail(TestPart& part, const std::string& name, const std::string& why) {
    TestSummary one;
    one.fail(name, why);
    tell(one.failures().back());
    count(part, one.counts());
  }

  /// With --changed: whether a job has passed with all that decides it as it is now, and is not drawn to run
  /// all the same.
  bool is_left_out(TestPart& part, const TestJob& job) {
    if (!context_.options.changed) return false;
    model::TestCounts left_out;
    std::string date;
    for (const std::string& step : pieces_of(job)) {
      const auto passed = store_.passed(job.part, job.name, step);
      if (!passed) return false;
      for (const json& skip : passed->value("skips", json::array()))
        left_out.skips.push_back({skip.value("name", ""), skip.value("reason", "")});
      date = passed->value("date", "");
    }
    if (tenth_.below(10) == 0) {
      ++drawn_;
      return false;
    }
    left_out_[part.title].push_back(job.name + " (" + date + ")");
    count(part, left_out);
    return true;
  }

  /// What of a job has a verdict of its own in the store.
  static std::vector<std::string> pieces_of(const TestJob& job) {
    return job.steps.empty() ? std::vector<std::string>{""} : job.steps;
  }

  void tell_left_out() const {
    if (!context_.options.changed) return;
    for (const auto& [title, jobs] : left_out_)
      context_.terminal.print(fmt::format(
          "left out of \"{}\", passed before and nothing that decides it has changed since:\n    {}", title,
          fmt::join(jobs, "\n    ")));
    context_.terminal.print(fmt::format(
        "{} jobs left out; {} more, drawn by seed {}, run all the same. Everything: ./ladder test",
        std::accumulate(left_out_.begin(), left_out_.end(), std::size_t{0},
                        [](std::size_t sum, const auto& one) { return sum + one.second.size(); }),
        drawn_, context_.seed));
  }

  /// Keeps that a job has passed, of each step what was skipped of it.
  void keep(const TestJob& job, const model::TestCounts& summary) {
    if (!summary.failures.empty()) return;
    for (const std::string& step : pieces_of(job)) {
      json skips = json::array();
      for (const model::SkippedCheck& skip : summary.skips)
        if (step.empty() || skip.name.find(step) != std::string::npos)
          skips.push_back({{"name", skip.name}, {"reason", skip.reason}});
      store_.keep(job.part, job.name, step, skips);
    }
  }

  void enqueue(TestPart& part, TestJob job) {
    ++part.jobs;
    const auto again = std::make_shared<json>(json::array());
    const auto complete = std::make_shared<bool>(false);
    const auto more = job.more;
    const std::string name = job.name;
    const TestJob facts{.part = job.part, .name = job.name, .steps = job.steps};
    QueuedJob queued{.name = job.name,
                     .targets = std::move(job.targets),
                     .cost = expected_cost(context_.root, job.name).value_or(job.cost),
                     .memory_gib = job.memory_gib,
                     .alone = job.alone,
                     .holds_build = job.holds_build,
                     .owns = job.owns,
                     .shares = job.shares,
                     .work = {}};
    queued.work = [work = std::move(job.work)](const Emit& emit) { report_of(work, emit); };
    queued.message = [this, &part, again, complete, name, facts](const json& message) {
      if (message.contains("failure")) tell({message["failure"]["name"], message["failure"]["text"]});
      if (message.contains("problem")) fail(part, name, message["problem"]);
      if (!message.contains("summary")) return;
      *complete = true;
      const model::TestCounts summary = model::test_counts_from_json(message["summary"]);
      count(part, summary);
      for (const json& one : message["results"]) results_.push_back(model::lesson_from_json(one));
      *again = message["again"];
      if (again->empty()) keep(facts, summary);
    };
    queued.ended = [this, &part, again, complete, more, name](const JobEnd& end_of) {
      part.time.seconds += end_of.seconds;
      part.time.processor += end_of.processor;
      jobs_.push_back(
          {.part = part.name, .name = name, .seconds = end_of.seconds, .processor = end_of.processor});
      if (!*complete && !end_of.interrupted)
        fail(part, name, end_of.problem.empty() ? "it ended without a word" : end_of.problem);
      if (more && !again->empty() && !end_of.interrupted)
        for (TestJob& next : more(*again)) enqueue(part, std::move(next));
      if (--part.jobs == 0 && !end_of.interrupted) end(part);
    };
    queue_.add(std::move(queued));
  }

  /// In the job's process: does its work, and says failures at once.
  static void report_of(const std::function<void(JobReport&)>& work, const Emit& emit) {
    JobReport report;
    report.summary.on_failure([&](const TestSummary::Entry& failure) {
      emit({{"failure", {{"name", failure.name}, {"text", failure.text}}}});
    });
    work(report);
    json results = json::array();
    for (const model::LessonResults& lesson : report.results) results.push_back(to_json(lesson));
    emit({{"summary", to_json(report.summary.counts())}, {"results", results}, {"again", report.again}});
  }

  Context& context_;
  TestSummary& tally_;
  std::vector<model::LessonResults>& results_;
  std::deque<TestPart> parts_;  // whose addresses stay
  std::vector<JobTime> jobs_;
  TestStore store_;
  Random tenth_;
  std::map<std::string, std::vector<std::string>> left_out_;
  int drawn_ = 0;
  JobQueue queue_;
};

/// What needs no judge.
void look_at_trees(Context& context, const Lessons& lessons, TestSummary& summary, TestRun& run) {
  const auto resolved = context.catalogue.resolve(context.options.names);
  const std::set<const StepEntry*> chosen(resolved.begin(), resolved.end());
  run.now("tree", "trees", [&](TestSummary& mine) { check_trees(context, lessons, chosen, mine); });
  const auto with_table = [&](const char* part, const char* title, const auto& check) {
    std::string table;
    run.now(part, title, [&](TestSummary& mine) { table = check(context, lessons, chosen, mine); });
    if (run.named(part)) context.terminal.print(table);
  };
  with_table("lines", "a rung adds what one idea needs",
             [](const Context& all, const Lessons& those, const auto& steps, TestSummary& mine) {
               check_contract_lines(all, those, mine);
               return check_added_lines(all, those, steps, mine);
             });
  with_table("copies", "a course's skeletons show no reference", check_copies);
  choose_steps(context, lessons, chosen, summary);
}

/// The jobs, in the order in which their targets are built.
void add_jobs(Context& context, const Lessons& lessons, TestRun& run) {
  const bool all = context.options.names.empty();  // with lessons named, only what belongs to them
  run.add("format", "sources have one layout",
          [&](TestSummary& summary) { return format_jobs(context, lessons, summary); });
  if (all) run.add("units", "harness and tool", [&](TestSummary&) { return unit_jobs(context); });
  run.add("skeletons", "skeletons are NOT STARTED",
          [&](TestSummary&) { return skeleton_jobs(context, lessons); });
  run.add("solutions", "solutions PASS", [&](TestSummary&) { return solution_jobs(context, lessons); });
  if (geteuid() == 0)
    run.add("nobody", "as nobody: harness, tool, lesson 00",
            [&](TestSummary& summary) { return nobody_jobs(context, lessons, summary); });
  run.add("attempts", "attempts get their verdicts",
          [&](TestSummary& summary) { return attempt_jobs(context, lessons, summary); });
  run.add("attacks", "attacks on grading",
          [&](TestSummary&) { return attack_jobs(context, lessons, run.named("attacks")); });
  run.add("mutants", "mutants get their verdicts",
          [&](TestSummary& summary) { return mutant_jobs(context, lessons, summary); });
  run.add("findings", "nothing is found in solutions",
          [&](TestSummary&) { return finding_jobs(context, lessons); });
  if (all) run.add("docs", "documentation", [&](TestSummary&) { return docs_jobs(context); });
  if (all)
    run.add("example", "the page about new rungs, followed",
            [&](TestSummary&) { return example_jobs(context); });
  run.add("nvcc", "CUDA sources compile with nvcc",
          [&](TestSummary& summary) { return nvcc_jobs(context, lessons, summary); });
  if (context.options.parts.empty()) return;  // these two take long: only where they are named
  run.add("endings", "tool and judge are ended", [&](TestSummary&) { return ending_jobs(context); });
  run.add("sanitized", "harness and tool under sanitizers",
          [&](TestSummary&) { return sanitized_jobs(context); });
}

/// Instead of the tests: writes the approved outputs, and says which ones differ from those before.
int renew(Context& context) {
  const Options& o = context.options;
  if (o.changed || !o.parts.empty())
    throw UsageError{"--renew runs the tests that have approved outputs: omit --changed and --part"};
  context.build.refresh();
  const auto sources = approving_sources(context.root, o.names);
  const auto before = approved_files(context.root);
  TestSummary summary;
  std::vector<model::LessonResults> results;
  TestRun run(context, summary, results);
  context.terminal.begin_work();
  run.add("units", "approved outputs", [&](TestSummary&) { return renewing_jobs(context, sources); });
  if (const TestJobs pictures = o.names.empty() ? pictures_jobs(context) : TestJobs{}; !pictures.empty())
    run.add("docs", "pictures of the site", [pictures](TestSummary&) { return pictures; });
  run.run();
  context.terminal.end_work();
  if (interrupted()) summary.fail("test", "interrupted");
  if (o.names.empty())
    for (const std::string& file : left_over_approved_files(context.root))
      std::filesystem::remove(context.root / file);
  context.terminal.print("\n" + renewed_text(before, approved_files(context.root)));
  context.terminal.print("\n" + summary.text(static_cast<std::size_t>(context.terminal.width())));
  return summary.failures().empty() ? 0 : 1;
}

/// The results of a lesson in one entry, in the order of lessons.
std::vector<model::LessonResults> by_lesson(const std::vector<model::LessonResults>& results) {
  std::map<std::string, model::LessonResults> lessons;
  for (const model::LessonResults& result : results) {
    model::LessonResults& entry = lessons[result.name];
    entry.name = result.name, entry.title = result.title;
    entry.steps.insert(entry.steps.end(), result.steps.begin(), result.steps.end());
    entry.problems.insert(entry.problems.end(), result.problems.begin(), result.problems.end());
  }
  std::vector<model::LessonResults> all;
  for (auto& [name, entry] : lessons) all.push_back(std::move(entry));
  return all;
}

}  // namespace

int test(Context& context) {
  if (context.options.renew) return renew(context);
  for (const std::string& part : context.options.parts)
    if (std::find(test_parts().begin(), test_parts().end(), part) == test_parts().end())
      throw UsageError{unknown("part of test", part, test_parts())};
  const auto lessons = context.catalogue.resolve_lessons(context.options.names);
  context.placer();  // an unknown device is said before anything is built
  context.build.refresh();
  context.check_tables(lessons);

  TestSummary summary;
  std::vector<model::LessonResults> results;
  TestRun run(context, summary, results);
  const std::int64_t began = now_in_ninja_log();
  const Stopwatch watch;
  context.terminal.begin_work();
  look_at_trees(context, lessons, summary, run);
  add_jobs(context, lessons, run);
  run.run();
  context.terminal.end_work();
  if (interrupted()) summary.fail("test", "interrupted");

  TestTimes times = run.times();
  times.seconds = watch.seconds();
  times.processor = processor_seconds_used();
  times.compilers = compiler_seconds(context.build.log(), began);
  model::Document document{.verb = "test", .date = report::now(), .seed = context.seed};
  document.commit = commit_of(context.root);
  if (!context.options.json.empty()) document.machine = machine_facts(false);
  document.lessons = by_lesson(results);
  document.tests = summary.counts(), document.times = times;
  context.write_json(document);
  if (context.options.times) context.terminal.print("\n" + times_text(times));
  context.terminal.print("\n" + summary.text(static_cast<std::size_t>(context.terminal.width())));
  return summary.failures().empty() && (!context.options.strict || summary.skips().empty()) ? 0 : 1;
}

}  // namespace ladder
