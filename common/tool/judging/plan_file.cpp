#include "common/tool/judging/plan_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "common/base/text/rung_below.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/sha256.hpp"
#include "common/lesson/rung_json.hpp"
#include "common/model/plan_json.hpp"
#include "common/report/results/results.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/core/job_queue.hpp"
#include "common/tool/judging/peers.hpp"
#include "common/tool/machine/ceilings.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr double kind_seconds = 120;  // that one kind of test of a step takes at most, for judge_limit
constexpr const char* oclgrind_plugin = "lib/libladder-oclgrind.so";

bool wants(const Task& task, TestKind kind) {
  return std::find(task.kinds.begin(), task.kinds.end(), kind) != task.kinds.end();
}

/// Whether this judge, or the one after it, is to judge that kind.
bool wants_at_last(const Task& task, TestKind kind) {
  return wants(task, kind) ||
         std::find(task.later_kinds.begin(), task.later_kinds.end(), kind) != task.later_kinds.end();
}

/// The job of the rung below; nothing for the first of a track, and for a mutant.
std::optional<Job> job_below(const Task& task, const Job& job) {
  const auto& steps = task.lesson->steps;
  const auto below = rung_below(steps, job.step->name, [](const StepEntry& step) { return step.file; });
  if (below == steps.end() || !job.mutant.empty()) return {};
  Job under = job;
  under.step = &*below;
  return under;
}

/// The program without a step's idea: what its row names, else the rung below. Nothing where no GPU runs the
/// step, which is where it is timed.
std::optional<Job> without_idea(const Build& build, const Task& task, const Job& job) {
  if (job.place.gpu.empty() || !job.mutant.empty() || !job.step->row.is_object()) return {};
  const std::string name = job.step->row.value("gain", json::object()).value("without", "");
  if (name.empty()) return job_below(task, job);
  const auto dot = name.find('.');
  const auto& steps = task.lesson->steps;
  const auto step = std::ranges::find(steps, name.substr(0, dot), &StepEntry::name);
  if (step == steps.end()) return {};
  Job other = job;
  other.step = &*step;
  if (dot == name.npos) return other;
  other.mutant = name.substr(dot + 1);
  other.tree = tree_of_program(build.root(), *step, other.mutant);
  if (other.tree.empty()) return {};
  return other;
}

/// "g3_many_streams", "g3_tile.no_tile"
std::string name_of(const Job& job) {
  return job.step->name + (job.mutant.empty() ? "" : "." + job.mutant);
}

/// Whether a row has a target that is counted in an observed run.
bool counts(const StepEntry& step) {
  if (!step.row.is_object()) return false;
  const json targets = step.row.value("targets", json::array());
  return std::any_of(targets.begin(), targets.end(), [](const json& target) {
    const Source source = find_metric(target.value("metric", "")).source;
    return source == Source::counters || source == Source::instructions;
  });
}

/// What a judge needs of the build to judge a job, besides its worker: targets, empty where there is no need.
struct Needs {
  std::string observed{};  ///< for counters, findings, or a profile
  std::map<std::string, std::string> sanitized{};
  std::string recorder{}, oclgrind{};
  std::string messages{};                 ///< the recorder of what NCCL sends between GPUs
  std::string below{}, below_observed{};  ///< workers of the step below: to be timed, and for its numbers
  std::string without{}, without_name{};  ///< the program without the step's idea
};

Needs needs_of(const Build& build, const Task& task, const Job& job) {
  const bool targets = wants(task, TestKind::targets), findings = wants(task, TestKind::findings),
             profile = wants(task, TestKind::profile), times = wants_at_last(task, TestKind::time);
  Needs needs;
  if (!job.untouched && is_cuda(job.step->family()) &&
      (findings || profile || wants(task, TestKind::costs) || (targets && counts(*job.step))))
    needs.observed = job.observed_worker();
  if (!job.untouched && !job.targets_only && findings) needs.sanitized = job.sanitized_workers();
  needs.recorder = "lib/libladder-trace-" + job.place.backend + ".so";
  if (job.place.backend == "cuda" && job.step->ranks() > 1) needs.messages = "lib/libladder-trace-nccl.so";
  if (job.step->family() == "opencl" && (findings || targets || profile)) needs.oclgrind = oclgrind_plugin;
  const auto under = times ? job_below(task, job) : std::nullopt;
  if (under) needs.below = under->worker();
  if (const auto other = times ? without_idea(build, task, job) : std::nullopt)
    needs.without = other->worker(), needs.without_name = name_of(*other);
  // Where times are of the executor, a table shows what the idea moved instead.
  if (under && targets && job.place.backend == "executor") needs.below_observed = under->observed_worker();
  return needs;
}

