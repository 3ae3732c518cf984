/// @file
/// One quantity against another: linear or logarithmic axes, marks across, labels at the ends of lines.

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
constexpr const char* seamed = "font-size=\"13\" stroke-width=\"6\"";
constexpr double left = 52, top = 24, bottom = 300;
constexpr double label_gap = 18;  ///< between the end of a line and its label

/// Where lines end: as far to the right as the labels allow.
double right_of(const CurvesFigure& figure) {
  double widest = 0;
  for (const auto& line : figure.lines) widest = std::max(widest, svg::extent(line.label, 13));
  return std::max(svg::width - 10 - label_gap - widest, svg::width / 2);
}

/// Either kind of axis.
class Scale {
 public:
  Scale(const CurvesFigure::Axis& axis, double least, double most, double from, double to)
      : logarithmic_(axis.logarithmic),
        log_(logarithmic_ ? least : 1, logarithmic_ ? most : 10, from, to),
        low_(axis.names.empty() ? 0 : -0.3),
        high_(axis.names.empty() ? most * 1.04 : static_cast<double>(axis.names.size()) - 0.7),
        from_(from),
        to_(to) {}

  double at(double value) const {
    return logarithmic_ ? log_.at(value) : from_ + (value - low_) / (high_ - low_) * (to_ - from_);
  }

  std::vector<double> ticks() const {
    if (logarithmic_) return log_.ticks();
    const double decade = std::pow(10, std::floor(std::log10(high_)));
    double step = decade;
    for (const double share : {0.1, 0.2, 0.5, 1.0})
      if (high_ / (share * decade) <= 6) {
        step = share * decade;
        break;
      }
    std::vector<double> values;
    for (int i = 0; i * step <= high_; ++i) values.push_back(i * step);
    return values;
  }

 private:
  bool logarithmic_;
  svg::LogAxis log_;
  double low_, high_, from_, to_;
};

struct Range {
  double least = 1e300, most = 0;
  void take(double value) {
    if (value > 0) least = std::min(least, value), most = std::max(most, value);
  }
};

std::string plain(double value) {
  if (value >= 10000) return short_number(std::round(value));  // 10,000
  return value >= 1000 || value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                     : fmt::format("{:g}", value);
}

std::string axes(const CurvesFigure& figure, const Scale& xs, const Scale& ys, double right) {
  std::string out;
  for (const double value : ys.ticks())
    out += svg::line(left, ys.at(value), right, ys.at(value), "stroke-opacity=\"0.18\" stroke-width=\"1\"") +
           text(left - 6, ys.at(value) + 4, plain(value), "end", small);
  // On a logarithmic axis the sizes themselves, not decades: they are what was run.
  std::vector<double> values = xs.ticks();
  if (figure.x.logarithmic) {
    values.clear();
    for (const auto& line : figure.lines)
      for (const auto& p : line.points) values.push_back(p.x);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  std::vector<std::string> labels = figure.x.names;
  if (labels.empty())
    for (const double value : values) labels.push_back(plain(value));
  else
    for (values.clear(); values.size() < labels.size();) values.push_back(static_cast<double>(values.size()));
  std::vector<double> places, widths;
  for (std::size_t i = 0; i < values.size(); ++i)
    places.push_back(xs.at(values[i])), widths.push_back(svg::extent(labels[i], 12.5));
  const std::size_t stride = svg::label_stride(places, widths);
  for (std::size_t i = 0; i < values.size(); ++i) {
    out += svg::line(places[i], bottom, places[i], bottom + 5, "stroke-width=\"1\"");
    if ((values.size() - 1 - i) % stride == 0)
      out += text(places[i], bottom + 19, labels[i], "middle", small);
  }
  const auto named = [](const CurvesFigure::Axis& axis) {
    return axis.label + (axis.logarithmic ? ", logarithmic" : "");
  };
  return out + svg::line(left, bottom, right, bottom, "stroke-width=\"1\"") +
         text((left + right) / 2, bottom + 38, named(figure.x), "middle", small) +
         text(10, top - 10, named(figure.y), "start", small);
}

/// Squares for the source, circles for our numbers: readable without colours.
std::string point(Part part, double x, double y, const std::string& fill) {
  if (part == Part::floor) return "";  // a prediction is a line
  const std::string paint = fill.empty() ? "class=\"ink\" fill=\"#888\"" : fmt::format("fill=\"{}\"", fill);
  if (part == Part::source)
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7.6\" height=\"7.6\" {}/>\n", x - 3.8,
                       y - 3.8, paint);
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" {}/>\n", x, y, paint);
}

std::string curve(const CurvesFigure::Line& line, const std::string& stroke, const Scale& xs,
                  const Scale& ys) {
  std::string points, marks;
  for (const auto& p : line.points) {
    const double x = xs.at(p.x), y = ys.at(p.y);
    points += fmt::format("{:.1f},{:.1f} ", x, y);
    if (p.high > p.low && p.low > 0) marks += svg::interval(x, ys.at(p.low), x, ys.at(p.high));
    marks += point(line.part, x, y, stroke);
  }
  const std::string ink =
      stroke.empty() ? "class=\"ink\" stroke=\"#1a1a1a\"" : fmt::format("stroke=\"{}\"", stroke);
  return fmt::format("<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"{}\"{}/>\n", points, ink,
                     line.part == Part::floor ? 1.6 : 2.4,
                     line.part == Part::floor ? " stroke-dasharray=\"6 4\"" : "") +
         marks;
}

}  // namespace

std::string curves(const CurvesFigure& figure) {
  Range x, y;
  for (const auto& line : figure.lines)
    for (const auto& p : line.points) x.take(p.x), y.take(p.y), y.take(p.low), y.take(p.high);
  if (x.most == 0 || y.most == 0) return svg::framed(figure.caption, 0, "");
  const double right = right_of(figure);
  const Scale xs(figure.x, x.least, x.most, left, right), ys(figure.y, y.least, y.most, bottom, top);
  std::string body = axes(figure, xs, ys, std::min(right, xs.at(x.most) + 7));
  double last_mark = 0;
  for (const double mark : figure.marks) {
    if (mark > x.most * 1.04) continue;
    body += svg::line(xs.at(mark), top, xs.at(mark), bottom,
                      "stroke-dasharray=\"2 3\" stroke-width=\"1\" stroke-opacity=\"0.7\"");
    last_mark = xs.at(mark);
  }
  if (last_mark > 0 && !figure.marks_label.empty())
    body += text(std::min(last_mark, right - 4), bottom - 8, figure.marks_label, "end", seamed);
  const auto rungs = static_cast<std::size_t>(std::count_if(
      figure.lines.begin(), figure.lines.end(), [](const auto& l) { return l.part == Part::rung; }));
  std::vector<svg::LineName> names;
  std::vector<std::vector<svg::Point>> drawn;
  std::size_t rung = 0;
  for (const auto& line : figure.lines) {
    if (line.points.empty()) continue;
    body += curve(line, svg::colour(line.part, rung, rungs), xs, ys);
    rung += line.part == Part::rung;
    drawn.emplace_back();
    for (const auto& p : line.points) drawn.back().push_back({xs.at(p.x), ys.at(p.y)});
    names.push_back({.words = line.label, .end = drawn.back().back()});
  }
  svg::place(names, drawn, {left, svg::width - 4, top - 4, bottom + 8}, 13);
  body += svg::drawn(names, 13);
  return svg::framed(figure.caption, bottom + 46, body);
}

}  // namespace ladder::report
