#pragma once
/// @file
/// The way of steps to their verdicts: build, plan, judge, results.

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/base/text/step_name.hpp"
#include "common/model/document.hpp"
#include "common/model/plan.hpp"
#include "common/model/result.hpp"
#include "common/tool/core/context.hpp"

namespace ladder {

/// One step to judge.
struct Job {
  const StepEntry* step = nullptr;
  std::string tree = "lessons";
  std::string mutant{};
  /// Of a submission: the folder with NN-name/STEP.cu; empty: the checkout's.
  std::filesystem::path submitted{};
  std::filesystem::path made{};  ///< of a submission: where its workers were built, confined
  Placement place{};
  std::string source_sha256{};  ///< of a student's file, before it is built: a later save gets no verdict
  bool untouched = false;       ///< a skeleton that nobody has begun, as it seems: it ends at ladder::task()
  bool targets_only = false;    ///< nothing but its targets is in question: no sanitizer need look at it
  /// Of a mutant: what its report must say (PlannedStep::words).
  std::optional<std::vector<std::string>> words{};
  bool decided = false;  ///< the result is known before the judge starts
  model::StepResult result{};
  std::vector<model::Record> records{};  ///< of kinds that another judge has judged before

  std::string worker_stem() const;  ///< "workers/mutants/03-dgemm/g2_shared_tiles~no-guard"
  std::string worker() const { return worker_stem() + "." + worker_ending(step->name, place.backend); }
  std::string observed_worker() const { return worker_stem() + "." + worker_ending(step->name, "observed"); }
  /// Workers under sanitizers, of a step on the processor, by what they look for.
  std::map<std::string, std::string> sanitized_workers() const;
  std::filesystem::path source(const Build& build) const;
};

/// What to do with the steps of one lesson.
struct Task {
  LessonEntry* lesson = nullptr;
  std::vector<Job> jobs{};
  std::vector<TestKind> kinds{TestKind::correctness, TestKind::targets, TestKind::findings};
  std::vector<TestKind> earlier_kinds{};  ///< judged before: the jobs have their records
  std::vector<TestKind> later_kinds{};    ///< left to another judge, later
  Plan plan{};                            ///< what its verb asks of the plan besides
  std::optional<std::uint64_t> seed{};    ///< nothing: the call's
  bool as_nobody = false;                 ///< without root's rights
  std::filesystem::path log{};            ///< of its judge; empty: in the build folder
  std::vector<std::string> judge{};       ///< its command; empty: the lesson's own
  bool alone = false;  ///< nothing else runs meanwhile: what took too long has had its chance
  bool built = false;  ///< its workers are there or not, as its jobs say: nothing of them is built here

  /// Whether tables are wanted instead of verdicts: then a step without a record is one that no table needed.
  bool reproduces() const { return kinds == std::vector{TestKind::reproduce}; }
  /// All that a result is made of: kinds judged before, and those of this judge.
  std::vector<TestKind> all_kinds() const;
};

/// What came out.
struct Outcome {
  std::vector<model::StepResult> steps{};  ///< in the order of the jobs
  std::vector<std::string> problems{};     ///< of ours: judge not built, died, contradicts itself
  std::vector<model::Reproduction> reproductions{};
  std::vector<nlohmann::json> profiles{};  ///< records of kind profile and hardware
  std::vector<Job> jobs{};                 ///< the task's, with what was decided and recorded
  bool interrupted = false;
  double seconds = 0;  ///< of its judges, without what was built for them
};

/// Share of the whole work that a task is, for progress over several lessons.
struct Share {
  double begin = 0, size = 1;
  bool alone = true;    ///< nothing else is going on: building and judging each have a progress of their own
  double building = 0;  ///< the part of it that building is expected to take, when it is not alone

  double of_building(double done) const { return alone ? done : begin + size * building * done; }
  double of_judging(double done) const {
    return begin + size * (alone ? done : building + (1 - building) * done);
  }
};

/// A job for each step in a tree, with its device chosen.
std::vector<Job> jobs_for(Context& context, const std::vector<StepEntry*>& steps, const std::string& tree);

/// What is built for a task: the workers of its jobs, what its plan has use for next to them, and the
/// lesson's judge.
std::vector<std::string> targets_of(Context& context, const Task& task);

/// Builds and judges; returns with whatever there is after Ctrl-C.
/// @param ready  called with each step's result, once, as soon as it is complete
Outcome judge(Context& context, Task task, Share share = {},
              const std::function<void(const model::StepResult&)>& ready = {});

/// What check, run and reproduce have in common: names to a document.
struct Request {
  std::vector<TestKind> kinds{};
  Plan plan{};        ///< what the verb asks of each plan besides
  double budget = 0;  ///< seconds for timing all steps; 0: the judge's for each
  std::optional<model::Machine> machine{};
  std::map<std::string, std::vector<std::string>>
      judges{};            ///< of lessons that others judge than their own: the commands
  bool in_phases = false;  ///< first what needs no clock, of all lessons, and then the times
  std::function<void(const StepEntry&, const model::StepResult&)>
      step_ready{};  ///< a step's result; in phases again with its time
  std::function<void(const model::LessonResults&)>
      lesson_judged{};                  ///< in phases: a lesson of the document without times
  std::function<void()> times_begin{};  ///< in phases: the second one
  std::function<void(const model::LessonResults&)> lesson_ready{};
  std::function<void(const nlohmann::json&)> profile_ready{};  ///< a record of kind profile or hardware
};

/// Those of the steps that no row of a table names in that field.
std::vector<std::string> steps_without_row(const std::vector<std::string>& steps, const nlohmann::json& rows,
                                           const char* field);
/// "not measured: 2 solutions: …"
std::string not_measured(const std::vector<std::string>& steps);

/// What a plan gets of --budget: seconds for a cell of a table, and as much for a call. @param usual without
/// it; 0: the judge's
Plan budget_of(const Options& options, double usual = 0);

/// The record of that kind (profile, hardware) of a step among what profile_ready got; null when there is
/// none.
nlohmann::json record_of(const std::vector<nlohmann::json>& records, TestKind kind, const std::string& lesson,
                         const std::string& step);

/// Judges what the options name, lesson by lesson. The document has what there was when Ctrl-C came.
/// @throws UsageError for names, devices and trees that are not there
model::Document judge_names(Context& context, const Request& request);

}  // namespace ladder
