#include "common/report/results/comparison.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "common/model/document_json.hpp"
#include "common/model/grade_json.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;
using StepValues = std::map<std::string, std::string>;

bool judged_by_clock(TestKind kind) {
  return kind == TestKind::time || kind == TestKind::hardware || kind == TestKind::reproduce ||
         kind == TestKind::profile;
}

void add(StepValues& values, const std::string& name, const std::optional<double>& value) {
  if (value) values[name] = fmt::format("{}", *value);
}

/// The points that targets gave leave the time's share of a rung's points out. Balance is processor time,
/// which a clock measures: of it only the verdict and the points have to be the same.
void add_target_values(const StepResult& step, StepValues& values) {
  for (const model::Target& t : step.targets) {
    const std::string target = "targets: " + t.metric + ", ";
    values[target + "verdict"] = name(t.verdict);
    if (t.metric != "balance") {
      add(values, target + "measured", t.measured);
      add(values, target + "amount", t.amount);
    }
    add(values, target + "bound", t.bound);
    add(values, target + "points", t.points);
  }
}

StepValues compared_values(const StepResult& step) {
  StepValues values;
  bool timed = step.time || !step.ratio.empty();
  for (const model::KindResult& k : step.kinds) {
    if (judged_by_clock(k.kind)) {
      timed = true;
      continue;
    }
    values[to_string(k.kind)] = name(k.verdict);
    if (k.kind == TestKind::findings) values["findings, message"] = k.message;
  }
  for (const model::CaseClass& c : step.cases)
    values["cases: " + c.name] = fmt::format("{} of {}", c.passed, c.of);
  add_target_values(step, values);
  if (timed) return values;
  values.emplace("verdict", name(step.verdict));
  add(values, "points", step.points);
  add(values, "max_points", step.max_points);
  return values;
}

class ComparedSteps {
 public:
  /// @param further  what else tells it from other results
  void add(const StepResult& step, const std::vector<std::string>& further = {}) {
    std::string name = step.lesson + "/" + step.name;
    for (const std::string& text : {step.tree, step.mutant, step.backend})
      if (!text.empty()) name += " " + text;
    for (const std::string& text : further)
      if (!text.empty()) name += " " + text;
    while (all.contains(name)) name += " again";  // the same step on a second device
    all[name] = compared_values(step);
  }
  std::map<std::string, StepValues> all;
};

/// @param file  as messages name it
std::map<std::string, StepValues> compared_steps(const json& document, const char* file) {
  ComparedSteps steps;
  if (document.is_object() && document.value("schema", "") == model::grade_schema) {
    for (const model::GradeEntry& step : model::grade_record_from_json(document, file).steps)
      steps.add(step, {step.phase, step.part});
    return steps.all;
  }
  for (const model::LessonResults& lesson : model::document_from_json(document, file).lessons)
    for (const model::DocumentStep& step : lesson.steps) steps.add(step);
  return steps.all;
}

}  // namespace

Comparison compare(const json& a, const json& b) {
  const auto of_a = compared_steps(a, "the first file"), of_b = compared_steps(b, "the second file");
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