/// What each device of the plan's steps can do at best, by back end. The executor's times say nothing.
std::map<std::string, Ceilings> ceilings_of(Context& context, const Task& task) {
  std::map<std::string, Ceilings> ceilings;
  for (const Job& job : task.jobs) {
    const std::string& backend = job.place.backend;
    if (job.decided || backend == "executor" || ceilings.contains(backend)) continue;
    if (backend != "cuda" && !wants(task, TestKind::time)) continue;  // reproductions ask for a GPU's alone
    ceilings[backend] = plan_ceilings(job.place.device, context.build_progress());
  }
  return ceilings;
}

/// The plan of a task, while steps are added to it.
class PlanFile {
 public:
  PlanFile(Context& context, const Task& task, const std::function<bool(const std::string&)>& built)
      : context_(context), task_(task), built_(built), plan_(task.plan) {}

  void add(const Job& job) {
    const Needs needs = needs_of(context_.build, task_, job);
    const auto source = job.source(context_.build);
    PlannedStep step{.step = job.step->name,
                     .tree = job.tree,
                     .mutant = job.mutant,
                     .backend = job.place.backend,
                     .device = job.place.device,
                     .worker = context_.build.file(job.worker()).string(),
                     .source = source.string(),
                     .source_hash = sha256(read_text(source)),
                     .below = file_of(needs.below),
                     .observed = file_of(needs.observed),
                     .without = file_of(needs.without),
                     .without_name = needs.without_name,
                     .below_observed = file_of(needs.below_observed),
                     .device_bytes = job.place.device_bytes,
                     .gpu = job.place.gpu,
                     .ranks = job.step->ranks(),
                     .failed = failure_of(job),
                     .words = job.words};
    if (step.observed.empty()) step.no_observed = "its observed worker could not be built";
    add_sanitized(needs, step);
    plan_.steps.push_back(std::move(step));
    for (const auto& [name, value] : job.place.environment) plan_.environment[name] = value;
    add_recorders(needs, job.place);
  }

  Plan& plan() { return plan_; }
  void add(const std::vector<PeerProgram>& programs, std::vector<Peer>& peers) const {
    for (const PeerProgram& program : programs)
      if (built_(program.target)) peers.push_back(peer_of(context_, program));
  }

 private:
  std::string file_of(const std::string& target) const {
    return built_(target) ? context_.build.file(target).string() : "";
  }

  /// The workers of a job under sanitizers, and why some of them are not there.
  void add_sanitized(const Needs& needs, PlannedStep& step) const {
    for (const auto& [what, worker] : needs.sanitized)
      if (built_(worker))
        step.sanitized[what] = file_of(worker);
      else if (context_.build.knows(worker))
        step.no_sanitized[what] = "the rung could not be built for it";
      else
        step.no_sanitized[what] = what == "races"
                                      ? read_text(context_.build.harness_folder() / "found" / "no-races")
                                      : "this build has no worker for it";
  }

  /// The first kind of test that a step has failed under another judge: it is not timed, and its record says
  /// why.
  static std::optional<Earlier> failure_of(const Job& job) {
    for (const model::Record& record : job.records)
      if (record.verdict >= Verdict::not_started) return Earlier{record.verdict, record.message};
    return {};
  }

  void add_recorders(const Needs& needs, const Placement& place) {
    const std::string& backend = place.backend;
    if (!place.untraceable.empty())
      plan_.no_recorder[backend] = place.untraceable;
    else if (built_(needs.recorder))
      plan_.recorders[backend] = file_of(needs.recorder);
    else if (backend == "opencl" || backend == "cuda" || backend == "mpi")
      plan_.no_recorder[backend] = "this build has no recorder for " + backend;
    if (built_(needs.messages))
      plan_.recorders["nccl"] = file_of(needs.messages);
    else if (!needs.messages.empty())
      plan_.no_recorder["nccl"] =
          "this build has no recorder for NCCL: --device executor counts its messages";
    if (built_(needs.oclgrind))
      plan_.recorders["oclgrind"] = file_of(needs.oclgrind);
    else if (!needs.oclgrind.empty())
      plan_.no_recorder["oclgrind"] = "this build has no plugin for Oclgrind (package liboclgrind-dev)";
  }

