#include "common/report/terminal/lesson_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "common/base/statistics.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/report/results/step_view.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;
using Steps = std::vector<StepResult>;

/// Rows of the second table: the number that each idea must change.
void add_targets(Table& table, const StepView& step) {
  std::string points = step.points;
  for (const TargetView& t : step.targets)
    table.add({step.name, t.metric, t.measured, t.below, t.bound, t.state, std::exchange(points, "")});
  if (!points.empty()) table.add({step.name, "", "", "", "", "", points});
}

std::string hanging(const std::string& head, const std::string& text, std::size_t width) {
  std::string out;
  const std::size_t indent = columns(head) + 2;
  for (const std::string& line : wrapped(text, width > indent + 20 ? width - indent : 20))
    out += (out.empty() ? head + "  " : std::string(indent, ' ')) + line + "\n";
  return out;
}

/// What the column error measures, and the source's own measure with the largest value in the lesson.
std::string measures(const Steps& steps, std::size_t width) {
  std::map<std::string, double> bounds, second;
  for (const StepResult& step : steps) {
    if (!step.error) continue;
    bounds[step.error->measure] = step.error->bound;
    if (!step.error->second_value) continue;
    double& largest = second[step.error->second_measure];
    largest = std::max(largest, *step.error->second_value);
  }
  std::string out;
  for (const auto& [measure, bound] : bounds)
    out += hanging("error", fmt::format("{}, at most {:g}", measure, bound), width);
  for (const auto& [measure, value] : second)
    out += hanging("next to it", fmt::format("{}: {:.1e} at most here", measure, value), width);
  return out;
}

/// What the column energy counts and what is missing; without the column, why there is none.
std::string energy_note(const Steps& steps, std::size_t width) {
  std::set<std::string> sources, reasons;
  for (const StepResult& step : steps) {
    if (!step.energy) continue;
    if (step.energy->joules) sources.insert(step.energy->source);
    if (!step.energy->reason.empty()) reasons.insert(step.energy->reason);
  }
  const std::string missing = fmt::format("{}", fmt::join(reasons, "; "));
  if (sources.empty())
    return reasons.empty() ? "" : hanging("energy", "not readable here: " + missing, width);
  return hanging("energy",
                 fmt::format("a call, of {}; with what idles meanwhile{}", fmt::join(sources, ", or of "),
                             reasons.empty() ? "" : ". Not in it: " + missing),
                 width);
}

/// Why steps have no time on the device, or no percent of a ceiling: each reason once, with the steps that it
/// is for.
std::string clock_notes(const Steps& steps, std::size_t width) {
  using Labels = std::map<std::string, std::vector<std::string>>;  // by reason
  Labels no_time, no_percent;
  for (const StepResult& step : steps) {
    if (!step.time || step.backend == "executor") continue;
    if (step.time->device && !step.time->device->reason.empty())
      no_time[step.time->device->reason].push_back(label(step));
    if (!step.time->work.reason.empty()) no_percent[step.time->work.reason].push_back(label(step));
  }
  std::string out;
  for (const auto& [title, all] : {std::pair("no device time", no_time), std::pair("no percent", no_percent)})
    for (const auto& [reason, labels] : all)
      out += hanging(title, fmt::format("{}: {}", fmt::join(labels, ", "), reason), width);
  return out;
}

/// Times that were measured while other programs ran.
std::string busy_note(const Steps& steps, std::size_t width) {
  double largest = 0;
  std::vector<std::string> labels;
  for (const StepResult& step : steps) {
    if (!step.time || step.time->foreign_load <= busy_machine) continue;
    largest = std::max(largest, step.time->foreign_load);
    labels.push_back(label(step));
  }
  if (labels.empty()) return "";
  return hanging("busy",
                 fmt::format("other programs used up to {:.0f} % of this machine while {} was timed: such "
                             "times say little about the rung",
                             100 * largest, fmt::join(labels, ", ")),
                 width);
}

/// Reasons below the table: of steps that did not pass, of numbers that could not be measured or decided.
std::string reasons(const Steps& steps, std::size_t width) {
  std::string out;
  for (const auto& [remark, labels] : labels_by(steps, remark_of))
    out += hanging(fmt::format("{} PASS", fmt::join(labels, ", ")), remark, width);
  for (const StepResult& step : steps) {
    if (!is_done(step) && !step.message.empty())
      out += hanging(fmt::format("{} {}", label(step), name(step.verdict)), step.message, width);
    if (step.verdict == Verdict::skipped) continue;
    for (const TargetView& t : view_of(step).targets)
      if (!t.reason.empty())
        out += hanging(fmt::format("{} {} {}", label(step), t.metric, t.state), t.reason, width);
  }
  if (const std::string could = gaps(steps); !could.empty())
    out += hanging("not confined", "rungs " + could, width);
  return out;
}

std::string cell_text(const json& cell) {
  if (cell.is_string()) return cell;
  return cell.is_number() ? short_number(cell) : "";
}

}  // namespace

std::string lesson_table(const model::LessonResults& lesson, std::size_t width, const Paint& paint) {
  Table table({{"rung", false, false, 0},
               {"kind", false, false, 7},
               {"device", false, false, 2},
               {"data", false, false, 8},
               {"verdict", false, true, 0},
               {"error", true, false, 5},
               {"size", false, false, 6},
               {"time", true, false, 0},
               {"on device", true, false, 0},
               {"energy", true, false, 4},
               {"baseline", true, false, 0},
               {"below", true, false, 4},
               {"library", true, false, 1},
               {"of its ceiling", true, false, 3}});
  Table targets({{"rung"},
                 {"number to move", false, true},
                 {"measured", true},
                 {"of the rung below", true},
                 {"bound", true},
                 {"target"},
                 {"points", true}});
  const Steps steps(lesson.steps.begin(), lesson.steps.end());
  for (const StepResult& result : steps) {
    const StepView step = view_of(result);
    table.add(
        {step.name, step.kind, step.device, step.data,
         (paint ? paint(step.verdict, 0) : step.verdict) + (step.remark.empty() ? "" : ", " + step.remark),
         step.error, step.size, step.time, step.device_time, step.energy, step.baseline, step.below,
         step.library, step.ceiling});
    add_targets(targets, step);
  }
  std::string out = lesson.name + (lesson.title.empty() ? "" : "  " + lesson.title) + "\n\n";
  if (!table.empty()) out += table.text(width);
  if (!targets.empty()) out += "\n" + targets.text(width);
  std::string notes = measures(steps, width) + clock_notes(steps, width) + busy_note(steps, width) +
                      energy_note(steps, width) + reasons(steps, width);
  for (const std::string& problem : lesson.problems) notes += hanging("problem", problem, width);
  return out + (notes.empty() ? "" : "\n" + notes);
}

std::string reproduction_table(const model::Reproduction& made, std::size_t width) {
  std::vector<Column> columns;
  for (const std::string& column : made.columns)
    columns.push_back({column, !column.ends_with(", drawn"), true, 0});
  if (!columns.empty()) columns[0].wraps = false;
  Table table(columns);
  for (const auto& row : made.rows) {
    std::vector<std::string> cells;
    for (const json& cell : row) cells.push_back(cell_text(cell));
    table.add(cells);
  }
  std::string out = made.title + "\n\n" + table.text(width);
  for (const std::string& note : made.notes)
    for (const std::string& line : wrapped(note, width)) out += line + "\n";
  return out;
}

}  // namespace ladder::report
