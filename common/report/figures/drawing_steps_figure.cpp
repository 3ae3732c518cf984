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
    for (const double at : panel.barriers)
      body += svg::line(left + labels + unit * at, y - 3, left + labels + unit * at,
                        y + row_height * static_cast<double>(panel.rows.size()) - 2, "stroke-width=\"2.2\"");
    y += row_height * static_cast<double>(panel.rows.size()) + 6;
  }
  y += 14;
  body += svg::paragraph(left, y, drawing.words);
  return svg::framed(drawing.caption, y, body);
}

namespace {

/// Where the lanes and rounds of a tree are.
class TreePlaces {
 public:
  explicit TreePlaces(const TreeDrawing& drawing)
      : drawing_(drawing), step_((right - left - labels) / drawing.lanes) {}

  double x_of(int lane) const { return left + labels + step_ * (lane + 0.5); }
  double first() const { return drawing_.groups.name.empty() ? 24 : 44; }
  double y_of(std::size_t round) const {
    return first() + (drawing_.groups.lanes > 0 ? 30 : 34) * static_cast<double>(round);
  }

  /// The numbers of the lanes, and the names of their groups.
  std::string heads() const {
    std::string out;
    for (int lane = 0; lane < drawing_.lanes; ++lane)
      if (!drawing_.numbers.empty())
        out += svg::text(x_of(lane), first() - 12,
                         std::to_string(drawing_.numbers[static_cast<std::size_t>(lane)]), "middle", small);
      else if (lane % 4 == 0 || lane == drawing_.lanes - 1)
        out += svg::text(x_of(lane), first() - 9, std::to_string(lane), "middle", small);
    const auto& [size, name] = drawing_.groups;
    for (int lane = 0; size > 0 && lane < drawing_.lanes; lane += size)
      out += svg::text((x_of(lane) + x_of(lane + size - 1)) / 2, 13, name + " " + std::to_string(lane / size),
                       "middle", bold);
    return out;
  }

  /// Around the lanes of each group, from the round where values begin to stay in registers to the last one.
  std::string frames() const {
    std::string out;
    const int size = drawing_.groups.lanes;
    const auto stays = [&](std::size_t r) {
      return r < drawing_.rounds.size() && drawing_.rounds[r].way == TreeDrawing::Way::registers;
    };
    for (std::size_t r = 0; size > 0 && r < drawing_.rounds.size(); ++r) {
      if (!stays(r) || (r > 0 && stays(r - 1))) continue;
      std::size_t end = r;
      while (stays(end)) ++end;
      for (int lane = 0; lane < drawing_.lanes; lane += size)
        out += svg::box(x_of(lane) - 8, y_of(r) - 8, step_ * (size - 1) + 16, y_of(end) - y_of(r) + 16,
                        "#56b4e9", "fill-opacity=\"0.22\" rx=\"4\"");
    }
    return out;
  }

 private:
  const TreeDrawing& drawing_;
  double step_;
};

}  // namespace

std::string drawn(const TreeDrawing& drawing) {
  using Way = TreeDrawing::Way;
  const TreePlaces places(drawing);
  std::string edges, nodes, words;
  for (int lane = 0; lane < drawing.lanes; ++lane)
    nodes += svg::box(places.x_of(lane) - 4, places.first() - 4, 8, 8, "#56b4e9");
  for (std::size_t r = 0; r < drawing.rounds.size(); ++r) {
    const auto& round = drawing.rounds[r];
    const double y = places.y_of(r), next = places.y_of(r + 1);
    words += svg::text(left, (y + next) / 2 + 8, round.label, "start", small);
    std::vector<bool> adds(static_cast<std::size_t>(drawing.lanes));
    for (const auto& edge : round.edges) {
      adds[static_cast<std::size_t>(edge.to)] = true;
      edges += svg::line(places.x_of(edge.from), y, places.x_of(edge.to), next,
                         round.way == Way::shared ? "stroke-width=\"1.3\" stroke-dasharray=\"4 3\""
                                                  : "stroke-width=\"1.3\"");
    }
    const char* const fill = round.way == Way::shared   ? "#009e73"
                             : round.way == Way::result ? "#e69f00"
                                                        : strong;
    for (int lane = 0; lane < drawing.lanes; ++lane) {
      const bool works = adds[static_cast<std::size_t>(lane)];
      const double x = places.x_of(lane);
      if (works && drawing.keeps && round.way == Way::registers)
        edges += svg::line(x, y, x, next, "stroke-width=\"1.3\"");
      nodes += svg::box(x - 4, next - 4, 8, 8, works ? fill : "none", thin);
    }
  }
  double y = places.y_of(drawing.rounds.size()) + 24;
  const std::string below = svg::paragraph(left, y, drawing.words);
  return svg::framed(drawing.caption, y, places.frames() + edges + nodes + places.heads() + words + below);
}

}  // namespace ladder::report
