#include "common/report/figures/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/figures/label_places.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using svg::text;

constexpr const char* small = "font-size=\"12.5\"";

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
  // The sizes themselves, not decades: they are what was run. A size that would touch the one before gets no
  // number.
  std::vector<double> sizes;
  for (const auto& line : figure.lines)
    for (const auto& p : line.points) sizes.push_back(p.n);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<double> places, widths;
  for (const double n : sizes)
    places.push_back(xs.at(n)), widths.push_back(svg::extent(fmt::format("{:.0f}", n), 12.5));
  const std::size_t stride = svg::label_stride(places, widths);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    out += svg::line(places[i], f.bottom, places[i], f.bottom + 5, "stroke-width=\"1\"");
    if ((sizes.size() - 1 - i) % stride == 0)
      out += text(places[i], f.bottom + 19, fmt::format("{:.0f}", sizes[i]), "middle", small);
  }
  out += svg::line(f.left, f.bottom, f.right, f.bottom, "stroke-width=\"1\"");
  return out + text((f.left + f.right) / 2, f.bottom + 38, "n, logarithmic", "middle", small) +
         text(10, f.top - 8, "time of a call, logarithmic", "start", small);
}

/// Slopes 2 and 3 through the lower left corner, up to the frame; their names are placed with those of the
/// lines.
std::string guides(const svg::LogAxis& xs, const svg::LogAxis& ys, double n0, double n1, double t0, double t1,
                   std::vector<svg::LineName>& names, std::vector<std::vector<svg::Point>>& drawn) {
  std::string out;
  for (const double slope : {2.0, 3.0}) {
    const double times = std::min(n1 / n0, std::pow(t1 / t0, 1 / slope));
    const svg::Point from{xs.at(n0), ys.at(t0)}, to{xs.at(n0 * times), ys.at(t0 * std::pow(times, slope))};
    out += svg::line(from.x, from.y, to.x, to.y,
                     "stroke-opacity=\"0.4\" stroke-dasharray=\"2 5\" stroke-width=\"1.2\"");
    drawn.push_back({from, to});
    names.push_back({.words = slope == 2 ? "n²" : "n³", .end = to, .minor = true});
  }
  return out;
}

/// Squares for the source, circles for our numbers: readable without colours.
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

std::string short_alternative(const std::string& text) {
  if (columns(text) <= longest_alternative) return text;
  std::size_t end = 0;
  for (std::size_t at = text.find(". ");
       at != text.npos && columns(text.substr(0, at + 1)) <= longest_alternative;
       at = text.find(". ", at + 1))
    end = at + 1;
  return end > 0 ? text.substr(0, end) : shortened(text, longest_alternative);
}

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
  std::vector<svg::LineName> names;
  std::vector<std::vector<svg::Point>> drawn;
  std::size_t rung = 0;
  for (const auto& l : figure.lines) {
    if (l.points.empty()) continue;
    body += curve(l, svg::colour(l.part, rung, rungs), xs, ys);
    rung += l.part == Part::rung;
    drawn.emplace_back();
    for (const auto& p : l.points) drawn.back().push_back({xs.at(p.n), ys.at(p.seconds)});
    names.push_back({.words = l.label, .end = drawn.back().back()});
  }
  body += guides(xs, ys, n0, n1, t0, t1, names, drawn);
  svg::place(names, drawn, {f.left, svg::width - 4, f.top - 4, f.bottom - 2}, 13);
  return svg::framed(figure.caption, f.bottom + 46, body + svg::drawn(names, 13));
}

}  // namespace ladder::report