  Context& context_;
  const Task& task_;
  const std::function<bool(const std::string&)>& built_;
  Plan plan_;
};

}  // namespace

std::string tree_of_program(const fs::path& root, const StepEntry& step, const std::string& name) {
  const fs::path tests = root / "tests" / step.lesson;
  if (fs::exists(tests / "attempts" / (step.name + "." + name + fs::path(step.file).extension().string())))
    return "attempts";
  const fs::path list = tests / "mutants" / (step.name + ".mutants");
  if (!fs::exists(list)) return "";  // a student's copy has none
  const auto mutants = cut::read_mutants(read_text(list), path_in(root, list));
  return std::ranges::find(mutants, name, &cut::Mutant::name) == mutants.end() ? "" : "mutants";
}

std::vector<std::string> companions(Context& context, const Task& task) {
  std::vector<std::string> targets{"bin/confine"};
  const auto add = [&](const std::string& target) {
    if (context.build.knows(target) && std::find(targets.begin(), targets.end(), target) == targets.end())
      targets.push_back(target);
  };
  for (const Job& job : task.jobs) {
    if (job.decided) continue;
    const Needs needs = needs_of(context.build, task, job);
    for (const std::string* target : {&needs.observed, &needs.recorder, &needs.messages, &needs.oclgrind,
                                      &needs.below, &needs.without, &needs.below_observed})
      add(*target);
    for (const auto& [what, worker] : needs.sanitized) add(worker);
  }
  if (wants(task, TestKind::time) || wants(task, TestKind::reproduce))
    for (const PeerProgram& peer : peers(context, task)) add(peer.target);
  for (const PeerProgram& variant : variants(context, task)) add(variant.target);
  return targets;
}

std::map<std::string, std::string> write_plan(const Plan& plan) {
  const std::string file = (std::filesystem::path(plan.scratch) / "plan.json").string();
  write_text(file, report::dump(to_json(plan), 1));
  write_text(plan.results, "");
  // Libraries that a judge calls itself, as lesson 04 does, must not spin next to other programs.
  return {{"LADDER_PLAN", file}, {"OMP_WAIT_POLICY", "passive"}};
}

Plan make_plan(Context& context, const Task& task, const std::filesystem::path& scratch,
               const std::function<bool(const std::string&)>& built) {
  PlanFile file(context, task, built);
  for (const Job& job : task.jobs)
    if (!job.decided) file.add(job);
  Plan& plan = file.plan();
  plan.lesson = task.lesson->name;
  plan.table = lesson_from_json(task.lesson->table);
  plan.verb = context.options.verb;
  plan.seed = task.seed.value_or(context.seed);
  if (plan.size == 0) plan.size = context.options.size;
  plan.root = context.root.string();
  plan.scratch = scratch.string();
  plan.results = (scratch / "results.jsonl").string();
  plan.quiet = (scratch / "quiet").string();
  plan.confine = context.build.file("bin/confine").string();
  plan.kinds = task.kinds;
  if (plan.key.empty()) plan.key = context.options.key;
  // Not those of the executor: an observed program has one thread unless it is told otherwise.
  if (const char* cores = std::getenv(cores_of_job))
    for (const char* threads :
         {"OMP_NUM_THREADS", "POCL_CPU_MAX_CU_COUNT", "POCL_MAX_PTHREAD_COUNT" /* before PoCL 5 */})
      plan.environment.emplace(threads, cores);
  file.add(peers(context, task), plan.peers);
  file.add(variants(context, task), plan.variants);
  if (wants(task, TestKind::time) || wants(task, TestKind::reproduce))
    plan.ceilings = ceilings_of(context, task);
  // Of submissions each judge has its own: others judge the same step at once, and one would remove
  // another's.
  const bool submitted = std::any_of(task.jobs.begin(), task.jobs.end(),
                                     [](const Job& job) { return job.tree == "submissions"; });
  if (!task.as_nobody && !submitted) plan.caches = (context.build.folder() / "caches").string();
  return plan;
}

double judge_limit(const Task& task) {
  double seconds = 60;
  for (const Job& job : task.jobs)
    if (!job.decided) seconds += 1.25 * kind_seconds * static_cast<double>(task.kinds.size());
  // A reproduction has its own budget a cell; ten sizes and four columns are the most a table has.
  return seconds + 2 * 40 * task.plan.cell_seconds;
}

}  // namespace ladder
