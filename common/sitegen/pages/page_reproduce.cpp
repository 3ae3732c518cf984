/// @file
/// Tables of the source next to ours: narrow enough for a phone, and as a figure.

#include <fmt/format.h>

#include <optional>

#include "common/base/text/numbers.hpp"
#include "common/model/document_json.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/figures/reproduction_figures.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

std::string words(const json& cell) {
  return cell.is_string() ? cell.get<std::string>() : cell.is_number() ? short_number(cell) : "";
}

/// A cell that is only a number: extrapolated values have words.
std::optional<double> number(const json& cell) {
  if (cell.is_number()) return cell.get<double>();
  return parsed_number(words(cell));
}

/// "theirs, naive" -> "theirs", "naive"
std::pair<std::string, std::string> parts(const std::string& title) {
  const auto comma = title.find(", ");
  return comma == std::string::npos ? std::pair(title, std::string())
                                    : std::pair(title.substr(0, comma), title.substr(comma + 2));
}

/// Neighbouring columns of one owner are joined in one cell: "theirs: naive → reduced (gain)".
struct Group {
  std::string title;
  std::vector<std::size_t> columns;
  bool gain = false;  ///< the last column is the gain of the others
};

std::vector<Group> groups_of(const json& columns) {
  std::vector<Group> groups;
  std::string owner;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto [who, what] = parts(words(columns[c]));
    if (what == "median") continue;  // is in the stored file
    if (!groups.empty() && !owner.empty() && who == owner) {
      groups.back().title += " → " + what;
      groups.back().columns.push_back(c);
    } else if (!groups.empty() && !owner.empty() && words(columns[c]) == "gain") {
      groups.back().title += " (gain)";
      groups.back().columns.push_back(c);
      groups.back().gain = true;
      owner.clear();
    } else {
      owner = what.empty() ? "" : who;
      groups.push_back({what.empty() ? who : who + ": " + what, {c}});
    }
  }
  return groups;
}

std::string cell_of(const json& row, const Group& group) {
  std::string text;
  for (std::size_t i = 0; i < group.columns.size(); ++i) {
    const std::string part = group.columns[i] < row.size() ? words(row[group.columns[i]]) : "";
    const bool gain = group.gain && i + 1 == group.columns.size();
    if (gain)
      text += part.empty() ? "" : " (" + part + ")";
    else
      text += (i == 0 ? "" : " → ") + part;
  }
  return text;
}

/// Every column by itself, for a record that states its figures. The figure is above the table, so no column
/// draws it again; empty columns are left out.
std::vector<Group> columns_of(const json& columns, const json& rows) {
  const auto filled = [&](std::size_t c) {
    for (const json& row : rows)
      if (c < row.size() && !words(row[c]).empty()) return true;
    return false;
  };
  std::vector<Group> groups;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string title = words(columns[c]);
    if (title != "drawn" && parts(title).second != "drawn" && filled(c)) groups.push_back({title, {c}});
  }
  return groups;
}

Lines table_of(const json& record) {
  const json columns = record.value("columns", json::array());
  const json rows = record.value("rows", json::array());
  const std::vector<Group> groups =
      record.contains("figures") ? columns_of(columns, rows) : groups_of(columns);
  Lines titles;
  for (const Group& group : groups) titles.push_back(group.title);
  Lines lines = markdown_head(titles);
  for (const json& row : rows) {
    std::vector<std::string> cells;
    for (const Group& group : groups) cells.push_back(cell_of(row, group));
    lines.push_back(markdown_row(cells));
  }
  return lines;
}

/// The sentence that compares both, as the judge computed it: the title of the figure.
std::string finding(const json& record) {
  for (const json& note : record.value("notes", json::array()))
    if (words(note).rfind("At n = ", 0) == 0)
      return restated(words(note).substr(0, words(note).find_last_not_of(". ") + 1));
  return record.value("title", "");
}

