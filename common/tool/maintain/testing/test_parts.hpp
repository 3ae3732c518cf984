#pragma once
/// @file
/// The parts of the verb test as jobs, each of which runs in a process of its own.

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/model/document.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/maintain/checks/approved_outputs.hpp"
#include "common/tool/maintain/testing/test_summary.hpp"

namespace ladder {

/// What a job of the verb test has found out.
struct JobReport {
  TestSummary summary{};
  std::vector<model::LessonResults> results{};
  nlohmann::json again = nlohmann::json::array();  ///< what TestJob::more gets
};

/// A job of the verb test.
struct TestJob {
  std::string part;  ///< "mutants"
  std::string name;  ///< "mutants of 03-dgemm, 2 of 3"
  std::vector<std::string> targets{};
  double cost = 10;  ///< expected processor seconds, where no run has been measured
  double memory_gib = 1;
  bool alone = false;                      ///< it needs a quiet machine
  bool holds_build = false;                ///< nothing may be built meanwhile
  std::set<std::string> owns{}, shares{};  ///< as in QueuedJob
  std::vector<std::string>
      steps{};  ///< the steps whose files decide it, "03-dgemm/g2_shared_tiles"; empty: more than these
  std::function<void(JobReport&)> work = nullptr;
  /// Jobs that follow from what it found: steps that need another look.
  std::function<std::vector<TestJob>(const nlohmann::json& again)> more = nullptr;
};

/// What a program or script may take before it is ended.
inline constexpr double program_seconds = 1200;
/// The exit status by which a script says that it did not run; its last line says why.
inline constexpr int skip_status = 77;

using TestJobs = std::vector<TestJob>;
using Lessons = std::vector<LessonEntry*>;

/// Sources are laid out as .clang-format says, in lines that are not too long; of lessons that were named,
/// only theirs.
TestJobs format_jobs(Context& context, const Lessons& lessons, TestSummary& summary);

/// A script of tests/, called with the checkout; its lines "# queue: …" say what it needs.
TestJob script_job(Context& context, const std::string& part, const std::filesystem::path& script);

/// Every script tests/*/*/*_test.sh.
TestJobs script_jobs(Context& context);

/// Every Catch2 program of B/tests/ and every script: harness and tool.
TestJobs unit_jobs(Context& context);

/// The test cases of these sources, which write their approved outputs.
TestJobs renewing_jobs(Context& context, const std::vector<ApprovingSource>& sources);

/// Tool and judge are ended at 400 moments, where unit_jobs do so at 50.
TestJobs ending_jobs(Context& context);

/// The same programs, built with the compiler's sanitizers of addresses and of undefined behaviour; without
/// the test cases that plant a fault, which are counted as skipped.
TestJobs sanitized_jobs(Context& context);

/// Every skeleton of a required or stretch step compiles and is NOT STARTED.
TestJobs skeleton_jobs(Context& context, const Lessons& lessons);

/// Every solution PASSes; CUDA ones on the executor too where there is a GPU. So does one of each lesson at
/// each size that is timed.
TestJobs solution_jobs(Context& context, const Lessons& lessons);

/// Nothing is found in solutions: by the executor and the compilers' sanitizers, by compute-sanitizer where a
/// GPU is.
TestJobs finding_jobs(Context& context, const Lessons& lessons);

/// Every mutant gets its verdict and its words.
TestJobs mutant_jobs(Context& context, const Lessons& lessons, TestSummary& summary);

/// Every attempt gets its verdict and its words, in the way of `check`: built, looked at by clang, judged on
/// the executor.
TestJobs attempt_jobs(Context& context, const Lessons& lessons, TestSummary& summary);

/// Hostile submissions get verdicts against them, honest and unusual ones none; nothing of them is left on
/// this machine.
/// @param in_all_modes  all of them in both modes of the sandbox; else a few in each
TestJobs attack_jobs(Context& context, const Lessons& lessons, bool in_all_modes);

/// For root, who may do more than students: the programs and the lesson where the user matters, again, as
/// nobody.
TestJobs nobody_jobs(Context& context, const Lessons& lessons, TestSummary& summary);

/// The solutions of a lesson PASS without root's rights.
TestJob solutions_as_nobody(Context& context, LessonEntry& lesson);

/// Every .cu compiles with nvcc; of lessons that were named, only theirs.
TestJobs nvcc_jobs(Context& context, const Lessons& lessons, TestSummary& summary);

/// docs/adding-a-lesson.md, followed in a copy of the checkout: what it says happens.
TestJobs example_jobs(Context& context);

/// The documentation builds without a warning, and its session is as its page shows it.
TestJobs docs_jobs(Context& context);

/// The pictures of the site and of a report in docs are taken again, where a browser is.
TestJobs pictures_jobs(Context& context);

}  // namespace ladder
