/// @file
/// One submission of a batch: taken in, built and judged confined, its record written.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/files/file_lock.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/intake/intake.hpp"
#include "common/grade/intake/source_encoding.hpp"
#include "common/grade/key.hpp"
#include "common/grade/record.hpp"
#include "common/grade/retry_policy.hpp"
#include "common/grade/sha256.hpp"
#include "common/model/grade_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/build/built_steps.hpp"
#include "common/tool/build/lint.hpp"
#include "common/tool/grading/grade_uids.hpp"
#include "common/tool/grading/grading.hpp"
#include "common/tool/grading/submission/step_evidence.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/judging/records.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using model::GradedResult;
using nlohmann::json;

constexpr double wait_for_compilers =
    2.5;  // times their limit: a clock runs on while others have the processors
constexpr std::size_t compiler_memory = std::size_t{3} << 30;

class OneGrade {
 public:
  OneGrade(const Batch& batch, const Submission& submission)
      : batch_(batch),
        context_(batch.context),
        submission_(submission),
        work_(batch.work / submission.pseudonym),
        sources_(work_ / "sources"),
        outputs_(work_ / "built"),
        sandbox_(batch.sandbox) {
    sandbox_.uid = sandbox_.gid = submission.uid;
    if (sandbox_.cgroups.empty()) return;
    group_.emplace(sandbox_.cgroups, fmt::format("ladder-{}-{}", ::getpid(), submission.pseudonym),
                   bounds_of_group(batch));
    sandbox_.cgroups = group_->folders();
  }

