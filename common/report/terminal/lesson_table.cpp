#include "common/report/terminal/lesson_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/points_text.hpp"
#include "common/base/statistics.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/results/result_store.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

bool is_number(const json& j, const char* field) {
  return j.is_object() && j.contains(field) && j[field].is_number();
}

/// "12.3 ms ±4 %": the median, and half its interval.
std::string interval_cell(const json& t) {
  if (!is_number(t, "median")) return "";
  const double median = t["median"];
  std::string text = short_time(median);
  if (is_number(t, "low") && is_number(t, "high") && median > 0)
    text += fmt::format(" ±{:.0f} %", 50 * (t["high"].get<double>() - t["low"].get<double>()) / median);
  return text;
}

std::string time_cell(const json& step) {
  return interval_cell(step.value("time", json()));
}

/// By the device's own clock.
std::string device_cell(const json& step) {
  return interval_cell(step.value("time", json::object()).value("device", json()));
}

/// "1.21 TFLOP/s, 35 % of FP64"
std::string ceiling_cell(const json& step) {
  const auto performance = performance_of(step);
  if (!performance || performance->rate.empty()) return "";
  return performance->rate + ", " + share_text(*performance);
}

/// "n 768", "class A": rows may be timed at different sizes.
std::string size_cell(const json& step) {
  const json time = step.value("time", json::object());
  std::string text = time.value("size_name", "");
  if (!text.empty()) return text;
  const json problem = time.value("problem", json::object());
  const bool square = problem.contains("n") && std::all_of(problem.begin(), problem.end(),
                                                           [&](const json& v) { return v == problem["n"]; });
  if (square) return fmt::format("n {}", problem["n"].dump());
  for (const auto& [name, value] : problem.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value.dump());
  return text;
}

std::string ratio_cell(const json& step, const char* peer) {
  const auto ratio = ratio_of(step, peer);
  return ratio ? short_number(*ratio) + "x" : "";
}

/// "0.304x cuBLAS"
std::string library_cell(const json& step) {
  const auto library = library_of(step);
  return library ? fmt::format("{}x {}", short_number(library->ratio), library->name) : "";
}

std::string energy_cell(const json& step) {
  const json e = step.value("energy", json());
  return is_number(e, "joules") ? short_energy(e["joules"]) : "";
}

std::string error_cell(const json& step) {
  const json e = step.value("error", json());
  return is_number(e, "value") ? fmt::format("{:.1e}", e["value"].get<double>()) : "";
}

/// Whether the number was measured, but could not be decided.
bool is_open(const json& target) {
  return target.value("verdict", "") == "INCONCLUSIVE" && is_number(target, "measured");
}

std::string target_cell(const json& target) {
  if (is_open(target)) return "open";
  if (!is_number(target, "measured") || !target.contains("met") || !target["met"].is_boolean())
    return "not measured";
  return target["met"].get<bool>() ? "met" : "missed";
}

/// Rows of the second table: the number that each idea must change.
void add_targets(Table& table, const json& step, const std::string& points) {
  const json targets = step.value("targets", json::array());
  for (const json& t : targets) {
    const std::string state = target_cell(t);
    table.add({step.value("name", ""), t.value("metric", ""),
               state == "not measured" ? "-" : short_number(t["measured"]),
               is_number(t, "below") ? short_number(t["below"]) : "",
               fmt::format("{} {:g}", t.value("relation", ""), t.value("bound", 0.0)), state,
               t == targets.front() ? points : ""});
  }
  if (targets.empty() && !points.empty()) table.add({step.value("name", ""), "", "", "", "", "", points});
}

std::string points_cell(const json& step) {
  if (!is_number(step, "max_points")) return "";
  return points_text(step.value("points", 0.0), step["max_points"].get<double>(), "/");
}

std::string hanging(const std::string& head, const std::string& text, std::size_t width) {
  std::string out;
  const std::size_t indent = columns(head) + 2;
  for (const std::string& line : wrapped(text, width > indent + 20 ? width - indent : 20))
    out += (out.empty() ? head + "  " : std::string(indent, ' ')) + line + "\n";
  return out;
}

/// What the column error measures, and the source's own measure with the largest value in the lesson.
std::string measures(const json& lesson, std::size_t width) {
  std::map<std::string, double> bounds, second;
  for (const json& step : lesson.value("steps", json::array())) {
    const json e = step.value("error", json::object());
    if (!e.contains("measure")) continue;
    bounds[e.value("measure", "")] = is_number(e, "bound") ? e["bound"].get<double>() : 0;
    if (is_number(e, "second_value")) {
      double& largest = second[e.value("second_measure", "")];
      largest = std::max(largest, e["second_value"].get<double>());
    }
  }
  std::string out;
  for (const auto& [measure, bound] : bounds)
    out += hanging("error", fmt::format("{}, at most {:g}", measure, bound), width);
  for (const auto& [measure, value] : second)
    out += hanging("next to it", fmt::format("{}: {:.1e} at most here", measure, value), width);
  return out;
}