/// The interval of a cell "0.0123 (0.0120 to 0.0130)".
void take_interval(const json& cell, TimeFigure::Point& point) {
  double median = 0, low = 0, high = 0;
  if (std::sscanf(words(cell).c_str(), "%lf (%lf to %lf)", &median, &low, &high) == 3 && low > 0)
    point = {point.n, median, low, high};
}

/// Lines of columns "owner, what" against the first column.
TimeFigure figure_of(const json& record, const StoredDocument& document) {
  TimeFigure figure;
  const json columns = record.value("columns", json::array()), rows = record.value("rows", json::array());
  for (std::size_t c = 1; c < columns.size(); ++c) {
    const auto [who, what] = parts(words(columns[c]));
    if (what.empty() || what == "median") continue;
    TimeFigure::Line line{who + ", " + what, who == "theirs" ? Part::source : Part::rung, {}};
    std::size_t median = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (words(columns[i]) == what + ", median" && who == "ours") median = i;
    for (const json& row : rows) {
      const auto n = number(row[0]), seconds = c < row.size() ? number(row[c]) : std::nullopt;
      if (!n || !seconds || *n <= 0 || *seconds <= 0) continue;
      line.points.push_back({*n, *seconds});
      if (median < row.size()) take_interval(row[median], line.points.back());
    }
    if (!line.points.empty()) figure.lines.push_back(line);
  }
  figure.caption.title = finding(record);
  figure.caption.alternative = short_alternative(
      fmt::format("{}. {}: time against n.", figure.caption.title, record.value("title", "")));
  figure.caption.corner =
      "theirs: means; ours: medians and their intervals\n" + StoredMachine::facts(document);
  return figure;
}

}  // namespace

Lines PartMaker::reproduce(const std::string& page, const std::string& lesson) {
  rows(lesson);
  Lines lines;
  for (const StoredMachine& machine : machines_) {
    bool found = false;
    for (const StoredDocument& document : machine.reproductions) {
      const auto& facts = document.results.machine;
      const bool has_gpu = facts && !gpus_of(*facts).empty();
      const model::LessonResults* results = document.lesson(lesson);
      if (!results) continue;
      std::size_t number = 0;
      json records = to_json(results->reproductions);  // figures are drawn of what the records state
      if (facts) mark_residency(records, *facts);
      for (const json& record : records) {
        found = true;
        if (record.value("rows", json::array()).empty()) continue;
        if (!lines.empty()) lines.push_back("");
        lines.insert(lines.end(),
                     {fmt::format("{}. {}", record.value("title", ""), source_of(page, document)), ""});
        const auto show = [&](const std::string& which, const std::string& svg,
                              const std::string& alternative) {
          const std::string file = fmt::format("lessons/{}/figures/{}-{}{}.svg", lesson,
                                               document.file.stem().string(), machine.folder, which);
          figures_[file] = svg;
          lines.insert(lines.end(), {"!" + link(page, file, alternative), ""});
        };
        for (const DrawnFigure& figure : stated_figures(record, StoredMachine::facts(document), has_gpu))
          show("-" + figure.name, figure.svg, figure.alternative);
        const TimeFigure figure = record.contains("figures") ? TimeFigure{} : figure_of(record, document);
        if (!figure.lines.empty())
          show(number == 0 ? "" : fmt::format("-{}", number + 1), time_against_n(figure),
               figure.caption.alternative);
        const Lines table = table_of(record);
        lines.insert(lines.end(), table.begin(), table.end());
        lines.push_back("");
        for (const json& note : record.value("notes", json::array()))
          lines.push_back("- " + restated(words(note)));
        ++number;
      }
    }
    if (!found) {
      // Not a list item: it would become part of the notes of the machine before.
      if (!lines.empty()) lines.push_back("");
      lines.push_back(not_measured(machine.name));
    }
  }
  if (machines_.empty()) lines = {"*not measured yet on any machine: docs/results has no run*"};
  return lines;
}

}  // namespace ladder::report
