#include "common/tool/judging/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "common/base/verdict.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/core/job_queue.hpp"
#include "common/tool/judging/peers.hpp"
#include "common/tool/machine/ceilings.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
namespace {

using nlohmann::json;

constexpr double call_seconds = 20;
constexpr double kind_seconds = 120;  // that one kind of test of a step takes at most, for judge_limit

bool wants(const Task& task, TestKind kind) {
  return std::find(task.kinds.begin(), task.kinds.end(), kind) != task.kinds.end();
}

/// Whether this judge, or the one after it, is to judge that kind.
bool wants_at_last(const Task& task, TestKind kind) {
  return wants(task, kind) ||
         std::find(task.later_kinds.begin(), task.later_kinds.end(), kind) != task.later_kinds.end();
}

std::string recorder_target(const std::string& backend) {
  return "lib/libladder-trace-" + backend + ".so";
}

constexpr const char* oclgrind_plugin = "lib/libladder-oclgrind.so";

/// Whether a step may be run under Oclgrind.
bool needs_simulator(const Task& task, const Job& job) {
  return job.step->family() == "opencl" && (wants(task, TestKind::findings) ||
                                            wants(task, TestKind::targets) || wants(task, TestKind::profile));
}

/// The step before this one on the same track and back end; nothing for the first.
std::optional<Job> rung_below(const Task& task, const Job& job) {
  const StepEntry* last = nullptr;
  for (const StepEntry& other : task.lesson->steps) {
    if (&other == job.step || other.name == job.step->name) break;
    if (other.track() == job.step->track() && other.family() == job.step->family()) last = &other;
  }
  if (!last || !job.mutant.empty()) return {};
  Job under = job;
  under.step = last;
  return under;
}

/// Its worker as a target; empty where there is none.
std::string below(const Task& task, const Job& job) {
  const auto under = rung_below(task, job);
  return under ? under->worker() : "";
}

/// Its observed worker: where times are of the executor, a table shows what the idea moved instead.
std::string observed_below(const Task& task, const Job& job) {
  const auto under = rung_below(task, job);
  const bool wanted = wants_at_last(task, TestKind::time) && wants(task, TestKind::targets) &&
                      job.place.backend == "executor";
  return wanted && under ? under->observed_worker() : "";
}

/// What each device of the plan's steps can do at best, by back end. The executor's times say nothing.
json ceilings_of(Context& context, const Task& task) {
  json ceilings = json::object();
  for (const Job& job : task.jobs) {
    const std::string& backend = job.place.backend;
    if (job.decided || backend == "executor" || ceilings.contains(backend)) continue;
    ceilings[backend] = plan_ceilings(job.place.device, context.build_progress());
  }
  return ceilings;
}

}  // namespace

bool needs_observed(const Task& task, const Job& job) {
  if (job.decided || job.untouched || job.step->family() != "cuda") return false;
  if (wants(task, TestKind::findings) || wants(task, TestKind::profile) || wants(task, TestKind::costs))
    return true;
  if (!wants(task, TestKind::targets) || !job.step->row.is_object()) return false;
  for (const json& target : job.step->row.value("targets", json::array())) {
    const Source source = find_metric(target.value("metric", "")).source;
    if (source == Source::counters || source == Source::instructions) return true;
  }
  return false;
}

bool needs_sanitized(const Task& task, const Job& job) {
  return !job.decided && !job.untouched && !job.targets_only && wants(task, TestKind::findings) &&
         !job.sanitized_workers().empty();
}

std::vector<std::string> companions(Context& context, const Task& task) {
  std::vector<std::string> targets{"bin/confine"};
  const auto add = [&](const std::string& target) {
    if (context.build.knows(target) && std::find(targets.begin(), targets.end(), target) == targets.end())
      targets.push_back(target);
  };
  for (const Job& job : task.jobs) {
    if (job.decided) continue;
    if (needs_observed(task, job)) add(job.observed_worker());
    if (needs_sanitized(task, job))
      for (const auto& [what, worker] : job.sanitized_workers()) add(worker);
    if (!wants(task, TestKind::correctness) || wants(task, TestKind::targets))
      add(recorder_target(job.place.backend));
    if (needs_simulator(task, job)) add(oclgrind_plugin);
    if (wants_at_last(task, TestKind::time)) add(below(task, job)), add(observed_below(task, job));
  }
  if (wants(task, TestKind::time) || wants(task, TestKind::reproduce))
    for (const PeerProgram& peer : peers(context, task)) add(peer.target);
  for (const PeerProgram& variant : variants(context, task)) add(variant.target);
  return targets;
}

/// The workers of a job under sanitizers, and why some of them are not there.
void add_sanitized(Context& context, const Task& task, const Job& job,
                   const std::function<bool(const std::string&)>& built, json& step) {
  if (!needs_sanitized(task, job)) return;
  const std::string no_races = read_text(context.build.harness_folder() / "found" / "no-races");
  for (const auto& [what, worker] : job.sanitized_workers())
    if (built(worker))
      step["sanitized"][what] = context.build.file(worker).string();
    else if (context.build.knows(worker))
      step["no_sanitized"][what] = "the step could not be built for it";
    else
      step["no_sanitized"][what] = what == "races" ? no_races : "this build has no worker for it";
}

