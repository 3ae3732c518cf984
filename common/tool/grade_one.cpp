/// @file
/// One submission of a batch: taken in, built and judged confined, its record written.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "common/base/sandbox_json.hpp"
#include "common/grade/intake.hpp"
#include "common/grade/key.hpp"
#include "common/grade/record.hpp"
#include "common/grade/symbols.hpp"
#include "common/report/results.hpp"
#include "common/lesson/lesson.hpp"
#include "common/tool/grading.hpp"
#include "common/tool/judging.hpp"
#include "common/tool/lint.hpp"
#include "common/tool/names.hpp"
#include "common/tool/records.hpp"
#include "common/tool/sha256.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr double compile_seconds = 120;
constexpr std::size_t compiler_memory = std::size_t{3} << 30;
constexpr int most_runs = 3;

/// Verdicts that count only when they come again.
bool must_repeat(const std::string& verdict) {
  return verdict == "WRONG" || verdict == "CRASHED" || verdict == "TIMEOUT";
}

void hand_over(const fs::path& folder, unsigned uid) {
  if (uid == 0) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (::lchown(entry.path().c_str(), uid, uid) != 0) throw Error("cannot hand over " + entry.path().string());
  if (::chown(folder.c_str(), uid, uid) != 0) throw Error("cannot hand over " + folder.string());
}

class OneGrade {
 public:
  OneGrade(const Batch& batch, const Submission& submission)
      : batch_(batch),
        context_(batch.context),
        submission_(submission),
        room_(batch.work / submission.pseudonym),
        sources_(room_ / "sources"),
        outputs_(room_ / "built"),
        sandbox_(batch.sandbox) {
    sandbox_.uid = sandbox_.gid = submission.uid;
  }