  void grade() {
    fs::create_directories(sources_);
    fs::create_directories(outputs_);
    fs::permissions(work_, fs::perms::owner_all);
    // Others may pass through it to what is theirs.
    fs::permissions(context_.scratch(),
                    fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
    taken_ = taken_in(batch_, submission_, sources_);
    const bool reference = submission_.pseudonym == reference_name;
    if (!batch_.is_final) keep_sources();
    if (!batch_.is_final && !reference) amendments_ = put_amendments(batch_, submission_, sources_);
    hand_over(work_, submission_.uid);
    model::GradeRecord record = batch_.is_final && !reference
                                    ? grade::read_record(batch_.record_of(submission_))
                                    : empty_record(batch_, submission_, taken_);
    if (batch_.is_final) before_ = record;
    std::vector<Part> parts = batch_.parts;
    if (reference && batch_.of_reference) parts.push_back(*batch_.of_reference);
    std::string not_judged;
    for (const Part& part : parts)
      for (const GradedStep& step : batch_.steps)
        if (step.has(part) && (part.is_time() || submission_.again.empty()))
          add(step, part, record, not_judged);
    // Of a second measurement only the times are wanted.
    grade::write_record(submission_.again.empty() ? batch_.record_of(submission_) : submission_.again,
                        record);
    // In a batch that is judged again the other parts are good: what is missing is said by who compares
    // (regrade).
    if (!not_judged.empty() && (batch_.is_final || reference)) throw Error(not_judged);
    if (!not_judged.empty()) fmt::print("{}\n", not_judged);
    if (batch_.is_final && !reference && submission_.again.empty())
      write_text(measured_file(batch_, submission_), "");
  }

 private:
  /// Judges a part of a step, and adds it to the record. What could not be judged in the final phase stays
  /// open.
  void add(const GradedStep& step, const Part& part, model::GradeRecord& record, std::string& not_judged) {
    stop_when_interrupted();
    part_ = &part;
    GradedResult result = result_of(step);
    const Verdict verdict = result.verdict;
    if (!part.is_instant() && (verdict == Verdict::not_run || verdict == Verdict::skipped)) {
      if (verdict == Verdict::not_run)
        not_judged = fmt::format("{} of {}: {}", part.name, step.step->label(), result.message);
      return;
    }
    if (part.is_time()) {
      result.measured_on = batch_.measured_on;
      look_at_devices(step, result);
    }
    if (submission_.pseudonym != reference_name)  // the same sources, the same record
      result.judge_seconds = result.build_seconds = std::nullopt;
    if (part.is_instant() && amendments_.contains(step.step->path()))
      result.amendment = amendments_.at(step.step->path());
    const double points = part.is_instant() ? step.max_points
                          : part.is_time()  ? step.time_points
                                            : step.private_points;
    grade::add_step(record, {.result = result,
                             .phase = part.is_instant() ? "instant" : "final",
                             .part = part.name,
                             .max_points = points,
                             .open = part.is_instant() ? step.open : std::vector<grade::Open>{}});
  }

  /// Final phase: what the first one has judged of a step.
  std::optional<model::GradeEntry> entry_before(const StepEntry& step) const {
    return before_ ? entry_of(*before_, step.path()) : std::nullopt;
  }

  /// A GPU that times a step has run it, too.
  void look_at_devices(const GradedStep& step, GradedResult& result) const {
    const auto first = entry_before(*step.step);
    if (!first) return;
    model::Judgement judged{.device = first->device};
    judged.verdict = first->staff.verdict;
    judged.message = first->staff.evidence;
    const std::string both = grade::where_devices_differ(judged, result);
    if (both.empty()) return;
    result.verdict = Verdict::review;
    result.message = both;
  }

  /// What was taken stays with the grades: to be looked at, opened and judged again.
  void keep_sources() const {
    const fs::path kept = batch_.out / "sources" / submission_.pseudonym;
    fs::remove_all(kept), fs::create_directories(kept);
    fs::copy(sources_, kept, fs::copy_options::recursive);
  }

  Job job_of(const GradedStep& step) const {
    return {.step = step.step,
            .tree = "submissions",
            .submitted = named_.contains(&step) ? named_.at(&step) : sources_,
            .made = outputs_,
            .place = step.place};
  }

  /// The result of a step: decided by its source alone, known from an equal one, or judged now.
  GradedResult result_of(const GradedStep& step) {
    const Job job = job_of(step);
    const fs::path source = job.source(context_.build);
    if (!fs::exists(source))
      return {report::decided(facts(job), Verdict::not_started, why_missing(*step.step))};
    if (!step.place.skip.empty()) return {report::decided(facts(job), Verdict::skipped, step.place.skip)};
    const std::string hash = hash_of_step(step.step->path(), step.place.backend, source);
    // Of the source, not of the submission: equal ones get equal inputs, whichever of them comes first.
    const int attempt = batch_.is_final ? submission_.attempt : batch_.options.attempt;
    inputs_key_ = grade::hex(grade::plan_key(batch_.key, hash, attempt, part_->key));
    const grade::Key seed = grade::plan_key(batch_.key, hash, attempt, "seed");
    inputs_seed_ = part_->key == "visible" ? seed[0] + 256u * seed[1] : 0;
    if (part_->is_time()) return shown_as_students_know_it(judged(step));  // measured, of each
    const std::string part_hash = part_->is_private() ? "-" + step.private_hash.substr(0, 16) : "";
    const std::string attempt_hash =
        attempt > 1 ? fmt::format("-attempt{}", attempt) : "";  // it has other inputs
    const fs::path known = batch_.out / "judged" / (hash + attempt_hash + part_hash + ".json");
    const FileLock held(known);
    if (const auto result = known_result(known); result && counts_as_known(*result, submission_.pseudonym))
      return *result;
    const GradedResult result = shown_as_students_know_it(judged(step));
    // Problems of the machine are nobody else's.
    if (result.verdict != Verdict::not_run && result.problems.empty())
      write_text(known, report::dump(to_json(result)) + "\n");
    return result;
  }

  /// Why a step's file is not there: it was refused, or all that came with it, or nobody sent it. Names no
  /// submission: the student's page shows it.
  std::string why_missing(const StepEntry& step) const {
    const std::string& file = step.file;
    // Of what the first phase has kept: only that one knows why a file is not among it.
    const auto first = entry_before(step);
    if (first && first->staff.verdict == Verdict::not_started) return first->staff.evidence;
    return grade::why_missing(file, submission_.path.filename().string(), taken_);
  }

  GradedResult judged(const GradedStep& step) {
    if (!built_.contains(&step)) {
      for (const Recipe& recipe : step.recipes)
        for (const std::string& folder : recipe.folders) fs::create_directories(outputs_ / folder);
      hand_over(outputs_, submission_.uid);
      const Stopwatch clock;
      built_[&step] = build(step, step.recipes.front());
      build_seconds_ = clock.seconds();
    }
    const auto& failure = built_[&step];
    if (!failure && !part_->is_time() && watched_.insert(&step).second) build_watched(step);
    stop_when_interrupted();
    const Job job = job_of(step);
    if (failure) {
      model::StepResult result = report::decided(facts(job), Verdict::build_error, failure->line());
      if (!failure->hint.empty()) result.details.emplace_back("Think", failure->hint);
      result.build_output = failure->output.substr(0, 20000);
      return {result};
    }
    private_judge_ = part_->is_private() ? step.private_judge : std::vector<std::string>{};
    GradedResult result = grade::judge_with_retries(
        [&](bool hung) { return run(job, hung ? step.call_seconds / 4 : step.call_seconds, part_->kinds); },
        repeat_of(step, job));
    if (part_->is_instant()) look_at_evidence(step, result);
    if (submission_.pseudonym == reference_name) result.build_seconds = build_seconds_;
    return result;
  }

  /// @return why it does not build
  std::optional<BuildFailure> build(const GradedStep& step, const Recipe& recipe) {
    if (const auto named = take_built(recipe, context_.build, sources_, outputs_)) {
      named_[&step] = *named;
      hand_over(outputs_, submission_.uid);
      return std::nullopt;
    }
    auto failure = build_submitted(recipe, context_.build, sources_, outputs_,
                                   [&](const std::string& script, std::vector<std::string> reads) {
                                     reads.push_back(sources_);
                                     return run_confined(script, std::move(reads), step.compile_seconds);
                                   });
    if (failure) fs::remove(outputs_ / recipe.target);  // a linker that was ended leaves half of one
    return failure;
  }

  /// The programs by which a step is watched; of what is only timed there are none.
  void build_watched(const GradedStep& step) {
    unwatched_.clear();
    for (std::size_t i = 1; i < step.recipes.size(); ++i)
      if (const auto failure = build(step, step.recipes[i]))
        unwatched_ = fmt::format("it builds, but not as {}, by which it is watched: {}",
                                 step.recipes[i].target, failure->line());
  }

  /// Names, code and text of the step: some are for a person to look at.
  void look_at_evidence(const GradedStep& step, GradedResult& result) const {
    if (result.verdict == Verdict::not_started) return;
    const Job job = job_of(step);
    const Look look = [&](const std::string& script, std::vector<std::string> reads) {
      reads.push_back(job.submitted);
      return run_confined(script, std::move(reads), step.compile_seconds, Captured::output);
    };
    const auto found =
        suspicions_of({step, job.source(context_.build), job.submitted, outputs_}, batch_.surroundings, look);
    for (const auto& suspicion : found) result.uses.push_back(suspicion.symbol);
    // What the reference uses, others may: nvcc's own atexit.
    const bool reference = submission_.pseudonym == reference_name;
    if (unwatched_.empty() && (reference || found.empty())) return;
    show_suspicions(found, unwatched_, result);
  }

  enum class Captured { all, output };  ///< what a person reads of a compiler; what is looked at

  /// @param seconds  of a processor, for each program
  ProcessResult run_confined(const std::string& script, std::vector<std::string> reads, double seconds,
                             Captured captured = Captured::all) const {
    std::vector<std::string> command = {"/bin/sh", "-c", script};
    if (!sandbox_.mode.empty()) {
      const fs::path& harness = context_.build.harness_root();
      reads.insert(reads.end(), {(harness / "common").string(), (harness / "lessons").string()});
      const SandboxPermissions permissions{.read = std::move(reads),
                                           .write = {outputs_.string()},
                                           .may_start_processes = true,
                                           .limits = {.cpu_seconds = seconds,
                                                      .processes = 64,
                                                      .file_bytes = std::size_t{1} << 28,
                                                      .data_bytes = compiler_memory}};
      command = command_in(sandbox_, permissions, command);
    }
    // Nothing of the grader's environment: an assembler reads any file that the compiler may read, and shows
    // it.
    const std::vector<std::string> clean = in_clean_environment(outputs_);
    command.insert(command.begin(), clean.begin(), clean.end());
    return run_process({.arguments = std::move(command),
                        .folder = context_.build.harness_folder(),
                        .seconds = wait_for_compilers * seconds,
                        .output_only = captured == Captured::output,
                        .memory_bytes = compiler_memory,
                        .max_output = std::size_t{captured == Captured::output ? 1u << 26 : 1u << 20}});
  }

  /// What judges its correctness once more. The executor finds races in whatever order its threads come;
  /// elsewhere a race is seen only when it goes wrong. Nothing for what is measured or looked at.
  std::function<GradedResult()> repeat_of(const GradedStep& step, const Job& job) {
    const GradeOptions& options = batch_.options;
    const bool opened = options.only_case >= 0 || !options.kinds.empty() || options.held || options.profiles;
    if (step.place.backend == "executor" || part_->is_time() || opened) return {};
    return [this, &step, &job] { return run(job, step.call_seconds, {TestKind::correctness}); };
  }

  /// Judges a step; once more when the judge failed, which says nothing of the step.
  GradedResult run(const Job& job, double call_seconds, const std::vector<TestKind>& kinds) {
    GradedResult result = run_once(job, call_seconds, kinds);
    if (result.verdict == Verdict::not_run) result = run_once(job, call_seconds, kinds);
    return result;
  }

  GradedResult run_once(const Job& job, double call_seconds, const std::vector<TestKind>& kinds) {
    Task task{.lesson = &context_.catalogue.lesson(job.step->lesson), .jobs = {job}, .built = true};
    task.log = batch_.out / "logs" / (submission_.pseudonym + "-judge.log");
    task.plan.limits = {.call_seconds = call_seconds,
                        .memory_bytes = static_cast<std::size_t>(worker_memory),
                        .disk_bytes = 256'000'000};
    task.kinds = kinds;
    task.judge = private_judge_;
    if (part_->is_time() && context_.options.budget) task.plan.cell_seconds = *context_.options.budget;
    for (const GradedStep& step : batch_.steps)
      if (part_->is_time() && step.step == job.step && step.time_bounds)
        task.plan.time_bounds[job.step->name] = *step.time_bounds;
    task.plan.key = inputs_key_;
    task.plan.key_is_secret = part_->key != "visible";  // what is visible whoever is judged may repeat
    task.seed = inputs_seed_;
    if (!sandbox_.mode.empty()) task.plan.sandbox = sandbox_of_workers();
    if (batch_.options.held) task.plan.limits.call_seconds = 3600;
    if (submission_.pseudonym != reference_name) {
      if (!batch_.options.kinds.empty()) task.kinds = batch_.options.kinds;
      if (batch_.options.only_case >= 0) task.plan.only_case = batch_.options.only_case;
    }
    if (batch_.options.profiles) task.kinds = {TestKind::profile};
    Outcome outcome = judge(context_, std::move(task));
    stop_when_interrupted();
    GradedResult result{outcome.steps.empty()
                            ? report::decided(facts(job), Verdict::not_run, "the judge wrote nothing of it")
                            : outcome.steps.front()};
    result.problems = outcome.problems;
    result.profiles = outcome.profiles;
    result.judge_seconds = outcome.seconds;
    return result;
  }

  Sandbox sandbox_of_workers() const {
    Sandbox of_workers = sandbox_;
    of_workers.read.insert(of_workers.read.end(),
                           {(context_.build.harness_folder() / "lib").string(), work_.string()});
    return of_workers;
  }

  /// Its files, named as a student's copy has them.
  GradedResult shown_as_students_know_it(const GradedResult& result) const {
    std::string text = report::dump(to_json(result));
    replace_all(text, sources_.string() + "/", "lessons/");
    for (const auto& [_, folder] : named_) replace_all(text, folder.string() + "/", "lessons/");
    return model::graded_result_from_json(json::parse(text), "a result");
  }

  const Batch& batch_;
  Context& context_;
  const Submission& submission_;
  fs::path work_, sources_, outputs_;
  Sandbox sandbox_;
  std::optional<Cgroup> group_{};
  grade::Taken taken_{};
  std::map<std::string, model::Amendment> amendments_{};  ///< that count, by the steps' ids
  std::optional<model::GradeRecord> before_{};            ///< final phase: the record as it was
  std::string inputs_key_{};                              ///< of the step that is judged
  unsigned inputs_seed_ = 0;                              ///< what the key does not decide
  const Part* part_ = nullptr;
  std::vector<std::string> private_judge_{};
  std::map<const GradedStep*, std::optional<BuildFailure>> built_{};
  /// Of tests: where programs that were built before see their source.
  std::map<const GradedStep*, fs::path> named_{};
  double build_seconds_ = 0;  ///< of the one that was built last, by a clock
  std::set<const GradedStep*> watched_{};
  std::string unwatched_{};  ///< why a step that builds cannot be looked at while it runs
};

}  // namespace

void grade_one(const Batch& batch, const Submission& submission) {
  OneGrade(batch, submission).grade();
}

}  // namespace ladder
