#include "common/model/plan_json.hpp"

#include <fmt/format.h>

#include "common/base/files/json_fields.hpp"
#include "common/base/process/sandbox_json.hpp"
#include "common/lesson/rung_json.hpp"
#include "common/model/words.hpp"

namespace ladder {

constexpr const char* plan_schema = "gpu-ladder-plan/3";

void fields(Is<Limits> auto& limits, auto&& visit) {
  visit("call_seconds", limits.call_seconds);
  visit("memory_bytes", limits.memory_bytes);
  visit("output_bytes", limits.output_bytes);
  visit("disk_bytes", limits.disk_bytes);
}
void fields(Is<CalibratedTime> auto& time, auto&& visit) {
  visit("full", time.full);
  visit("zero", time.zero);
  visit("points", time.points);
}
void fields(Is<Earlier> auto& failure, auto&& visit) {
  visit("verdict", failure.verdict);
  visit("message", failure.message);
}
void fields(Is<PlannedStep> auto& step, auto&& visit) {
  visit("step", step.step);
  visit("tree", step.tree);
  visit("mutant", step.mutant);
  visit("backend", step.backend);
  visit("device", step.device);
  visit("worker", step.worker);
  visit("source", step.source);
  visit("source_hash", step.source_hash);
  visit("below", step.below);
  visit("skip", step.skip);
  visit("observed", step.observed);
  visit("no_observed", step.no_observed);
  visit("without", step.without);
  visit("without_name", step.without_name);
  visit("below_observed", step.below_observed);
  visit("sanitized", step.sanitized, optional_field);
  visit("no_sanitized", step.no_sanitized, optional_field);
  visit("device_bytes", step.device_bytes);
  visit("gpu", step.gpu);
  visit("ranks", step.ranks);
  visit("failed", step.failed, optional_field);
  visit("words", step.words, optional_field);
}
void fields(Is<Peer> auto& peer, auto&& visit) {
  visit("name", peer.name);
  visit("backend", peer.backend);
  visit("worker", peer.worker);
  visit("device", peer.device);
  visit("label", peer.label);
  visit("environment", peer.environment, optional_field);
}
void fields(Is<Ceilings> auto& ceilings, auto&& visit) {
  visit("fp64", ceilings.fp64);
  visit("fp64_tensor", ceilings.fp64_tensor);
  visit("fp64_vector", ceilings.fp64_vector);
  visit("fp32", ceilings.fp32);
  visit("integer", ceilings.integer);
  visit("memory", ceilings.memory);
  visit("cache", ceilings.cache);
  visit("cache_bytes", ceilings.cache_bytes);
  visit("to_device", ceilings.to_device);
  visit("from_device", ceilings.from_device);
  visit("why_not", ceilings.why_not, optional_field);
}
void fields(Is<Plan> auto& plan, auto&& visit) {
  visit.derived("schema", plan_schema);
  visit("lesson", plan.lesson);
  visit("table", plan.table);
  visit("verb", plan.verb);
  visit("seed", plan.seed);
  visit("key", plan.key, optional_field);
  visit("key_is_secret", plan.key_is_secret, optional_field);
  visit("private_tests", plan.private_tests, optional_field);
  visit("only_case", plan.only_case);
  visit("size", plan.size);
  visit("file", plan.file, optional_field);
  visit("pairs", plan.pairs);
  visit("cell_seconds", plan.cell_seconds, optional_field);
  visit("root", plan.root);
  visit("scratch", plan.scratch);
  visit("results", plan.results);
  visit("quiet", plan.quiet, optional_field);
  visit("confine", plan.confine);
  visit("sandbox", plan.sandbox, optional_field);
  visit("caches", plan.caches, optional_field);
  visit("under", plan.under, optional_field);
  visit("only", plan.only, optional_field);
  visit("limits", plan.limits);
  visit("kinds", plan.kinds);
  visit("steps", plan.steps);
  visit("time_bounds", plan.time_bounds, optional_field);
  visit("peers", plan.peers);
  visit("variants", plan.variants, optional_field);
  visit("recorders", plan.recorders);
  visit("no_recorder", plan.no_recorder, optional_field);
  visit("environment", plan.environment);
  visit("ceilings", plan.ceilings, optional_field);
  visit("powercap", plan.powercap);
  visit("nvml", plan.nvml);
}

nlohmann::json to_json(const Plan& plan) {
  return json_from(plan);
}

Plan plan_from_json(const nlohmann::json& plan, const std::string& file) {
  const nlohmann::json none = "";
  if (const auto schema = plan.is_object() ? plan.value("schema", none) : none; schema != plan_schema)
    throw Error(
        fmt::format("{} is a plan of {}, this judge reads \"{}\": start it through ./ladder, which "
                    "builds both again",
                    file, schema.dump(), plan_schema));
  Plan read = structure_from<Plan>(plan, file);
  for (auto* peers : {&read.peers, &read.variants})
    for (Peer& peer : *peers)
      if (peer.label.empty()) peer.label = peer.name;
  if (read.caches.empty()) read.caches = read.scratch + "/caches";
  return read;
}

}  // namespace ladder