  void grade() {
    fs::create_directories(sources_);
    fs::create_directories(outputs_);
    fs::permissions(room_, fs::perms::owner_all);
    // Others may pass through it to what is theirs.
    fs::permissions(context_.scratch(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
    take_in();
    keep_sources();
    hand_over(room_, submission_.uid);
    json record = grade::new_record({.pseudonym = submission_.pseudonym,
                                     .name = submission_.name,
                                     .received = report::now(),
                                     .attempt = batch_.options.attempt},
                                    taken_, batch_.grader);
    for (const GradedStep& step : batch_.steps) {
      json result = result_of(step);
      const auto runs = result.value("runs", std::vector<std::string>{result.value("verdict", "")});
      grade::add_step(record, {.result = std::move(result), .phase = "instant", .part = {}, .runs = runs, .max_points = step.max_points, .open = {}});
    }
    grade::write_record(batch_.record_of(submission_), record);
  }

 private:
  void take_in() {
    grade::Wanted wanted;
    for (const GradedStep& step : batch_.steps) wanted.steps.push_back(step.step->lesson + "/" + step.step->file);
    taken_ = grade::take(submission_.path, wanted, sources_);
  }

  /// What was taken stays with the grades: to be looked at, opened and judged again.
  void keep_sources() const {
    const fs::path kept = batch_.out / "sources" / submission_.pseudonym;
    fs::remove_all(kept);
    fs::create_directories(kept);
    fs::copy(sources_, kept, fs::copy_options::recursive);
  }

  Job job_of(const GradedStep& step) const {
    return {.step = step.step, .tree = "submissions", .submitted = sources_, .made = outputs_, .place = step.place};
  }

  /// The result of a step: decided by its source alone, known from an equal one, or judged now.
  json result_of(const GradedStep& step) {
    const Job job = job_of(step);
    const fs::path source = job.source(context_.build);
    if (!fs::exists(source))
      return report::decided(facts(job), "NOT STARTED", fmt::format("no {} in the submission", step.step->file));
    if (!step.place.skip.empty()) return report::decided(facts(job), "SKIPPED", step.place.skip);
    const fs::path known = batch_.out / "judged" / (hash_of(step, source) + ".json");
    if (json result = json::parse(read_text(known), nullptr, false); result.is_object()) {
      result["judged_once"] = true;  // an equal source was judged before
      return result;
    }
    const json result = shown_as_students_know_it(judged(step));
    if (result.value("verdict", "") != "NOT RUN") write_text(known, report::dump(result) + "\n");
    return result;
  }

  /// Equal for equal sources of a step, with equal headers beside it.
  std::string hash_of(const GradedStep& step, const fs::path& source) const {
    std::string all = step.step->path() + "\n" + step.place.backend + "\n" + read_text(source);
    std::vector<fs::path> headers;
    for (const auto& entry : fs::directory_iterator(source.parent_path()))
      if (entry.path().extension() != source.extension()) headers.push_back(entry.path());
    std::sort(headers.begin(), headers.end());
    for (const fs::path& header : headers) all += "\n" + header.filename().string() + "\n" + read_text(header);
    return sha256(all);
  }

  json judged(const GradedStep& step) {
    Job job = job_of(step);
    if (const auto failure = build(step)) {
      json details = json::array();
      if (!failure->hint.empty()) details.push_back({"Think", failure->hint});
      json result = report::decided(facts(job), "BUILD ERROR", failure->line(), details);
      result["build_output"] = failure->output.substr(0, 20000);
      return result;
    }
    json result = run(job, step.call_seconds);
    json runs = json::array({result["verdict"]});
    // A verdict against a step counts when it comes again: once may have been the machine.
    while (must_repeat(result["verdict"]) && runs.size() < most_runs) {
      const bool hangs = result["verdict"] == "TIMEOUT";
      json again = run(job, hangs ? step.call_seconds / 4 : step.call_seconds);
      runs.push_back(again["verdict"]);
      if (again["verdict"] == result["verdict"]) break;
      if (runs.size() == most_runs || !must_repeat(again["verdict"])) {
        result = std::move(again);
        result["verdict"] = "REVIEW";
        result["message"] = fmt::format("its runs differ: {}", runs.dump());
      } else {
        result = std::move(again);
      }
    }
    result["runs"] = runs;
    look_at_symbols(step, result);
    return result;
  }

  /// @return why not
  std::optional<BuildFailure> build(const GradedStep& step) {
    for (const Recipe& recipe : step.recipes) {
      for (const std::string& folder : recipe.folders) fs::create_directories(outputs_ / folder);
    }
    hand_over(outputs_, submission_.uid);
    for (const Recipe& recipe : step.recipes) {
      const auto failure =
          build_submitted(recipe, context_.build, sources_, outputs_, [&](const std::string& script, std::vector<std::string> reads) {
            reads.push_back(sources_);
            return run_confined(script, std::move(reads));
          });
      if (failure && &recipe == &step.recipes.front()) return failure;
    }
    return std::nullopt;
  }

  /// Names that the step's object defines and uses: some are for a person to look at.
  void look_at_symbols(const GradedStep& step, json& result) const {
    if (result["verdict"] == "NOT STARTED" || result["verdict"] == "SKIPPED") return;
    const Ended named = run_confined(fmt::format("find {} -name '{}*.o' ! -name '*.ptxas.*' ! -name '*.hash.*' -exec nm -P {{}} +",
                                                 outputs_.string(), step.step->name), {});
    const auto found = grade::suspicions(grade::symbols_from(named.output), batch_.harness_names, batch_.library_names, step.reference_names);
    if (found.empty()) return;
    json uses = json::array();
    std::string evidence;
    for (const auto& [symbol, why] : found) {
      uses.push_back(symbol);
      evidence += fmt::format("{}it {} ({})", evidence.empty() ? "" : "; ", why, symbol);
    }
    result["uses"] = std::move(uses);
    result["judged_as"] = result["verdict"];
    result["message"] = fmt::format("{}; judged {}: {}", evidence, result["verdict"].get<std::string>(), result.value("message", ""));
    result["verdict"] = "REVIEW";
  }

  Ended run_confined(const std::string& script, std::vector<std::string> reads) const {
    std::vector<std::string> command = {"/bin/sh", "-c", script};
    if (!sandbox_.mode.empty()) {
      reads.insert(reads.end(), {(context_.root / "common").string(), (context_.root / "lessons").string()});
        const Room room{.read = std::move(reads), .write = {outputs_.string()}, .may_start_processes = true,
                      .limits = {.cpu_seconds = compile_seconds, .processes = 64, .file_bytes = std::size_t{1} << 28}};
      command = command_in(sandbox_, room, command);
    }
    return run_process({.arguments = std::move(command),
                        .folder = context_.build.folder(),
                        .environment = {{"TMPDIR", outputs_.string()}, {"HOME", outputs_.string()}, {"LC_ALL", "C.UTF-8"}},
                        .seconds = compile_seconds,
                        .memory_bytes = compiler_memory,
                        .most_output = 1 << 20});
  }

  json run(const Job& job, double call_seconds) {
    Task task{.lesson = &context_.catalogue.lesson(job.step->lesson), .jobs = {job}, .built = true};
    task.log = batch_.out / "logs" / (submission_.pseudonym + "-judge.log");
    task.extra["limits"] = {{"call_seconds", call_seconds}, {"memory_bytes", 2e9}, {"output_bytes", 65536}};
    task.extra["key"] = grade::hex(grade::plan_key(batch_.key, submission_.pseudonym, batch_.options.attempt, "visible"));
    if (!sandbox_.mode.empty()) task.extra["sandbox"] = sandbox_json();
    if (batch_.options.held) task.extra["limits"]["call_seconds"] = 3600.0;
    if (batch_.options.profiles) task.kinds = {TestKind::profile};
    Outcome outcome = judge(context_, std::move(task));
    json result = outcome.steps.empty() ? report::decided(facts(job), "NOT RUN", "the judge wrote nothing of it")
                                        : std::move(outcome.steps.front());
    if (!outcome.problems.empty()) result["problems"] = outcome.problems;
    if (!outcome.profiles.empty()) result["profiles"] = outcome.profiles;
    result["judge_seconds"] = outcome.seconds;
    return result;
  }

  json sandbox_json() const {
    Sandbox of_workers = sandbox_;
    of_workers.read = {(context_.build.folder() / "lib").string(), room_.string()};
    return of_workers;
  }

  /// Its files, named as a student's copy has them.
  json shown_as_students_know_it(const json& result) const {
    std::string text = report::dump(result);
    const std::string here = sources_.string() + "/";
    for (std::size_t at = 0; (at = text.find(here, at)) != text.npos;) text.replace(at, here.size(), "lessons/");
    return json::parse(text);
  }

  const Batch& batch_;
  Context& context_;
  const Submission& submission_;
  fs::path room_, sources_, outputs_;
  Sandbox sandbox_;
  grade::Taken taken_{};
};

}  // namespace

void grade_one(const Batch& batch, const Submission& submission) {
  OneGrade(batch, submission).grade();
}

void sweep_after(const Batch& batch, const Submission& submission) {
  if (submission.uid != 0) sweep(submission.uid);
  std::error_code ignored;
  fs::remove_all(batch.work / submission.pseudonym, ignored);
}

}  // namespace ladder
