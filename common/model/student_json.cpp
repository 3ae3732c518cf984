#include "common/model/student_json.hpp"

#include "common/base/files/json_fields.hpp"
#include "common/model/result_fields.hpp"

namespace ladder::model {

using nlohmann::json;

void history_fields(auto& entry, auto&& visit) {
  visit("step", entry.step, optional_field);
  visit("verdict", entry.verdict);
  visit("message", entry.message);
  visit("source", entry.source);
  visit("device", entry.device);
  visit("remark", entry.remark, optional_field);
  visit("host", entry.host, optional_field);
  visit("seed", entry.seed);
  visit("time", entry.time);
  visit("points", entry.points, optional_field);
  visit("max_points", entry.max_points, optional_field);
}
void fields(Is<HistoryEntry> auto& entry, auto&& visit) {
  history_fields(entry, visit);
}
void fields(Is<KeptTimes> auto& times, auto&& visit) {
  visit("time", times.time, optional_field);
  visit("ratio", times.ratio, optional_field);
  visit("ratio_interval", times.ratio_interval, optional_field);
}
void fields(Is<KeptVerdict> auto& kept, auto&& visit) {
  history_fields(kept, visit);
  visit("backend", kept.backend);
  visit("data", kept.data);
  visit("details", kept.details, optional_field);
  visit("cases", kept.cases, optional_field);
  visit("targets", kept.targets, optional_field);
  visit("timed", kept.timed, optional_field);
}
void fields(Is<ReportedStep> auto& step, auto&& visit) {
  visit("state", step.state);
  visit("points", step.points);
  visit("numbers", step.numbers);
}
void fields(Is<LastReport> auto& report, auto&& visit) {
  visit("date", report.date);
  visit("steps", report.steps);
}

json to_json(const HistoryEntry& entry) {
  return json_from(entry);
}
json to_json(const KeptVerdict& kept) {
  return json_from(kept);
}
json to_json(const LastReport& report) {
  return json_from(report);
}

namespace {

template <class T>
std::optional<T> known(const json& value) try {
  if (!value.is_object()) return std::nullopt;
  return structure_from<T>(json_fields::known_part<T>(value), "an entry");
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace

std::optional<KeptVerdict> kept_verdict_from_json(const json& entry) {
  auto kept = known<KeptVerdict>(entry);
  return kept && kept->verdict && !kept->source.empty() ? kept : std::nullopt;
}
std::optional<LastReport> last_report_from_json(const json& report) {
  return known<LastReport>(report);
}

}  // namespace ladder::model
