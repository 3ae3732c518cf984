/// @file
/// The roofline.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/figures/kernel_figures.hpp"
#include "common/report/figures/label_places.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* seamed = "stroke-width=\"6\"";

struct Frame {
  double left = 62, right = svg::width - 16, top = 22, bottom = 292;
};

struct Range {
  double x0, x1, y0, y1;
};

/// All points, and the corner where the steepest and the flattest roof meet the peak.
Range range_of(const RooflineFigure& figure) {
  Range r{1e300, 0, 1e300, std::max(figure.peak, figure.upper_peak) * 1.5};
  for (const auto& roof : figure.roofs) {
    const double corner = figure.peak / roof.bandwidth;
    r.x0 = std::min(r.x0, corner / 8), r.x1 = std::max(r.x1, corner * 4);
  }
  for (const auto& point : figure.points) {
    r.x0 = std::min(r.x0, point.intensity / 3), r.x1 = std::max(r.x1, point.intensity * 3);
    r.y0 = std::min(r.y0, point.performance / 4), r.y1 = std::max(r.y1, point.performance * 2);
  }
  double slowest = 1e300;
  for (const auto& roof : figure.roofs) slowest = std::min(slowest, roof.bandwidth);
  r.y0 = std::min(r.y0, std::max(r.x0 * slowest, figure.peak / 1e4));
  return r;
}

std::string axes(const svg::LogAxis& xs, const svg::LogAxis& ys, const Frame& f) {
  std::string out;
  for (const double value : ys.ticks())
    out +=
        svg::line(f.left, ys.at(value), f.right, ys.at(value), "stroke-opacity=\"0.18\" stroke-width=\"1\"") +
        svg::text(f.left - 6, ys.at(value) + 4, short_rate(value, ""), "end", small);
  double free = 0;
  for (const double value : xs.ticks()) {
    const std::string label = fmt::format("{:g}", value);
    const double x = xs.at(value), half = svg::extent(label, 12.5) / 2;
    out += svg::line(x, f.bottom, x, f.bottom + 5, "stroke-width=\"1\"");
    if (x - half < free) continue;
    out += svg::text(x, f.bottom + 19, label, "middle", small);
    free = x + half + 8;
  }
  out += svg::line(f.left, f.bottom, f.right, f.bottom, "stroke-width=\"1\"");
  return out +
         svg::text((f.left + f.right) / 2, f.bottom + 37, "FLOP per byte, logarithmic", "middle", small) +
         svg::text(10, f.top - 8, "FLOP/s, logarithmic", "start", small);
}

/// The marks of points next to them, on no roof, on no name of a roof and not on the walk; points on top of
/// each other have them together: "g1, g2".
/// @param taken  lines through the names of roofs
std::string names_of(const RooflineFigure& figure, const svg::LogAxis& xs, const svg::LogAxis& ys,
                     const Frame& f, double least, const std::vector<std::vector<svg::Point>>& taken) {
  const auto at = [&](double intensity, double performance) {
    return svg::Point{xs.at(intensity), ys.at(performance)};
  };
  std::vector<std::vector<svg::Point>> lines(1);
  for (const auto& point : figure.points) lines[0].push_back(at(point.intensity, point.performance));
  for (const auto& roof : figure.roofs) {
    const double corner = figure.peak / roof.bandwidth, from = least / roof.bandwidth;
    lines.push_back({at(from, least), at(corner, figure.peak), at(corner * 4, figure.peak)});
  }
  lines.insert(lines.end(), taken.begin(), taken.end());
  std::vector<svg::LineName> names;
  std::vector<svg::Point> led;  // where the points of each name are
  for (std::size_t i = 0; i < figure.points.size(); ++i) {
    if (figure.points[i].mark.empty()) continue;
    const auto away = [&](const svg::Point& p) {
      return std::hypot(p.x - lines[0][i].x, p.y - lines[0][i].y);
    };
    const auto nearest = std::ranges::min_element(led, {}, away);
    if (nearest != led.end() && away(*nearest) <= 13) {
      names[static_cast<std::size_t>(nearest - led.begin())].words += ", " + figure.points[i].mark;
      continue;
    }
    led.push_back(lines[0][i]);
    names.push_back({.words = figure.points[i].mark, .end = lines[0][i], .minor = true});
  }
  svg::place(names, lines, {f.left, f.right, f.top, f.bottom}, 12);
  return svg::drawn(names, 12);
}

