#include "common/judge/target_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/judge/points.hpp"
#include "common/judge/suite.hpp"
#include "common/judge/text.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {

const Step& row_of(const Lesson& lesson, const PlannedStep& step) {
  for (const Step& row : lesson) {
    const std::string file = row.file;
    if (file.substr(0, file.rfind('.')) == step.step) return row;
  }
  throw Failure{
      Verdict::not_run, "the table of " + std::string(lesson.name) + " has no row for " + step.step, {}};
}

double partial_share(const Sheet& sheet) {
  return sheet.verdict() == Verdict::wrong ? sheet.share() : 0.0;
}

TargetResult unmeasured(const Step& row) {
  TargetResult result;
  result.metric = row.target.metric;
  result.relation = row.target.relation;
  result.bound = row.target.bound;
  result.necessary = row.target.necessary;
  result.max_points = row.target_points;
  return result;
}

Measurement measurement_of(const PlannedStep& step, const Step& row) {
  Measurement how;
  const Metric& metric = find_metric(row.target.metric);
  const auto recorded = [&](const std::string& backend) {
    const auto recorder = plan().recorders.find(backend);
    if (recorder != plan().recorders.end() && !recorder->second.empty()) return;
    const auto why = plan().no_recorder.find(backend);
    how.skip =
        why != plan().no_recorder.end() ? why->second : "no recorder for " + backend + " was built here";
  };
  switch (metric.source) {
    case Source::counters:
      how.skip = "counters come with the observed mode";
      break;
    case Source::clock:
      how.skip = "this target is a time: it counts in run and bench";
      break;
    case Source::instructions: {
      const Oclgrind oclgrind = find_oclgrind();
      how.skip = oclgrind.missing;
      how.launch = launch_of(step, row.data);
      how.launch.device = "oclgrind";
      for (const std::string& setting : oclgrind.environment()) {
        const std::size_t equals = setting.find('=');
        how.launch.environment[setting.substr(0, equals)] = setting.substr(equals + 1);
      }
      how.launch.environment["LADDER_OPENCL_DEVICE"] = "0:0";  // the only device that Oclgrind shows
      how.warm_up = 0;
      how.counts_instructions = true;
      break;
    }
    case Source::worker:
      how.launch = launch_of(step, row.data);
      how.launch.team = team_size();
      how.calls = 20;
      break;
    case Source::device:
    case Source::ranks:
      if (step.backend != "executor") recorded(step.backend);  // the executor records by itself
      how.launch = launch_of(step, row.data, true);
      break;
  }
  return how;
}

double measured_amount(const Measurement& how, const Step& row, const Outcome& outcome, Session& session) {
  Extras extras;
  InstructionCounts counts;
  extras.cpu_seconds = outcome.cpu_seconds;
  extras.threads = static_cast<std::size_t>(team_size());
  if (how.counts_instructions) {
    counts = parse_instruction_counts(session.finish());
    extras.instructions = &counts;
  }
  try {
    return metric(row.target.metric, outcome.trace.value_or(Trace{}), extras);
  } catch (const Error& error) {
    throw Failure{Verdict::missed, error.what(), {}};
  }
}

double best_of(const std::vector<double>& amounts, const Step& row) {
  const auto [least, most] = std::minmax_element(amounts.begin(), amounts.end());
  return std::string(row.target.relation) == "<=" ? *least : *most;
}

void judge_target(TargetResult& result, double amount, double necessary, double equal_work, Sheet& sheet) {
  const double ratio = amount / necessary;
  if (equal_work > 1 && ratio > result.bound && ratio / equal_work <= result.bound) {
    skip_target(
        result,
        fmt::format("{:.2f} here, but equal work has {:.2f} on this machine now: its cores are not equal, "
                    "or others use them",
                    ratio, equal_work),
        sheet);
    return;
  }
  result.known = true;
  result.amount = amount;
  result.necessary_amount = necessary;
  result.measured = amount / necessary;
  result.met = result.relation == "<=" ? result.measured <= result.bound : result.measured >= result.bound;
  result.points = result.met ? result.max_points
                             : points_for(result.measured, result.relation, result.bound, result.max_points);
  const std::string said =
      fmt::format("{} {} of {} necessary ({}): {:.3g}x, bound {} {:g}x", result.metric, amount_text(amount),
                  amount_text(necessary), result.necessary, result.measured, result.relation, result.bound);
  if (!result.met) {
    const double next = ratio_of_next_point(result.points, result.relation, result.bound, result.max_points);
    sheet.set(Verdict::missed, said + fmt::format("   {:.1f}/{:g} points (next point at {:.2g}x)",
                                                  result.points, result.max_points, next));
  } else {
    sheet.set(Verdict::pass, said);
  }
  sheet.add(result);
}

void skip_target(TargetResult& result, const std::string& reason, Sheet& sheet) {
  result.reason = reason;
  result.max_points = 0;  // leaves the denominator
  sheet.add(result);
  sheet.set(Verdict::skipped, std::string(result.metric) + ": " + reason);
}

}  // namespace ladder
