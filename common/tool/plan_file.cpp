#include "common/tool/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/tool/sha256.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
namespace {

using nlohmann::json;

constexpr double call_seconds = 20, step_seconds = 120;

bool wants(const Task& task, const char* kind) {
  return std::find(task.kinds.begin(), task.kinds.end(), kind) != task.kinds.end();
}

std::string recorder_target(const std::string& backend) {
  return "lib/libladder-trace-" + backend + ".so";
}

constexpr const char* oclgrind_plugin = "lib/libladder-oclgrind.so";

/// Whether a step may be run under Oclgrind.
bool needs_simulator(const Task& task, const Job& job) {
  return job.step->family() == "opencl" &&
         (wants(task, "findings") || wants(task, "targets") || wants(task, "profile"));
}

/// The step before this one on the same track and back end, as a worker target; empty for the first.
std::string below(const Task& task, const Job& job) {
  const StepEntry* last = nullptr;
  for (const StepEntry& other : task.lesson->steps) {
    if (&other == job.step || other.name == job.step->name) break;
    if (other.track() == job.step->track() && other.family() == job.step->family()) last = &other;
  }
  if (!last || !job.mutant.empty()) return "";
  Job under = job;
  under.step = last;
  return under.worker();
}

struct PeerName {
  std::string target, name, backend;
};

/// Programs of a folder that can run here: those of the processor, and those of a device that a job uses.
std::vector<PeerName> programs_in(const char* folder, Context& context, const Task& task) {
  std::vector<PeerName> found;
  const std::string prefix = fmt::format("workers/{}/{}/", folder, task.lesson->name);
  for (const std::string& target : context.build.beginning_with(prefix)) {
    const std::string file = target.substr(target.rfind('/') + 1);
    const auto dot = file.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string backend = file.substr(dot + 1);
    const bool used = backend == "cpu" || std::any_of(task.jobs.begin(), task.jobs.end(), [&](const Job& j) {
                        return !j.decided && j.place.backend == backend;
                      });
    if (used) found.push_back({target, file.substr(0, dot), backend});
  }
  return found;
}

/// Baseline and libraries.
std::vector<PeerName> peers(Context& context, const Task& task) {
  return programs_in("given", context, task);
}

/// What only reproductions run: steps with another constant, further libraries.
std::vector<PeerName> variants(Context& context, const Task& task) {
  return wants(task, "reproduce") ? programs_in("variants", context, task) : std::vector<PeerName>();
}

std::string device_of(const Task& task, const std::string& backend) {
  for (const Job& job : task.jobs)
    if (!job.decided && job.place.backend == backend) return job.place.device;
  return "cpu";
}

}  // namespace

bool needs_observed(const Task& task, const Job& job) {
  if (job.decided || job.step->family() != "cuda") return false;
  if (wants(task, "findings") || wants(task, "profile") || wants(task, "costs")) return true;
  if (!wants(task, "targets") || !job.step->row.is_object()) return false;
  for (const char* which : {"target", "also"}) {
    const json target = job.step->row.value(which, json());
    if (!target.is_object() || target.value("metric", "").empty()) continue;
    const Source source = find_metric(target.value("metric", "")).source;
    if (source == Source::counters || source == Source::instructions) return true;
  }
  return false;
}

std::vector<std::string> companions(Context& context, const Task& task) {
  std::vector<std::string> targets;
  const auto add = [&](const std::string& target) {
    if (context.build.knows(target) && std::find(targets.begin(), targets.end(), target) == targets.end())
      targets.push_back(target);
  };
  for (const Job& job : task.jobs) {
    if (job.decided) continue;
    if (needs_observed(task, job)) add(job.observed_worker());
    if (!wants(task, "correctness") || wants(task, "targets")) add(recorder_target(job.place.backend));
    if (needs_simulator(task, job)) add(oclgrind_plugin);
    if (wants(task, "time")) add(below(task, job));
  }
  if (wants(task, "time") || wants(task, "reproduce"))
    for (const PeerName& peer : peers(context, task)) add(peer.target);
  for (const PeerName& variant : variants(context, task)) add(variant.target);
  return targets;
}

json make_plan(Context& context, const Task& task, const std::filesystem::path& scratch,
               const std::function<bool(const std::string&)>& built) {
  json plan = {{"schema", "gpu-ladder-plan/1"},
               {"lesson", task.lesson->name},
               {"verb", context.options.verb},
               {"seed", context.seed},
               {"size", context.options.size},
               {"root", context.root.string()},
               {"scratch", scratch.string()},
               {"results", (scratch / "results.jsonl").string()},
               {"kinds", task.kinds},
               {"limits",
                {{"call_seconds", call_seconds},
                 {"step_seconds", step_seconds},
                 {"memory_bytes", 8e9},
                 {"output_bytes", 65536}}},
               {"pairs", 15},
               {"steps", json::array()},
               {"peers", json::array()},
               {"recorders", json::object()},
               {"no_recorder", json::object()},
               {"environment", json::object()}};
  const auto observed = [&](const Job& job) {
    return needs_observed(task, job) && built(job.observed_worker());
  };
  for (const Job& job : task.jobs) {
    if (job.decided) continue;
    const auto source = job.source(context.build);
    const std::string under = wants(task, "time") ? below(task, job) : "";
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
         {"ranks", job.step->ranks()},
         {"gpu", job.place.gpu},
         {"observed", observed(job) ? context.build.file(job.observed_worker()).string() : ""},
         {"no_observed", observed(job) ? "" : "its observed worker could not be built"},
         {"skip", ""}});
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
  const auto put = [&](const char* where, const std::vector<PeerName>& programs) {
    for (const PeerName& peer : programs)
      if (built(peer.target))
        plan[where].push_back({{"name", peer.name},
                               {"backend", peer.backend},
                               {"worker", context.build.file(peer.target).string()},
                               {"device", device_of(task, peer.backend)}});
  };
  put("peers", peers(context, task));
  put("variants", variants(context, task));
  plan.update(task.extra);
  return plan;
}

double judge_limit(const Task& task) {
  double seconds = 60;
  for (const Job& job : task.jobs)
    if (!job.decided) seconds += 1.25 * step_seconds * static_cast<double>(task.kinds.size());
  // A reproduction has its own budget a cell; ten sizes and four columns are the most a table has.
  if (task.extra.contains("cell_seconds")) seconds += 2 * 40 * task.extra["cell_seconds"].get<double>();
  return seconds;
}

}  // namespace ladder
