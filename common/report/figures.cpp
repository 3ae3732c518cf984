#include "common/report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/svg.hpp"
#include "common/report/table.hpp"

namespace ladder::report {
namespace {

using svg::text;

constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* seamed = "stroke-width=\"6\"";  // a seam around letters that stand on lines

/// Smallest and largest time of a ladder.
std::pair<double, double> range_of(const LadderFigure& figure) {
  double least = 1e300, most = 0;
  const auto take = [&](double seconds) {
    if (seconds > 0) least = std::min(least, seconds), most = std::max(most, seconds);
  };
  for (const auto& group : figure.groups) {
    for (const auto& bar : group.bars) take(bar.low), take(bar.high), take(bar.seconds);
    take(group.library), take(group.floor);
  }
  return {least, most};
}

/// A bar with its name and its time above it: the whole width is left for the bar, on a phone too.
std::string drawn(const LadderFigure::Bar& bar, const std::string& fill, const svg::LogAxis& axis,
                  double left, double y) {
  const double height = 13, x = axis.at(bar.seconds);
  const std::string time = short_time(bar.seconds) + (bar.remark.empty() ? "" : "  " + bar.remark);
  // Words first: their seams may cover a line of the ladder, but no bar.
  std::string out =
      text(left, y + 15, bar.label, "start", seamed) + text(svg::width - 10, y + 15, time, "end", seamed);
  out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                     left, y + 20, std::max(1.0, x - left), height, fill);
  if (bar.high > bar.low)
    out += svg::interval(axis.at(bar.low), y + 20 + height / 2, axis.at(bar.high), y + 20 + height / 2);
  return out;
}

/// A line across a group, its label at its lower end.
std::string marked(const std::string& what, double seconds, const char* dash, const svg::LogAxis& axis, double top,
                   double bottom) {
  if (seconds <= 0) return "";
  const double x = axis.at(seconds);
  const std::string label = fmt::format("{} {}", what, short_time(seconds));
  const double half = svg::extent(label, 13) / 2;
  const double at = std::clamp(x, 10 + half, svg::width - 10 - half);
  return svg::line(x, top, x, bottom, fmt::format("stroke-width=\"2.2\"{}", dash)) +
         text(at, bottom + 14, label, "middle", std::string("font-size=\"13\" ") + seamed);
}

std::string grid(const svg::LogAxis& axis, double top, double bottom) {
  std::string out;
  double free = 0;
  for (const double value : axis.ticks()) {
    const double x = axis.at(value), half = svg::extent(short_time(value), 12.5) / 2;
    out += svg::line(x, top, x, bottom, "stroke-opacity=\"0.18\" stroke-width=\"1\"");
    const double at = std::clamp(x, 2 + half, svg::width - 2 - half);
    if (at - half < free) continue;
    out += text(at, bottom + 15, short_time(value), "middle", small);
    free = at + half + 8;
  }
  return out;
}

}  // namespace

std::string ladder_bars(const LadderFigure& figure) {
  if (figure.groups.empty()) return svg::framed(figure.caption, 0, "");
  constexpr double left = 10, row = 38;
  const auto [least, most] = range_of(figure);
  const svg::LogAxis axis(least / 1.6, most, left, svg::width - 10);
  std::string body;
  double y = 6;
  for (const auto& group : figure.groups) {
    if (!group.heading.empty())
      body += text(left, y + 17, group.heading, "start",
                   std::string("font-weight=\"bold\" font-size=\"13\" ") + seamed);
    y += group.heading.empty() ? 0 : 22;
    const double bottom = y + row * static_cast<double>(group.bars.size());
    std::string lines = marked(group.library_name, group.library, "", axis, y + 16, bottom);
    lines += marked("floor", group.floor, " stroke-dasharray=\"7 5\"", axis, y + 16,
                    bottom + (group.library > 0 ? 16 : 0));
    body += lines;
    const auto is_rung = [](const auto& bar) { return bar.part == Part::rung; };
    const auto rungs = static_cast<std::size_t>(std::count_if(group.bars.begin(), group.bars.end(), is_rung));
    std::size_t rung = 0;
    for (const auto& bar : group.bars) {
      body += drawn(bar, svg::colour(bar.part, rung, rungs), axis, left, y);
      // Over the bar once more, faintly: a line that ends at a bar would look like a part of it.
      for (const double mark : {group.library, group.floor})
        if (mark > 0 && mark < bar.seconds)
          body += svg::line(axis.at(mark), y + 20, axis.at(mark), y + 33,
                            "stroke-width=\"1\" stroke-opacity=\"0.6\"");
      rung += bar.part == Part::rung;
      y += row;
    }
    y += 6 + (group.library > 0 ? 16 : 0) + (group.floor > 0 ? 16 : 0);
  }
  body =
      grid(axis, 6, y) + body +
      text(left, y + 34, "time of a call, logarithmic; thin lines: interval of the median", "start", small);
  return svg::framed(figure.caption, y + 42, body);
}

