#include "common/report/lesson_table.hpp"

#include <fmt/format.h>

#include "common/report/results.hpp"
#include "common/report/table.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

bool is_number(const json& j, const char* field) { return j.is_object() && j.contains(field) && j[field].is_number(); }

/// "12.3 ms ±4 %": the median, and half its interval.
std::string time_cell(const json& step) {
  const json t = step.value("time", json());
  if (!is_number(t, "median")) return "";
  const double median = t["median"];
  std::string text = short_time(median);
  if (is_number(t, "low") && is_number(t, "high") && median > 0)
    text += fmt::format(" ±{:.0f} %", 50 * (t["high"].get<double>() - t["low"].get<double>()) / median);
  return text;
}

std::string ratio_cell(const json& step, const char* peer) {
  const json r = step.value("ratio", json());
  return is_number(r, peer) ? short_number(r[peer]) + "x" : "";
}

std::string error_cell(const json& step) {
  const json e = step.value("error", json());
  return is_number(e, "value") ? fmt::format("{:.1e}", e["value"].get<double>()) : "";
}

/// "bytes 1.02 <= 1.1 met"
std::string target_cell(const json& step) {
  std::string text;
  for (const json& t : step.value("targets", json::array())) {
    const std::string metric = t.value("metric", "");
    const bool known = is_number(t, "measured") && t.contains("met") && t["met"].is_boolean();
    text += (text.empty() ? "" : "; ") +
            (known ? fmt::format("{} {} {} {:g} {}", metric, short_number(t["measured"]), t.value("relation", ""),
                                 t.value("bound", 0.0), t["met"].get<bool>() ? "met" : "missed")
                   : metric + " -");
  }
  return text;
}

std::string points_cell(const json& step) {
  if (!is_number(step, "max_points")) return "";
  return fmt::format("{:.2g}/{:.2g}", step.value("points", 0.0), step["max_points"].get<double>());
}

std::string hanging(const std::string& head, const std::string& text, std::size_t width) {
  std::string out;
  const std::size_t indent = columns(head) + 2;
  for (const std::string& line : wrapped(text, width > indent + 20 ? width - indent : 20))
    out += (out.empty() ? head + "  " : std::string(indent, ' ')) + line + "\n";
  return out;
}

/// Reasons below the table: of steps that did not pass, and of targets that could not be measured.
std::string reasons(const json& lesson, std::size_t width) {
  std::string out;
  for (const json& step : lesson.value("steps", json::array())) {
    if (step.value("verdict", "") != "PASS" && !step.value("message", "").empty())
      out += hanging(fmt::format("{} {}", label(step), step.value("verdict", "")), step.value("message", ""), width);
    if (step.value("verdict", "") == "SKIPPED") continue;
    for (const json& t : step.value("targets", json::array()))
      if (!t.value("reason", "").empty())
        out += hanging(fmt::format("{} {} not measured", label(step), t.value("metric", "target")), t.value("reason", ""), width);
  }
  for (const json& problem : lesson.value("problems", json::array())) out += hanging("problem", problem, width);
  return out;
}

std::string cell_text(const json& cell) {
  if (cell.is_string()) return cell;
  return cell.is_number() ? short_number(cell) : "";
}

}  // namespace

std::string lesson_table(const json& lesson, std::size_t width, const Paint& paint) {
  Table table({{"step", false, false, 0},
               {"kind", false, false, 8},
               {"device", false, true, 4},
               {"data", false, false, 9},
               {"verdict", false, false, 0},
               {"error", true, false, 7},
               {"time", true, false, 0},
               {"vs base", true, false, 0},
               {"vs below", true, false, 3},
               {"vs lib", true, false, 2},
               {"vs floor", true, false, 5},
               {"target", false, true, 0},
               {"points", true, false, 0}});
  for (const json& step : lesson.value("steps", json::array())) {
    const std::string verdict = step.value("verdict", "");
    table.add({step.value("name", ""), step.value("kind", ""), step.value("device", ""), step.value("data", ""),
               paint ? paint(verdict, 0) : verdict, error_cell(step), time_cell(step), ratio_cell(step, "baseline"),
               ratio_cell(step, "below"), ratio_cell(step, "library"), ratio_cell(step, "floor"), target_cell(step),
               points_cell(step)});
  }
  const std::string title = lesson.value("title", "");
  std::string out = lesson.value("name", "") + (title.empty() ? "" : "  " + title) + "\n\n";
  if (!table.empty()) out += table.text(width);
  const std::string why = reasons(lesson, width);
  return out + (why.empty() ? "" : "\n" + why);
}

std::string reproduction_table(const json& record, std::size_t width) {
  std::vector<Column> columns;
  for (const json& c : record.value("columns", json::array())) columns.push_back({cell_text(c), true, true, 0});
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
