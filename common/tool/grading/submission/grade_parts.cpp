/// @file
/// The parts of a grade that open later, private tests and time; what bounds a submission, and what it
/// leaves.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <thread>

#include "common/base/usage_error.hpp"
#include "common/model/result_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/judging/private_tests.hpp"
#include "common/tool/judging/records.hpp"

namespace ladder {
namespace fs = std::filesystem;

Part private_part(const GradeOptions& options) {
  return {.name = grade::private_part,
          .key = private_key_name(options.private_tests),
          .kinds = {TestKind::correctness, TestKind::targets}};
}

void prepare_private(Batch& batch) {
  const GradeOptions& options = batch.options;
  if (options.private_tests.empty()) return;
  if (batch.sandbox.mode.empty())
    throw UsageError{
        "--private needs a sandbox (bwrap or uid): a submission that is not confined could read the private "
        "tests"};
  std::vector<std::string> lessons;
  for (const GradedStep& step : batch.steps)
    if (lessons.empty() || lessons.back() != step.step->lesson) lessons.push_back(step.step->lesson);
  const PrivateTests tests(options.private_tests, lessons);
  tests.refuse_in(batch.context.root);
  for (const std::string& lesson : lessons) {
    if (!tests.has(lesson)) continue;
    const auto judge = tests.build_judge(batch.context.build, lesson, batch.work / "private");
    const std::string hash = tests.hash(lesson);
    for (GradedStep& step : batch.steps)
      if (step.step->lesson == lesson && step.place.skip.empty())
        step.private_judge = judge, step.private_hash = hash;
  }
  batch.of_reference = private_part(options);
}

void expect_right(const Batch& batch, const GradedStep& step, const std::string& where,
                  const std::string& verdict, const std::string& message) {
  if (verdict == "PASS") return;
  if (verdict != "INCONCLUSIVE")
    throw UsageError{fmt::format("the reference of {} gets {} {}: {}; nothing was graded", step.step->label(),
                                 verdict, where, message)};
  batch.context.terminal.print(fmt::format(
      "{}: the reference itself is {} {}: {}. A submission that is not clear either gets the points "
      "of the favourable end; a machine that does nothing else can tell.",
      step.step->label(), verdict, where, message));
}

void find_open_points(Batch& batch, const model::GradeRecord& reference) {
  for (const model::GradeEntry& entry : reference.steps) {
    if (!grade::is_private(entry)) continue;
    for (GradedStep& step : batch.steps) {
      if (step.step->path() != grade::step_id(entry)) continue;
      step.private_points = entry.max_points.value_or(0);
      if (step.private_points > 0)
        expect_right(batch, step, "in the private tests", std::string(name(entry.staff.verdict)),
                     entry.staff.evidence);
    }
  }
  const std::string opens = batch.options.opens.empty() ? "after the deadline" : batch.options.opens;
  for (GradedStep& step : batch.steps) {
    if (step.private_points <= 0) step.private_judge.clear();  // no row of the private table
    step.open.clear();
    if (step.private_points > 0) step.open.push_back({grade::private_part, step.private_points, opens});
    if (step.time_points > 0)
      step.open.push_back({"time", step.time_points, "when the grading machine has measured it"});
  }
}

model::GradeRecord empty_record(const Batch& batch, const Submission& submission, const grade::Taken& taken) {
  return grade::new_record({.pseudonym = submission.pseudonym,
                            .name = submission.name,
                            .received = submission.received.value_or(""),
                            .attempt = batch.options.attempt},
                           taken, batch.grader);
}

bool GradedStep::has(const Part& part) const {
  if (part.is_private()) return !private_judge.empty();
  // The executor's times say nothing about a GPU.
  if (part.is_time()) return time_points > 0 && place.skip.empty() && place.backend != "executor";
  return true;
}

void write_failure(const Batch& batch, const Submission& submission, const std::string& why) {
  if (batch.is_final) return;  // what the record has stays, and what is open stays open
  model::GradeRecord record = empty_record(batch, submission, {});
  for (const GradedStep& step : batch.steps) {
    const Job job{.step = step.step, .tree = "submissions", .place = step.place};
    grade::add_step(record, {.result = {report::decided(facts(job), Verdict::not_run, why)},
                             .phase = "instant",
                             .part = {},
                             .max_points = step.max_points,
                             .open = step.open});
  }
  grade::write_record(batch.record_of(submission), record);
}

std::size_t lanes_of(const GradeOptions& options) {
  return options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                          : std::max(1u, std::thread::hardware_concurrency() / 2);
}

CgroupBounds bounds_of_group(const Batch& batch) {
  constexpr double most = 4 * worker_memory + 1e9;
  constexpr std::size_t processes = 1200, processes_of_core = 32;  // more than the limit of one user's
  const double machine =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const double share = machine / 2 / static_cast<double>(lanes_of(batch.options));
  return {static_cast<std::size_t>(std::min(most, share)),
          processes + processes_of_core * std::max(2u, std::thread::hardware_concurrency())};
}

std::string limits_text(const Sandbox& sandbox) {
  if (sandbox.mode.empty()) return "none (trusted)";
  return sandbox.cgroups.empty() ? "rlimit + watchdog; no cgroup: " + sandbox.no_cgroups : "cgroup";
}

void sweep_after(const Batch& batch, const Submission& submission) {
  if (submission.uid != 0) sweep(submission.uid);
  remove_dead_cgroups(batch.sandbox.cgroups);
  std::error_code ignored;
  fs::remove_all(batch.work / submission.pseudonym, ignored);
}

}  // namespace ladder