namespace {

struct Frame {
  double left = 56, right = svg::width - 112, top = 22, bottom = 312;
};

std::string axes(const TimeFigure& figure, const svg::LogAxis& xs, const svg::LogAxis& ys, const Frame& f) {
  std::string out;
  for (const double value : ys.ticks()) {
    const double y = ys.at(value);
    out += svg::line(f.left, y, f.right, y, "stroke-opacity=\"0.18\" stroke-width=\"1\"") +
           text(f.left - 6, y + 4, short_time(value), "end", small);
  }
  // The sizes themselves, not decades: they are what was run. Those that would touch the one before stay without a number.
  std::vector<double> sizes;
  for (const auto& line : figure.lines)
    for (const auto& p : line.points) sizes.push_back(p.n);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  double free = 0;
  for (const double n : sizes) {
    const double x = xs.at(n), half = svg::extent(short_number(n), 12.5) / 2;
    out += svg::line(x, f.bottom, x, f.bottom + 5, "stroke-width=\"1\"");
    if (x - half < free) continue;
    out += text(x, f.bottom + 19, fmt::format("{:.0f}", n), "middle", small);
    free = x + half + 6;
  }
  out += svg::line(f.left, f.bottom, f.right, f.bottom, "stroke-width=\"1\"");
  return out + text((f.left + f.right) / 2, f.bottom + 38, "n, logarithmic", "middle", small) +
         text(10, f.top - 8, "time of a call, logarithmic", "start", small);
}

/// Slopes 2 and 3 through the lower left corner, as far as the frame goes.
std::string guides(const svg::LogAxis& xs, const svg::LogAxis& ys, double n0, double n1, double t0,
                   double t1) {
  std::string out;
  for (const double slope : {2.0, 3.0}) {
    const double times = std::min(n1 / n0, std::pow(t1 / t0, 1 / slope));
    const double x = xs.at(n0 * times), y = ys.at(t0 * std::pow(times, slope)), share = 0.6;
    const double label_x = xs.at(n0) + share * (x - xs.at(n0)), label_y = ys.at(t0) + share * (y - ys.at(t0));
    out += svg::line(xs.at(n0), ys.at(t0), x, y,
                     "stroke-opacity=\"0.4\" stroke-dasharray=\"2 5\" stroke-width=\"1.2\"") +
           text(label_x, label_y + 4, slope == 2 ? "n²" : "n³", "middle", std::string(small) + " " + seamed);
  }
  return out;
}

/// Squares for the source, circles for ours: the shape says it without the colour.
std::string point(Part part, double x, double y, const std::string& fill) {
  if (part == Part::source)
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\" fill=\"{}\"/>\n",
                       x - 3.2, y - 3.2, fill);
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"{}\"/>\n", x, y, fill);
}

std::string curve(const TimeFigure::Line& line, const std::string& stroke, const svg::LogAxis& xs,
                  const svg::LogAxis& ys) {
  std::string points, marks;
  for (const auto& p : line.points) {
    const double x = xs.at(p.n), y = ys.at(p.seconds);
    points += fmt::format("{:.1f},{:.1f} ", x, y);
    if (p.high > p.low && p.low > 0) marks += svg::interval(x, ys.at(p.low), x, ys.at(p.high));
    marks += point(line.part, x, y, stroke.empty() ? "#888" : stroke);
  }
  const std::string ink =
      stroke.empty() ? "class=\"ink\" stroke=\"#1a1a1a\"" : fmt::format("stroke=\"{}\"", stroke);
  return fmt::format("<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"2.6\"{}/>\n", points, ink,
                     line.part == Part::floor ? " stroke-dasharray=\"7 5\"" : "") +
         marks;
}

}  // namespace

std::string time_against_n(const TimeFigure& figure) {
  double n0 = 1e300, n1 = 0, t0 = 1e300, t1 = 0;
  for (const auto& l : figure.lines)
    for (const auto& p : l.points) {
      n0 = std::min(n0, p.n), n1 = std::max(n1, p.n);
      t0 = std::min({t0, p.seconds, p.low > 0 ? p.low : p.seconds}), t1 = std::max({t1, p.seconds, p.high});
    }
  if (n1 == 0) return svg::framed(figure.caption, 0, "");
  const Frame f;
  const svg::LogAxis xs(n0, n1, f.left, f.right), ys(t0, t1, f.bottom, f.top);
  std::string body = axes(figure, xs, ys, f);
  const auto rungs = static_cast<std::size_t>(
      std::count_if(figure.lines.begin(), figure.lines.end(), [](auto& l) { return l.part == Part::rung; }));
  struct Label {
    double x, y;
    std::string words;
  };
  std::vector<Label> labels;
  std::size_t rung = 0;
  for (const auto& l : figure.lines) {
    if (l.points.empty()) continue;
    body += curve(l, svg::colour(l.part, rung, rungs), xs, ys);
    rung += l.part == Part::rung;
    labels.push_back({xs.at(l.points.back().n) + 8, ys.at(l.points.back().seconds) + 5, l.label});
  }
  body += guides(xs, ys, n0, n1, t0, t1);
  // Labels stand at the ends of their lines, and below each other where lines end together.
  std::sort(labels.begin(), labels.end(), [](auto& a, auto& b) { return a.y < b.y; });
  for (std::size_t i = 1; i < labels.size(); ++i) labels[i].y = std::max(labels[i].y, labels[i - 1].y + 16);
  for (const auto& label : labels)
    body += text(label.x, label.y, label.words, "start", std::string("font-size=\"13\" ") + seamed);
  return svg::framed(figure.caption, std::max(f.bottom + 46, labels.back().y + 8), body);
}

}  // namespace ladder::report
