/// @file
/// grade calibrate: bounds of time for this machine, from repeated runs of the reference, the rung below and
/// a slow version, each judged as a submission is. And where a grade uses them.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "common/base/interval_json.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/bounds.hpp"
#include "common/grade/key.hpp"
#include "common/grade/repeatability.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/grading/grade_options.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/machine/software.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

json time_row(const StepEntry& step) {
  const json time = step.row.is_object() ? step.row.value("time", json()) : json();
  return time.is_object() ? time : json::object();
}

/// A rung, and what it must be faster than.
struct Candidate {
  GradedStep step;
  std::optional<GradedStep> below{}, first{};  ///< first: of its track, where that is another
};

/// The rungs of the same track and kind before one, in their order.
std::vector<const StepEntry*> rungs_before(const LessonEntry& lesson, const StepEntry& step) {
  std::vector<const StepEntry*> before;
  for (const StepEntry& other : lesson.steps) {
    if (other.name == step.name) break;
    if (other.track() == step.track() && other.family() == step.family()) before.push_back(&other);
  }
  return before;
}

/// The rungs, with those of their tracks that they are compared with.
std::vector<std::string> with_rungs_before(Catalogue& catalogue, const std::vector<std::string>& rungs) {
  std::vector<std::string> all;
  const auto add = [&](const StepEntry& step) {
    if (std::find(all.begin(), all.end(), step.label()) == all.end()) all.push_back(step.label());
  };
  for (const StepEntry* step : catalogue.resolve(rungs)) {
    const auto before = rungs_before(catalogue.lesson(step->lesson), *step);
    if (!before.empty()) add(*before.front()), add(*before.back());
    add(*step);
  }
  return all;
}

Candidate candidate_of(const Batch& batch, const StepEntry& step) {
  const auto graded = [&](const StepEntry& wanted) {
    return *std::find_if(batch.steps.begin(), batch.steps.end(),
                         [&](const GradedStep& one) { return one.step->path() == wanted.path(); });
  };
  Candidate candidate{.step = graded(step)};
  const auto before = rungs_before(batch.context.catalogue.lesson(step.lesson), step);
  if (!before.empty()) candidate.below = graded(*before.back());
  if (before.size() > 1) candidate.first = graded(*before.front());
  return candidate;
}

/// The ratios of one program, of each run; and the problem that it had.
struct Runs {
  std::vector<double> ratios{};
  json problem{};
  json as_json(const std::string& name) const {
    json all = json_of(median_interval(ratios));
    all["name"] = name;
    all["ratios"] = ratios;
    return all;
  }
};

void take_run(const model::GradeEntry* entry, const std::string& peer, Runs& runs) {
  runs.problem = entry && entry->time ? json(entry->time->problem) : json();
  if (!entry) return;
  if (const auto ratio = entry->ratio.find(peer); ratio != entry->ratio.end())
    return runs.ratios.push_back(ratio->second);
  // No sequential program races a GPU: it was timed alone.
  if (peer == "baseline" && entry->time && entry->time->baseline && entry->time->baseline->median > 0)
    runs.ratios.push_back(entry->time->baseline->median / entry->time->seconds.median);
}

/// The baseline, instead of a slower rung.
void take_baseline(const model::GradeEntry* entry, const std::string& peer, Runs& runs) {
  const auto peers = entry && entry->time ? entry->time->peers : std::map<std::string, Interval>{};
  const auto seconds = [&](const std::string& who) {
    const auto found = peers.find(who);
    return found == peers.end() ? 0.0 : found->second.median;
  };
  if (peer == "baseline") return runs.ratios.push_back(1);
  if (seconds(peer) > 0 && seconds("baseline") > 0)
    runs.ratios.push_back(seconds(peer) / seconds("baseline"));
}

std::optional<grade::Slower> slower(const std::string& name, const Runs& runs, const Runs& reference) {
  const bool same = runs.problem.is_null() || runs.problem == reference.problem;
  if (runs.ratios.empty() || !same) return std::nullopt;
  return grade::Slower{name, median_interval(runs.ratios)};
}

/// Clocks as the system shows them: of GPUs, and of the processor.
json clocks() {
  const ProcessResult asked =
      run_process({.arguments = {"nvidia-smi",
                                 "--query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.max.memory",
                                 "--format=csv,noheader"},
                   .seconds = 60,
                   .output_only = true});
  json all = json::object();
  if (asked.ok()) all["gpus"] = asked.output.substr(0, asked.output.find_last_not_of('\n') + 1);
  const fs::path folder = "/sys/devices/system/cpu/cpu0/cpufreq";
  for (const char* name : {"scaling_governor", "scaling_min_freq", "scaling_max_freq"}) {
    std::istringstream text(read_text(folder / name));
    if (std::string word; text >> word) all[name] = word;
  }
  std::istringstream facts(read_text("/proc/cpuinfo"));
  for (std::string line; !all.contains("cpu_mhz") && std::getline(facts, line);)
    if (line.starts_with("cpu MHz")) all["cpu_mhz"] = std::atof(line.substr(line.find(':') + 1).c_str());
  return all;
}

