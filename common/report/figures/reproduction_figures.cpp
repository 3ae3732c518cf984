#include "common/report/figures/reproduction_figures.hpp"

#include <algorithm>
#include <limits>
#include <regex>

#include "common/report/figures/kernel_figures.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

Part part_of(const std::string& name) {
  if (name == "baseline") return Part::baseline;
  if (name == "source") return Part::source;
  if (name == "library") return Part::library;
  return name == "floor" ? Part::floor : Part::rung;
}

std::vector<double> numbers(const json& list) {
  std::vector<double> values;
  for (const json& value : list)
    values.push_back(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
  return values;
}

CurvesFigure::Axis axis_of(const json& stated) {
  return {stated.value("label", ""), stated.value("log", false),
          stated.value("names", std::vector<std::string>())};
}

std::string drawn_curves(const json& stated, const Caption& caption) {
  CurvesFigure figure{
      caption, axis_of(stated.value("x", json::object())), axis_of(stated.value("y", json::object())), {}};
  for (const json& line : stated.value("lines", json::array())) {
    CurvesFigure::Line drawn{line.value("label", ""), part_of(line.value("part", "")), {}};
    for (const json& point : line.value("points", json::array())) {
      const std::vector<double> p = numbers(point);
      if (p.size() == 2) drawn.points.push_back({p[0], p[1]});
      if (p.size() == 4) drawn.points.push_back({p[0], p[1], p[2], p[3]});
    }
    figure.lines.push_back(drawn);
  }
  figure.marks = numbers(stated.value("marks", json::array()));
  figure.marks_label = stated.value("marks_label", "");
  return curves(figure);
}

std::string drawn_heat(const json& stated, const Caption& caption) {
  const json rows = stated.value("rows", json::object()), columns = stated.value("columns", json::object());
  HeatFigure figure{caption,
                    rows.value("label", ""),
                    columns.value("label", ""),
                    stated.value("unit", ""),
                    numbers(rows.value("values", json::array())),
                    numbers(columns.value("values", json::array())),
                    {}};
  for (const json& row : stated.value("cells", json::array())) {
    figure.cells.push_back(numbers(row));
    figure.cells.back().resize(figure.columns.size(), std::numeric_limits<double>::quiet_NaN());
  }
  figure.marked = numbers(stated.value("marked", json::array()));
  figure.notes = stated.value("notes", std::vector<std::string>());
  figure.cells.resize(figure.rows.size(),
                      std::vector<double>(figure.columns.size(), std::numeric_limits<double>::quiet_NaN()));
  return heat_map(figure);
}

std::string drawn_stacked(const json& stated, const Caption& caption) {
  StackedFigure figure{caption, stated.value("parts", std::vector<std::string>()), {}};
  for (const json& bar : stated.value("bars", json::array()))
    figure.rows.push_back({bar.value("label", ""), numbers(bar.value("seconds", json::array()))});
  return stacked(figure);
}

std::string drawn_spy(const json& stated, const Caption& caption) {
  SpyFigure figure{caption, {}};
  for (const json& panel : stated.value("panels", json::array())) {
    SpyFigure::Panel drawn{panel.value("label", ""), std::clamp(panel.value("size", 1), 1, 512), {}};
    for (const json& cell : panel.value("cells", json::array()))
      if (const std::vector<double> c = numbers(cell); c.size() == 3)
        drawn.cells.push_back({static_cast<int>(c[0]), static_cast<int>(c[1]), c[2]});
    figure.panels.push_back(drawn);
  }
  return spy(figure);
}

TimelineFigure::What what_of(const std::string& name) {
  using enum TimelineFigure::What;
  if (name == "to_device") return to_device;
  if (name == "to_host") return to_host;
  return name == "host" ? host : kernel;
}

std::string drawn_timeline(const json& stated, const Caption& caption) {
  TimelineFigure figure{caption, {}, stated.value("axis", "")};
  for (const json& track : stated.value("tracks", json::array())) {
    TimelineFigure::Row row{track.value("label", ""), {}, {}};
    for (const json& bar : track.value("bars", json::array()))
      if (const std::vector<double> times = numbers(bar); times.size() >= 2)
        row.bars.push_back({times[0], times[1], what_of(track.value("what", "")), "",  // the row says it
                            times.size() > 2 ? times[2] : 1});
    figure.rows.push_back(row);
  }
  return timeline(figure);
}

std::string drawn(const json& stated, const Caption& caption) {
  const std::string kind = stated.value("kind", "");
  if (kind == "timeline") return drawn_timeline(stated, caption);
  if (kind == "heat") return drawn_heat(stated, caption);
  if (kind == "stacked") return drawn_stacked(stated, caption);
  return kind == "spy" ? drawn_spy(stated, caption) : drawn_curves(stated, caption);
}

/// Whether a figure shows rungs of a GPU: "g4", "registers (g3)", or the streams of a timeline.
bool of_gpu_rungs(const json& stated) {
  static const std::regex rung("(^|\\()g[0-9]+\\b.*");
  if (stated.value("kind", "") == "timeline" || stated.value("kind", "") == "stacked") return true;
  for (const json& line : stated.value("lines", json::array()))
    if (const std::string label = line.value("label", ""); std::regex_search(label, rung)) return true;
  return false;
}

}  // namespace

std::vector<DrawnFigure> stated_figures(const json& record, const std::string& corner, bool has_gpu) {
  std::vector<DrawnFigure> figures;
  for (const json& stated : redrawn_figures(record)) {
    if (!has_gpu && of_gpu_rungs(stated)) continue;
    const Caption caption{stated.value("title", ""), short_alternative(stated.value("alternative", "")),
                          stated.value("corner", corner)};
    figures.push_back({stated.value("name", "figure"), drawn(stated, caption), caption.alternative});
  }
  return figures;
}

}  // namespace ladder::report
