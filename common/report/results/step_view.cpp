#include "common/report/results/step_view.hpp"

#include <fmt/format.h>

#include "common/base/text/numbers.hpp"
#include "common/base/text/points_text.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/result_store.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using model::Target;

std::string state_of(const Target& target) {
  if (target.measured && target.verdict == Verdict::inconclusive) return "open";
  if (!target.measured || !target.met) return "not measured";
  return *target.met ? "met" : "missed";
}

std::string counted_text(const Target& target) {
  if (!target.measured) return "not measured";
  const std::string ratio = short_number(*target.measured);
  return target.amount && *target.amount != *target.measured
             ? fmt::format("{} ({}x)", amount_text(*target.amount), ratio)
             : ratio;
}

TargetView target_view(const Target& target) {
  const std::string state = state_of(target);
  return {.metric = target.metric,
          .measured = state == "not measured" ? "-" : short_number(*target.measured),
          .below = target.below ? short_number(*target.below) : "",
          .bound = fmt::format("{} {:g}", target.relation, target.bound),
          .short_bound = relation_sign(target) + " " + short_number(target.bound),
          .state = state,
          .counted = counted_text(target),
          .verdict = std::string(name(target.verdict)),
          .reason = target.reason};
}

/// Rows may be timed at different sizes: "n 768".
std::string short_size(const StepResult& step) {
  std::string size = size_of(step);
  for (auto at = size.find(" = "); at != size.npos; at = size.find(" = ")) size.replace(at, 3, " ");
  return size;
}

std::string device_time(const StepResult& step) {
  if (!device_seconds(step)) return "";
  const model::DeviceTime& time = *step.time->device;
  return interval_text(*time.median, time.low.value_or(0), time.high.value_or(0));
}

}  // namespace

StepView view_of(const StepResult& step) {
  StepView view{.name = step.name,
                .label = label(step),
                .kind = step.kind,
                .data = step.data,
                .device = is_twin(step) ? "twin" : step.device,
                .verdict = shown_verdict(step),
                .remark = short_remark_of(step),
                .size = short_size(step),
                .time = time_short(step),
                .device_time = device_time(step),
                .baseline = ratio_short(step, "baseline"),
                .below = gain_of(step) ? short_number(*gain_of(step)) + "x" : ratio_short(step, "below"),
                .library = library_short(step),
                .performance = performance_of(step)};
  if (step.error && step.error->value) view.error = fmt::format("{:.1e}", *step.error->value);
  if (step.energy && step.energy->joules) view.energy = short_energy(*step.energy->joules);
  if (view.performance && !view.performance->rate.empty())
    view.ceiling = view.performance->rate + ", " + share_text(*view.performance);
  if (step.max_points) view.points = points_text(step.points.value_or(0), *step.max_points, "/");
  for (const Target& target : step.targets) view.targets.push_back(target_view(target));
  return view;
}

}  // namespace ladder::report