class Calibration {
 public:
  Calibration(Batch& batch, const Workplace& place) : batch_(batch), reference_(place.reference()) {}

  /// The entry of a rung in the file.
  json of(const Candidate& candidate, const model::Machine& machine) {
    const StepEntry& step = *candidate.step.step;
    const std::string peer = time_row(step).value("peer", "");
    json rung = {{"model", model_of(candidate.step, machine)}, {"peer", peer}};
    if (!candidate.step.place.skip.empty() || candidate.step.place.backend == "executor") {
      rung["why_not"] = candidate.step.place.skip.empty()
                            ? "no GPU here, and the executor's times say nothing"
                            : candidate.step.place.skip;
      return rung;
    }
    measure(candidate, peer);
    const std::string below_name = candidate.below ? "the rung below, " + candidate.below->step->name : "";
    const std::string slow_name = candidate.first   ? "the track's first rung, " + candidate.first->step->name
                                  : candidate.below ? below_name
                                                    : "the baseline";
    const Runs& slow = candidate.below && !candidate.first ? below_ : slow_;
    const auto points = grade::propose_time_points(
        median_interval(reference_runs_.ratios), slower(below_name, below_, reference_runs_),
        slower(slow_name, slow, reference_runs_), batch_.options.full_share);
    rung["problem"] = reference_runs_.problem;
    rung["measured"] = {{"reference", reference_runs_.as_json(step.name)}, {"slow", slow.as_json(slow_name)}};
    if (candidate.below) rung["measured"]["below"] = below_.as_json(below_name);
    if (!points.why_not.empty())
      rung["why_not"] = points.why_not;
    else
      rung["full"] = points.full, rung["zero"] = points.zero, rung["points"] = row_points(step);
    return rung;
  }

 private:
  static double row_points(const StepEntry& step) {
    return step.row.is_object() ? step.row.value("points", json::object()).value("time", 0.0) : 0.0;
  }

  /// On a processor each row has a size of its own: what is compared gets that of the rung.
  void measure(const Candidate& candidate, const std::string& peer) {
    reference_runs_ = below_ = slow_ = {};
    batch_.steps = {candidate.step};
    for (const auto& other : {candidate.below, candidate.first})
      if (other) batch_.steps.push_back(*other);
    for (GradedStep& step : batch_.steps) {
      step.time_points = 1;  // it is timed; what that is worth is not asked
      step.time_bounds = CalibratedTime{};
    }
    const bool on_cpu = candidate.step.place.backend == "cpu" || candidate.step.place.backend == "mpi";
    batch_.context.options.size = on_cpu ? time_row(*candidate.step.step).value("size", 0) : 0;
    for (int run = 1; run <= batch_.options.runs; ++run) {
      batch_.context.terminal.progress(
          fmt::format("{}: run {} of {}", candidate.step.step->label(), run, batch_.options.runs),
          (run - 1.0) / batch_.options.runs);
      take(candidate, peer, judged());
    }
  }

  model::GradeRecord judged() {
    Submission once = reference_;
    once.again = batch_.out / "run.json";
    try {
      return judge_reference(batch_, once);
    } catch (const UsageError&) {
      if (interrupted()) throw UsageError{"interrupted: no bounds were written"};
      throw;
    }
  }

  void take(const Candidate& candidate, const std::string& peer, const model::GradeRecord& record) {
    const model::GradeEntry* own = grade::time_entry(record, candidate.step.step->path());
    take_run(own, peer, reference_runs_);
    if (candidate.below) take_run(grade::time_entry(record, candidate.below->step->path()), peer, below_);
    if (candidate.first)
      take_run(grade::time_entry(record, candidate.first->step->path()), peer, slow_);
    else if (!candidate.below)
      take_baseline(own, peer, slow_);
  }

  Batch& batch_;
  Submission reference_;
  Runs reference_runs_{}, below_{}, slow_{};
};

void say(Context& context, const std::string& label, const json& rung) {
  if (rung.contains("why_not"))
    return context.terminal.print(
        fmt::format("{}: no time points here: {}", label, rung["why_not"].get<std::string>()));
  const json& reference = rung["measured"]["reference"];
  context.terminal.print(fmt::format(
      "{}: full points at {:.3g}, none at {:.3g} (times {}; the reference {:.3g} to {:.3g}){}", label,
      rung["full"].get<double>(), rung["zero"].get<double>(), rung["peer"].get<std::string>(),
      reference["low"].get<double>(), reference["high"].get<double>(),
      rung["points"] == 0 ? "; its row has no points for time: the field points gives it some" : ""));
}

}  // namespace

