/// @file
/// Drawings of what is worked on: cells of matrices, bars over time, rounds of a tree.

#include <algorithm>

#include "common/report/figures/drawing_figures.hpp"
#include "common/report/figures/svg.hpp"

namespace ladder::report {
namespace {

constexpr double left = 10, right = svg::width - 10;
constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* bold = "font-size=\"13\" font-weight=\"bold\"";
constexpr const char* thin = "class=\"ink\" stroke=\"#1a1a1a\" stroke-width=\"0.5\" stroke-opacity=\"0.5\"";
constexpr const char* strong = "#0072b2";
constexpr double labels = 84;  ///< of rows and rounds

std::string fill_of(char cell) {
  switch (cell) {
    case '#':
      return strong;
    case '+':
      return "#56b4e9";
    case 'o':
      return "#e69f00";
    case '/':
      return svg::hatched;
    default:
      return "none";
  }
}

}  // namespace

std::string drawn(const MatrixDrawing& drawing) {
  const auto n = static_cast<double>(drawing.panels.size());
  const double slot = (right - left) / n;
  std::size_t across = 1, down = 1;
  for (const auto& panel : drawing.panels) {
    down = std::max(down, panel.rows.size());
    for (const auto& row : panel.rows) across = std::max(across, row.size());
  }
  const double cell = std::min(
      {(slot - (n > 1 ? 14 : 0)) / static_cast<double>(across), 150 / static_cast<double>(down), 16.0});
  std::string body;
  for (std::size_t i = 0; i < drawing.panels.size(); ++i) {
    const auto& panel = drawing.panels[i];
    const double x = left + slot * static_cast<double>(i);
    body += svg::text(x, 13, panel.label, "start", bold);
    for (std::size_t r = 0; r < panel.rows.size(); ++r)
      for (std::size_t c = 0; c < panel.rows[r].size(); ++c)
        if (panel.rows[r][c] != ' ')
          body += svg::box(x + cell * static_cast<double>(c), 22 + cell * static_cast<double>(r), cell, cell,
                           fill_of(panel.rows[r][c]), thin);
  }
  double y = 22 + cell * static_cast<double>(down) + 18;
  body += svg::paragraph(left, y, drawing.words);
  return svg::framed(drawing.caption, y, body);
}

std::string drawn(const TimelineDrawing& drawing) {
  static constexpr const char* kinds[] = {strong, "#e69f00", "#009e73", svg::hatched};
  constexpr double height = 16, row_height = 21;
  double end = 0;
  for (const auto& panel : drawing.panels)
    for (const auto& bar : panel.bars) end = std::max(end, bar.to);
  const double unit = (right - left - labels) / end;
  std::string body;
  double y = 0;
  for (const auto& panel : drawing.panels) {
    body += svg::text(left, y + 13, panel.label, "start", bold);
    y += 20;
    for (std::size_t r = 0; r < panel.rows.size(); ++r) {
      const double at = y + row_height * static_cast<double>(r);
      body += svg::text(left, at + 12, panel.rows[r], "start", small) +
              svg::line(left + labels, at + height, right, at + height,
                        "stroke-width=\"0.6\" stroke-opacity=\"0.5\"");
    }
    for (const auto& bar : panel.bars)
      body += svg::box(left + labels + unit * bar.from + 0.5, y + row_height * bar.row,
                       unit * (bar.to - bar.from) - 1, height, kinds[bar.kind]);
    y += row_height * static_cast<double>(panel.rows.size()) + 6;
  }
  y += 14;
  body += svg::paragraph(left, y, drawing.words);
  return svg::framed(drawing.caption, y, body);
}

std::string drawn(const TreeDrawing& drawing) {
  const double step = (right - left - labels) / drawing.lanes, drop = 34, top = 24;
  const auto x_of = [&](int lane) { return left + labels + step * (lane + 0.5); };
  std::string edges, nodes, words;
  for (int lane = 0; lane < drawing.lanes; ++lane) {
    nodes += svg::box(x_of(lane) - 4, top - 4, 8, 8, "#56b4e9");
    if (lane % 4 == 0 || lane == drawing.lanes - 1)
      words += svg::text(x_of(lane), top - 9, std::to_string(lane), "middle", small);
  }
  double y = top;
  for (const auto& round : drawing.rounds) {
    words += svg::text(left, y + drop / 2 + 8, round.label, "start", small);
    std::vector<bool> adds(static_cast<std::size_t>(drawing.lanes));
    for (const auto& edge : round.edges) {
      adds[static_cast<std::size_t>(edge.to)] = true;
      edges += svg::line(x_of(edge.from), y, x_of(edge.to), y + drop, "stroke-width=\"1.3\"");
    }
    for (int lane = 0; lane < drawing.lanes; ++lane) {
      const bool works = adds[static_cast<std::size_t>(lane)];
      if (works && drawing.keeps)
        edges += svg::line(x_of(lane), y, x_of(lane), y + drop, "stroke-width=\"1.3\"");
      nodes += svg::box(x_of(lane) - 4, y + drop - 4, 8, 8, works ? strong : "none", thin);
    }
    y += drop;
  }
  y += 24;
  const std::string below = svg::paragraph(left, y, drawing.words);
  return svg::framed(drawing.caption, y, edges + nodes + words + below);
}

}  // namespace ladder::report
