/// @file
/// A profile as JSON.

#include "common/report/results/profile.hpp"
#include "common/trace/access_text.hpp"
#include "common/trace/occupancy.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

json or_null(const std::optional<double>& value) {
  return value ? json(*value) : json();
}

json target_json(const ProfileTarget& t) {
  return {{"metric", t.metric},     {"relation", t.relation},          {"bound", t.bound},
          {"necessary", t.formula}, {"necessary_amount", t.necessary}, {"amount", t.amount},
          {"measured", t.ratio()}};
}

json bound_json(const LowerBound& bound) {
  json parts = json::array();
  for (const BoundPart& part : bound.parts)
    parts.push_back({{"what", part.what}, {"amount", part.amount}, {"seconds", part.seconds}});
  return {{"seconds", bound.parts.empty() ? json() : json(bound.seconds)},
          {"limited_by", bound.limited_by},
          {"parts", parts}};
}

json device_json(const KernelGroup& group, const DeviceLimits& device) {
  const LaunchShape shape = shape_of(group.largest);
  const Occupancy o = occupancy(shape, device);
  const Waves w = waves(shape, device);
  return {{"kernel", group.kernel},
          {"launches", group.launches},
          {"blocks_a_multiprocessor", o.blocks},
          {"warps_a_multiprocessor", o.warps},
          {"occupancy", o.share},
          {"limited_by", o.limited_by},
          {"impossible", o.impossible},
          {"registers_known", shape.registers.has_value()},
          {"waves", w.waves},
          {"tail_efficiency", w.tail_efficiency}};
}

json line_json(const Profile& p, const LineCounters& line) {
  const LineCost cost = cost_of(line);
  return {{"file", line.site.file},     {"line", line.site.line},      {"text", source_text(p, line.site)},
          {"space", line.space},        {"operation", line.operation}, {"cost", cost_text(line)},
          {"describe", describe(line)}, {"passes", cost.passes},       {"wasted_passes", cost.wasted}};
}

}  // namespace

json profile_json(const Profile& p) {
  json out = {{"problem", p.problem}, {"place", p.place}, {"device", p.device.name}};
  out["target"] = p.target ? target_json(*p.target) : json();
  out["operations"] = or_null(p.known.operations);
  out["array_bytes"] = or_null(p.known.array_bytes);
  out["predictions"] = json::array();
  for (const PredictedNumber& said : p.predictions)
    out["predictions"].push_back({{"metric", said.metric},
                                  {"said", said.said},
                                  {"size", said.size},
                                  {"after_profile", said.after_profile},
                                  {"truth", or_null(said.truth)},
                                  {"reason", said.why}});
  out["on_device"] = json::array();
  for (const KernelGroup& group : kernel_groups(p.observation))
    out["on_device"].push_back(device_json(group, p.device));
  out["worst_lines"] = json::array();
  for (const LineCounters& line : worst_lines(p.observation))
    out["worst_lines"].push_back(line_json(p, line));
  out["lower_bound"] = bound_json(bound_of(p.observation, p.trace ? &*p.trace : nullptr, p.device, p.known));
  out["observation"] = to_json(p.observation);
  out["hardware"] = p.hardware ? to_json(*p.hardware) : json();
  if (!p.no_hardware.empty()) out["no_hardware"] = p.no_hardware;
  if (p.trace) out["trace"] = json::parse(p.trace->to_json(), nullptr, false);
  return out;
}

}  // namespace ladder::report