std::string model_of(const GradedStep& step, const model::Machine& machine) {
  for (const model::Device& device : machine.devices)
    if (device.id == step.place.device && device.kind == "gpu") return device.name;
  return fmt::format("{}, {} cores", machine.cpu, machine.cores);
}

void take_bounds(Batch& batch) {
  if (batch.options.bounds.empty()) return;
  try {
    batch.bounds = grade::read_bounds(batch.options.bounds);
  } catch (const Error& error) {
    throw UsageError{fmt::format("--bounds {}", error.what())};
  }
  for (GradedStep& step : batch.steps) {
    const json rung = batch.bounds["rungs"].value(step.step->path(), json());
    if (!rung.is_object()) continue;
    step.time_points = rung.contains("why_not") ? 0 : rung["points"].get<double>();
    if (!rung.contains("why_not"))
      step.time_bounds = {.full = rung["full"], .zero = rung["zero"], .points = rung["points"]};
  }
}

void check_bounds(const Batch& batch) {
  if (batch.bounds.is_null()) return;
  const model::Machine machine = machine_facts(false);
  for (const GradedStep& step : batch.steps) {
    const json rung = batch.bounds["rungs"].value(step.step->path(), json());
    if (!rung.is_object()) {
      if (step.time_points > 0)
        batch.context.terminal.print(fmt::format("{}: not in {}; the bound of its row counts",
                                                 step.step->label(), batch.options.bounds));
      continue;
    }
    const std::string why =
        grade::why_not_here(rung, model_of(step, machine), time_row(*step.step).value("peer", ""));
    if (!why.empty())
      throw UsageError{
          fmt::format("--bounds {}: {}: {}; ./ladder grade calibrate --rungs {} measures them here",
                      batch.options.bounds, step.step->label(), why, step.step->label())};
    if (rung.contains("why_not"))
      batch.context.terminal.print(
          fmt::format("{}: no time points here: {}", step.step->label(), rung["why_not"].get<std::string>()));
  }
}

void add_grade_calibrate_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  add_graded(app, o);
  app.add_option("--out", o.grade.out, "the file for the bounds")->type_name("FILE");
  add_sandbox(app, o);
  app.add_flag("--trust", o.grade.trust, "go on where programs cannot be confined");
  app.add_option("--runs", o.grade.runs, "runs of each program (default 20)")
      ->check(CLI::Range(2, 1000))
      ->type_name("N");
  app.add_option("--full", o.grade.full_share,
                 "full points at this share of the lower end of the reference's interval (default 0.8)")
      ->check(CLI::Range(0.01, 1.0))
      ->type_name("SHARE");
  app.add_option("--budget", typed.budget, "seconds for timing a rung (default 10)")->type_name("SECONDS");
}

int calibrate(Context& context) {
  GradeOptions options = context.options.grade;
  if (options.rungs.empty() || options.out.empty())
    throw UsageError{
        "calibrate what, and where to? For example: ./ladder grade calibrate --rungs 03/c1 --out "
        "this-machine.json"};
  const fs::path file = fs::absolute(options.out);
  try_to_write(file);
  options.bounds.clear();
  Batch batch{.context = context, .options = options};
  batch.is_final = true;
  batch.parts = {{.name = "time", .key = "time", .kinds = {TestKind::time}}};
  Workplace place(batch);
  batch.out = batch.work / "calibration";
  fs::create_directories(batch.out / "logs");
  grade::write_new_key(batch.out / "class.key");
  batch.key = grade::read_key(batch.out / "class.key");
  batch.grader = {.key_id = grade::key_id(batch.key)};
  context.build.refresh();
  const auto names = without_ranges(context.catalogue, options.rungs);
  context.check_tables(context.catalogue.resolve_lessons(names));
  place.prepare(with_rungs_before(context.catalogue, names), 0);
  check_alone(batch);
  const model::Machine machine = machine_facts(false);
  std::vector<Candidate> candidates;
  for (const StepEntry* step : context.catalogue.resolve(names))
    candidates.push_back(candidate_of(batch, *step));
  json bounds = {
      {"schema", grade::bounds_schema},
      {"date", report::now()},
      {"commit", commit_of(context.root)},
      {"sandbox", place.sandbox()},
      {"runs", options.runs},
      {"full_share", options.full_share},
      {"machine", {{"cpu", machine.cpu}, {"cores", machine.cores}, {"cuda", to_json(machine).at("cuda")}}},
      {"clocks", clocks()},
      {"rungs", json::object()}};
  Calibration calibration(batch, place);
  for (const Candidate& candidate : candidates) {
    json rung = calibration.of(candidate, machine);
    say(context, candidate.step.step->label(), rung);
    bounds["rungs"][candidate.step.step->path()] = std::move(rung);
  }
  write_text(file, report::dump(bounds, 1) + "\n");
  context.terminal.print(
      fmt::format("{}: for ./ladder grade --phase final --bounds, on this model only", options.out));
  return 0;
}

}  // namespace ladder