/// The first kind of test that a step has failed under another judge: it is not timed, and its record says
/// why.
void add_failure(const Job& job, json& step) {
  for (const json& record : job.records)
    if (const auto verdict = verdict_of(record.value("verdict", ""));
        verdict && *verdict >= Verdict::not_started) {
      step["failed"] = {{"verdict", name(*verdict)}, {"message", record.value("message", "")}};
      return;
    }
}

json make_plan(Context& context, const Task& task, const std::filesystem::path& scratch,
               const std::function<bool(const std::string&)>& built) {
  json plan = {{"schema", "gpu-ladder-plan/3"},
               {"lesson", task.lesson->name},
               {"table", task.lesson->table},
               {"verb", context.options.verb},
               {"seed", context.seed},
               {"size", context.options.size},
               {"root", context.root.string()},
               {"scratch", scratch.string()},
               {"results", (scratch / "results.jsonl").string()},
               {"quiet", (scratch / "quiet").string()},
               {"confine", context.build.file("bin/confine").string()},
               {"kinds", names_of(task.kinds)},
               {"limits", {{"call_seconds", call_seconds}, {"memory_bytes", 8e9}, {"output_bytes", 65536}}},
               {"pairs", 15},
               {"steps", json::array()},
               {"peers", json::array()},
               {"recorders", json::object()},
               {"no_recorder", json::object()},
               {"environment", json::object()}};
  if (!context.options.key.empty()) plan["key"] = context.options.key;
  const auto observed = [&](const Job& job) {
    return needs_observed(task, job) && built(job.observed_worker());
  };
  for (const Job& job : task.jobs) {
    if (job.decided) continue;
    const auto source = job.source(context.build);
    const std::string under = wants_at_last(task, TestKind::time) ? below(task, job) : "";
    plan["steps"].push_back(
        {{"step", job.step->name},
         {"tree", job.tree},
         {"mutant", job.mutant},
         {"backend", job.place.backend},
         {"device", job.place.device},
         {"worker", context.build.file(job.worker()).string()},
         {"source", source.string()},
         {"source_hash", sha256(read_text(source))},
         {"below", built(under) ? context.build.file(under).string() : ""},
         {"below_observed",
          built(observed_below(task, job)) ? context.build.file(observed_below(task, job)).string() : ""},
         {"ranks", job.step->ranks()},
         {"gpu", job.place.gpu},
         {"device_bytes", job.place.device_bytes},
         {"observed", observed(job) ? context.build.file(job.observed_worker()).string() : ""},
         {"no_observed", observed(job) ? "" : "its observed worker could not be built"},
         {"skip", ""}});
    add_sanitized(context, task, job, built, plan["steps"].back());
    add_failure(job, plan["steps"].back());
    for (const auto& [name, value] : job.place.environment) plan["environment"][name] = value;
    const std::string recorder = recorder_target(job.place.backend);
    if (!job.place.untraceable.empty())
      plan["no_recorder"][job.place.backend] = job.place.untraceable;
    else if (built(recorder))
      plan["recorders"][job.place.backend] = context.build.file(recorder).string();
    else if (job.place.backend == "opencl" || job.place.backend == "cuda" || job.place.backend == "mpi")
      plan["no_recorder"][job.place.backend] = "this build has no recorder for " + job.place.backend;
    if (!needs_simulator(task, job)) continue;
    if (built(oclgrind_plugin))
      plan["recorders"]["oclgrind"] = context.build.file(oclgrind_plugin).string();
    else
      plan["no_recorder"]["oclgrind"] = "this build has no plugin for Oclgrind (package liboclgrind-dev)";
  }
  // Not those of the executor: an observed program has one thread unless it is told otherwise.
  if (const char* cores = std::getenv(cores_of_job))
    for (const char* threads :
         {"OMP_NUM_THREADS", "POCL_CPU_MAX_CU_COUNT", "POCL_MAX_PTHREAD_COUNT" /* before PoCL 5 */})
      plan["environment"].emplace(threads, cores);
  const auto put = [&](const char* where, const std::vector<PeerProgram>& programs) {
    for (const PeerProgram& program : programs)
      if (built(program.target)) plan[where].push_back(plan_entry(context, program));
  };
  put("peers", peers(context, task));
  put("variants", variants(context, task));
  if (wants(task, TestKind::time)) plan["ceilings"] = ceilings_of(context, task);
  // Of submissions each judge has its own: others judge the same step at once, and one would remove
  // another's.
  const bool submitted = std::any_of(task.jobs.begin(), task.jobs.end(),
                                     [](const Job& job) { return job.tree == "submissions"; });
  if (!task.as_nobody && !submitted) plan["caches"] = (context.build.folder() / "caches").string();
  plan.update(task.extra);
  return plan;
}

double judge_limit(const Task& task) {
  double seconds = 60;
  for (const Job& job : task.jobs)
    if (!job.decided) seconds += 1.25 * kind_seconds * static_cast<double>(task.kinds.size());
  // A reproduction has its own budget a cell; ten sizes and four columns are the most a table has.
  if (task.extra.contains("cell_seconds")) seconds += 2 * 40 * task.extra["cell_seconds"].get<double>();
  return seconds;
}

}  // namespace ladder