/// What the column energy counts and what is missing; without the column, why there is none.
std::string energy_note(const json& lesson, std::size_t width) {
  std::set<std::string> sources, reasons;
  for (const json& step : lesson.value("steps", json::array())) {
    const json e = step.value("energy", json::object());
    if (is_number(e, "joules")) sources.insert(e.value("source", ""));
    if (!e.value("reason", "").empty()) reasons.insert(e.value("reason", ""));
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
std::string clock_notes(const json& lesson, std::size_t width) {
  std::string out;
  for (const auto& [field, title] :
       {std::pair("device", "no device time"), std::pair("work", "no percent")}) {
    std::map<std::string, std::string> steps;
    for (const json& step : lesson.value("steps", json::array())) {
      const json part = step.value("time", json::object()).value(field, json::object());
      if (part.contains("reason") && step.value("backend", "") != "executor") {
        std::string& names = steps[part["reason"]];
        names += (names.empty() ? "" : ", ") + label(step);
      }
    }
    for (const auto& [reason, names] : steps) out += hanging(title, names + ": " + reason, width);
  }
  return out;
}

/// Times that were measured next to other programs.
std::string busy_note(const json& lesson, std::size_t width) {
  double largest = 0;
  std::string names;
  for (const json& step : lesson.value("steps", json::array())) {
    const json time = step.value("time", json::object());
    if (!is_number(time, "foreign_load") || time["foreign_load"] <= busy_machine) continue;
    largest = std::max(largest, time["foreign_load"].get<double>());
    names += (names.empty() ? "" : ", ") + label(step);
  }
  if (names.empty()) return "";
  return hanging("busy",
                 fmt::format("other programs used up to {:.0f} % of this machine while {} was timed: such "
                             "times say little about the step",
                             100 * largest, names),
                 width);
}

/// Reasons below the table: of steps that did not pass, of numbers that could not be measured or decided.
std::string reasons(const json& lesson, std::size_t width) {
  std::string out;
  for (const auto& [remark, labels] : labels_by(json::array({lesson}), remark_of))
    out += hanging(fmt::format("{} PASS", fmt::join(labels, ", ")), remark, width);
  for (const json& step : lesson.value("steps", json::array())) {
    if (shown_verdict(step) != "PASS" && !step.value("message", "").empty())
      out += hanging(fmt::format("{} {}", label(step), step.value("verdict", "")), step.value("message", ""),
                     width);
    if (step.value("verdict", "") == "SKIPPED") continue;
    for (const json& t : step.value("targets", json::array()))
      if (!t.value("reason", "").empty())
        out += hanging(fmt::format("{} {} {}", label(step), t.value("metric", "target"), target_cell(t)),
                       t.value("reason", ""), width);
  }
  if (const std::string could = gaps(lesson); !could.empty())
    out += hanging("not confined", "steps " + could, width);
  for (const json& problem : lesson.value("problems", json::array()))
    out += hanging("problem", problem, width);
  return out;
}

std::string cell_text(const json& cell) {
  if (cell.is_string()) return cell;
  return cell.is_number() ? short_number(cell) : "";
}

}  // namespace

std::string lesson_table(const json& lesson, std::size_t width, const Paint& paint) {
  Table table({{"step", false, false, 0},
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
  Table targets({{"step"},
                 {"number to move", false, true},
                 {"measured", true},
                 {"of the rung below", true},
                 {"bound", true},
                 {"target"},
                 {"points", true}});
  for (const json& step : lesson.value("steps", json::array())) {
    const std::string verdict = shown_verdict(step), remark = short_remark_of(step);
    table.add({step.value("name", ""), step.value("kind", ""),
               is_twin(step) ? "twin" : step.value("device", ""), step.value("data", ""),
               (paint ? paint(verdict, 0) : verdict) + (remark.empty() ? "" : ", " + remark),
               error_cell(step), size_cell(step), time_cell(step), device_cell(step), energy_cell(step),
               ratio_cell(step, "baseline"), ratio_cell(step, "below"), library_cell(step),
               ceiling_cell(step)});
    add_targets(targets, step, points_cell(step));
  }
  const std::string title = lesson.value("title", "");
  std::string out = lesson.value("name", "") + (title.empty() ? "" : "  " + title) + "\n\n";
  if (!table.empty()) out += table.text(width);
  if (!targets.empty()) out += "\n" + targets.text(width);
  const std::string notes = measures(lesson, width) + clock_notes(lesson, width) + busy_note(lesson, width) +
                            energy_note(lesson, width) + reasons(lesson, width);
  return out + (notes.empty() ? "" : "\n" + notes);
}

std::string reproduction_table(const json& record, std::size_t width) {
  std::vector<Column> columns;
  for (const json& c : record.value("columns", json::array()))
    columns.push_back({cell_text(c), !cell_text(c).ends_with(", drawn"), true, 0});
  if (!columns.empty()) columns[0].wraps = false;
  Table table(columns);
  for (const json& row : record.value("rows", json::array())) {
    std::vector<std::string> cells;
    for (const json& cell : row) cells.push_back(cell_text(cell));
    table.add(cells);
  }
  std::string out = record.value("title", "") + "\n\n" + table.text(width);
  for (const json& note : record.value("notes", json::array()))
    for (const std::string& line : wrapped(cell_text(note), width)) out += line + "\n";
  return out;
}

}  // namespace ladder::report