/// Which way the walk goes: a head in the middle of each part that is long enough for one.
std::string heads_of(const RooflineFigure& figure, const svg::LogAxis& xs, const svg::LogAxis& ys) {
  constexpr double fewest = 40, half = 4;
  std::string out;
  for (std::size_t i = 0; i + 1 < figure.points.size(); ++i) {
    const auto &from = figure.points[i], &to = figure.points[i + 1];
    const double x = xs.at(from.intensity), y = ys.at(from.performance), dx = xs.at(to.intensity) - x,
                 dy = ys.at(to.performance) - y, length = std::hypot(dx, dy);
    if (length < fewest) continue;
    const double ux = dx / length, uy = dy / length, cx = x + dx / 2, cy = y + dy / 2;
    out += fmt::format(
        "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}\" fill=\"none\" class=\"ink\" "
        "stroke=\"#1a1a1a\" "
        "stroke-opacity=\"0.6\" stroke-width=\"1.6\"/>\n",
        cx - half * (ux - uy), cy - half * (uy + ux), cx + half * ux, cy + half * uy, cx - half * (ux + uy),
        cy - half * (uy - ux));
  }
  return out;
}

/// Two lines through a name that is written along a roof: what other names must not cover.
/// @param at     of the roof, below or above the middle of the name
/// @param away   of the name's foot from there
std::vector<std::vector<svg::Point>> through(const std::string& name, svg::Point at, double away,
                                             double degrees) {
  const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180),
               half = svg::extent(name, 12.5) / 2;
  std::vector<std::vector<svg::Point>> lines;
  for (const double y : {away, away - 8})
    lines.push_back({{at.x - half * c - y * s, at.y - half * s + y * c},
                     {at.x + half * c - y * s, at.y + half * s + y * c}});
  return lines;
}

}  // namespace

double attainable(double intensity, double bandwidth, double peak) {
  return std::min(peak, intensity * bandwidth);
}

