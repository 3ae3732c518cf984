#include "common/judge/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

#include "common/base/sandbox_json.hpp"
#include "common/base/step_name.hpp"
#include "common/lesson/rung_json.hpp"

namespace ladder {
namespace {

using nlohmann::json;

const PlannedStep* under_way = nullptr;

constexpr const char* plan_schema = "gpu-ladder-plan/3";

CalibratedTime time_of(const json& j) {
  return {.full = j.at("full"), .zero = j.at("zero"), .points = j.at("points")};
}

PlannedStep step_of(const json& j) {
  PlannedStep s;
  s.step = j.at("step");
  s.tree = j.at("tree");
  s.mutant = j.value("mutant", "");
  s.backend = j.at("backend");
  s.device = j.value("device", "");
  s.worker = j.at("worker");
  s.source = j.value("source", "");
  s.source_hash = j.value("source_hash", "");
  s.below = j.value("below", "");
  s.skip = j.value("skip", "");
  s.observed = j.value("observed", "");
  s.no_observed = j.value("no_observed", "");
  s.below_observed = j.value("below_observed", "");
  s.sanitized = j.value("sanitized", s.sanitized);
  s.no_sanitized = j.value("no_sanitized", s.no_sanitized);
  s.gpu = j.value("gpu", "");
  s.device_bytes = j.value("device_bytes", 0.0);
  s.ranks = j.value("ranks", 1);
  const json failed = j.value("failed", json::object());
  s.failed = failed.value("verdict", "");
  s.why_failed = failed.value("message", "");
  return s;
}

std::vector<Peer> peers_of(const json& plan, const char* field) {
  std::vector<Peer> peers;
  for (const json& p : plan.value(field, json::array()))
    peers.push_back({p.at("name"), p.at("backend"), p.at("worker"), p.value("device", ""),
                     p.value("label", p.at("name").get<std::string>()),
                     p.value("environment", std::map<std::string, std::string>())});
  return peers;
}

Ceilings ceilings_of(const json& j) {
  return {.fp64 = j.value("fp64", 0.0),
          .fp64_tensor = j.value("fp64_tensor", false),
          .fp64_vector = j.value("fp64_vector", 0.0),
          .fp32 = j.value("fp32", 0.0),
          .integer = j.value("integer", 0.0),
          .memory = j.value("memory", 0.0),
          .cache = j.value("cache", 0.0),
          .cache_bytes = j.value("cache_bytes", 0.0),
          .to_device = j.value("to_device", 0.0),
          .from_device = j.value("from_device", 0.0),
          .why_not = j.value("why_not", "")};
}

Plan read_plan() {
  const char* path = std::getenv("LADDER_PLAN");
  if (!path) throw Error("this program judges steps for the tool; start it through ./ladder check");
  std::ifstream file(path);
  const json j = json::parse(file);
  if (j.value("schema", "") != plan_schema)
    throw Error(fmt::format(
        "{} is a plan of \"{}\", this judge reads \"{}\": start it through ./ladder, which builds "
        "both again",
        path, j.value("schema", ""), plan_schema));
  Plan p;
  p.lesson = j.at("lesson");
  p.table = lesson_from_json(j.at("table"));
  p.verb = j.value("verb", "check");
  p.root = j.value("root", "");
  p.scratch = j.at("scratch");
  p.results = j.at("results");
  p.confine = j.value("confine", "");
  if (j.contains("sandbox")) p.sandbox = j.at("sandbox").get<Sandbox>();
  p.caches = j.value("caches", p.scratch + "/caches");
  p.seed = j.at("seed");
  p.key = j.value("key", "");
  p.key_is_secret = j.value("key_is_secret", false);
  p.private_tests = j.value("private_tests", "");
  p.only_case = j.value("only_case", -1);
  p.size = j.value("size", 0);
  p.pairs = j.value("pairs", 15);
  p.cell_seconds = j.value("cell_seconds", 10.0);
  p.quiet = j.value("quiet", "");
  p.under = j.value("under", std::vector<std::string>());
  p.only = j.value("only", "");
  const json limits = j.value("limits", json::object());
  p.limits.call_seconds = limits.value("call_seconds", p.limits.call_seconds);
  p.limits.memory_bytes =
      static_cast<std::size_t>(limits.value("memory_bytes", double(p.limits.memory_bytes)));
  p.limits.output_bytes =
      static_cast<std::size_t>(limits.value("output_bytes", double(p.limits.output_bytes)));
  p.limits.disk_bytes = static_cast<std::size_t>(limits.value("disk_bytes", double(p.limits.disk_bytes)));
  for (const std::string name : j.at("kinds")) {
    const auto kind = test_kind(name);
    if (!kind) throw Error("the plan asks for '" + name + "', which is no kind of test");
    p.kinds.push_back(*kind);
  }
  for (const json& s : j.at("steps")) p.steps.push_back(step_of(s));
  const json bounds = j.value("time_bounds", json::object());
  for (PlannedStep& s : p.steps)
    if (bounds.contains(s.step)) s.time = time_of(bounds[s.step]);
  p.peers = peers_of(j, "peers");
  p.variants = peers_of(j, "variants");
  p.recorders = j.value("recorders", std::map<std::string, std::string>());
  p.no_recorder = j.value("no_recorder", std::map<std::string, std::string>());
  p.environment = j.value("environment", std::map<std::string, std::string>());
  const json ceilings = j.value("ceilings", json::object());
  for (const auto& [backend, one] : ceilings.items()) p.ceilings[backend] = ceilings_of(one);
  p.powercap = j.value("powercap", p.powercap);
  p.nvml = j.value("nvml", p.nvml);
  return p;
}

}  // namespace

bool Plan::wants(TestKind kind) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::string Plan::recorder_of(const std::string& backend) const {
  const auto found = recorders.find(backend);
  return found == recorders.end() ? "" : found->second;
}

bool runs_on_gpu(const PlannedStep& step) {
  return step.backend == "cuda" ||
         (step.backend == "opencl" && plan().environment.count("LADDER_OPENCL_GPU") > 0);
}

bool for_gpu(const Step& step) {
  return is_track_of_gpu(step.track());
}

void set_under_way(const PlannedStep* step) {
  under_way = step;
}

bool on_gpu() {
  return under_way && runs_on_gpu(*under_way);
}

int team_size() {
  const auto stated = plan().environment.find("OMP_NUM_THREADS");
  if (stated != plan().environment.end()) return std::max(1, std::atoi(stated->second.c_str()));
  return std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
}

const Plan& plan() {
  static const Plan the_plan = read_plan();
  return the_plan;
}

}  // namespace ladder
