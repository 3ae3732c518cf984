#include "common/report/results/comparison.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace ladder::report {
namespace {

using nlohmann::json;
using StepValues = std::map<std::string, std::string>;

std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool judged_by_clock(const json& kind) {
  const std::string name = kind.value("kind", "");
  return name == "time" || name == "hardware" || name == "reproduce" || name == "profile";
}

/// The points that targets gave leave the time's share of a rung's points out. Balance is processor time,
/// which a clock measures: of it only the verdict and the points have to be the same.
void add_target_values(const json& step, StepValues& values) {
  for (const json& t : step.value("targets", json::array())) {
    const std::string metric = t.value("metric", ""), name = "targets: " + metric;
    for (const std::string field : {"verdict", "measured", "amount", "bound", "points"})
      if (t.contains(field) && (metric != "balance" || (field != "measured" && field != "amount")))
        values[fmt::format("{}, {}", name, field)] = value_text(t[field]);
  }
}

StepValues compared_values(const json& step) {
  StepValues values;
  bool timed = step.contains("time") || step.contains("ratio");
  for (const json& k : step.value("kinds", json::array())) {
    if (judged_by_clock(k)) {
      timed = true;
      continue;
    }
    const std::string kind = k.value("kind", "");
    values[kind] = k.value("verdict", "");
    if (kind == "findings") values["findings, message"] = k.value("message", "");
  }
  for (const json& c : step.value("cases", json::array()))
    values["cases: " + c.value("class", "")] =
        fmt::format("{} of {}", c.value("passed", 0), c.value("of", 0));
  add_target_values(step, values);
  if (timed) return values;
  values["verdict"] = step.value("verdict", "");
  for (const char* field : {"points", "max_points"})
    if (step.contains(field)) values[field] = value_text(step[field]);
  return values;
}

std::string compared_name(const json& step) {
  std::string name = fmt::format("{}/{}", step.value("lesson", ""), step.value("name", ""));
  for (const char* field : {"tree", "mutant", "backend", "phase", "part"})
    if (const std::string text = step.value(field, ""); !text.empty()) name += " " + text;
  return name;
}

std::map<std::string, StepValues> compared_steps(const json& document) {
  std::map<std::string, StepValues> steps;
  const auto add = [&](const json& list) {
    for (const json& step : list) {
      std::string name = compared_name(step);
      while (steps.contains(name)) name += " again";  // the same step on a second device
      steps[name] = compared_values(step);
    }
  };
  add(document.value("steps", json::array()));  // a grade record
  for (const json& lesson : document.value("lessons", json::array()))
    add(lesson.value("steps", json::array()));
  return steps;
}

}  // namespace

Comparison compare(const json& a, const json& b) {
  const auto of_a = compared_steps(a), of_b = compared_steps(b);
  Comparison result;
  const auto value = [](const StepValues& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string("-") : found->second;
  };
  for (const auto& [name, values] : of_a) {
    const auto other = of_b.find(name);
    if (other == of_b.end()) {
      result.differences.push_back({name, "result", "is there", "-"});
      continue;
    }
    ++result.steps;
    std::set<std::string> fields;
    for (const StepValues& both : {values, other->second})
      for (const auto& [field, _] : both) fields.insert(field);
    for (const std::string& field : fields)
      if (value(values, field) != value(other->second, field))
        result.differences.push_back({name, field, value(values, field), value(other->second, field)});
  }
  for (const auto& [name, _] : of_b)
    if (!of_a.contains(name)) result.differences.push_back({name, "result", "-", "is there"});
  return result;
}

}  // namespace ladder::report