std::string roofline(const RooflineFigure& figure) {
  if (figure.peak <= 0 || figure.roofs.empty()) return "";
  const Frame f;
  const Range r = range_of(figure);
  const svg::LogAxis xs(r.x0, r.x1, f.left, f.right), ys(r.y0, r.y1, f.bottom, f.top);
  std::string body = axes(xs, ys, f), labels;
  double first_corner = 1e300;
  std::vector<std::vector<svg::Point>> taken;
  for (const auto& roof : figure.roofs) {
    const double corner = figure.peak / roof.bandwidth, from = std::max(r.x0, r.y0 / roof.bandwidth);
    first_corner = std::min(first_corner, corner);
    body += svg::line(xs.at(from), ys.at(from * roof.bandwidth), xs.at(corner), ys.at(figure.peak),
                      roof.dashed ? "stroke-width=\"2\" stroke-dasharray=\"7 5\"" : "stroke-width=\"2\"");
    // The name of the lowest roof is below it: above there may be the next one.
    const bool lowest =
        roof.dashed && std::none_of(figure.roofs.begin(), figure.roofs.end(),
                                    [&](const auto& other) { return other.bandwidth < roof.bandwidth; });
    // On the part of the roof that is farthest from all points.
    double x = 0, farthest = -1;
    for (const double share : {0.42, 0.3, 0.55, 0.68, 0.75}) {
      const double here = from * std::pow(corner / from, share);
      double nearest = 90;
      for (std::size_t i = 0; i < figure.points.size(); ++i) {
        const auto& p = figure.points[i];
        const auto& next = figure.points[std::min(i + 1, figure.points.size() - 1)];
        for (double t = 0; t < 1; t += 0.1)  // and on the walk from it to the next one
          nearest = std::min(
              nearest,
              std::hypot(xs.at(p.intensity * std::pow(next.intensity / p.intensity, t)) - xs.at(here),
                         ys.at(p.performance * std::pow(next.performance / p.performance, t)) -
                             ys.at(here * roof.bandwidth)));
      }
      if (nearest > farthest + 1) farthest = nearest, x = here;
    }
    const double degrees =
        -std::atan2(ys.at(from * roof.bandwidth) - ys.at(figure.peak), xs.at(corner) - xs.at(from)) * 180 /
        M_PI;
    const svg::Point at{xs.at(x), ys.at(x * roof.bandwidth)};
    const double away = lowest ? 16 : -7;
    labels += svg::text(
        at.x, at.y + away, roof.label, "middle",
        fmt::format("{} {} transform=\"rotate({:.1f} {:.1f} {:.1f})\"", small, seamed, degrees, at.x, at.y));
    for (auto& one : through(roof.label, at, away, degrees)) taken.push_back(std::move(one));
  }
  body +=
      svg::line(xs.at(first_corner), ys.at(figure.peak), f.right, ys.at(figure.peak), "stroke-width=\"2\"");
  labels += svg::text(f.right, ys.at(figure.peak) + (figure.upper_peak > 0 ? -4 : -7), figure.peak_label,
                      "end", std::string(small) + " " + seamed);
  if (figure.upper_peak > 0) {
    const double y = ys.at(figure.upper_peak);
    body += svg::line(xs.at(first_corner), y, f.right, y, "stroke-width=\"1.6\" stroke-dasharray=\"7 5\"");
    labels += svg::text(f.right, y - 7, figure.upper_label, "end", std::string(small) + " " + seamed);
  }
  std::string walk;
  double free = f.bottom - 6;  // names without a mark: in the lower right corner, which no roof reaches
  std::string marks;
  std::size_t i = 0;
  for (const auto& point : figure.points) {
    const double x = xs.at(point.intensity), y = ys.at(point.performance);
    walk += fmt::format("{:.1f},{:.1f} ", x, y);
    const std::string fill = svg::colour(Part::rung, i, figure.points.size());
    marks += point.measured
                 ? fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\"/>\n", x, y, fill)
                 : fmt::format(
                       "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" class=\"paper\" fill=\"#fff\" "
                       "stroke=\"{}\" stroke-width=\"3\"/>\n",
                       x, y, fill);
    ++i;
    if (point.mark.empty())
      marks += svg::text(x, y + 4, std::to_string(i), "middle", "font-size=\"10\" font-weight=\"bold\"");
  }
  marks += names_of(figure, xs, ys, f, r.y0, taken);
  for (std::size_t n = figure.points.size(); n-- > 0;)
    if (figure.points[n].mark.empty()) {
      labels += svg::text(f.right, free, fmt::format("{}  {}", n + 1, figure.points[n].label), "end",
                          std::string(small) + " " + seamed);
      free -= 17;
    }
  if (figure.points.size() > 1)
    body +=
        fmt::format(
            "<polyline points=\"{}\" fill=\"none\" class=\"ink\" stroke=\"#1a1a1a\" stroke-opacity=\"0.4\" "
            "stroke-width=\"1.2\"/>\n",
            walk) +
        heads_of(figure, xs, ys);
  double end = f.bottom + 46;
  if (!figure.note.empty()) {
    end += 8;
    labels += svg::paragraph(10, end, figure.note);
  }
  return svg::framed(figure.caption, end, body + labels + marks);
}

}  // namespace ladder::report
