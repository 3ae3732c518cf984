/// @file
/// Draws a ladder: dots on a logarithmic axis next to their labels. No line crosses a label: there are three
/// columns, and names of lines are above and below the rows that the lines pass.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/figures/figures.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using svg::text;

constexpr double left = 10, plot_left = 166, plot_right = 334, right = svg::width - 10;
constexpr double line_height = 16, strip = 19;
constexpr std::size_t label_columns = 21;
constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* seamed = "stroke-width=\"6\"";  // an outline around letters on top of grid lines

/// The smallest and the largest value of an axis.
struct Range {
  double least = 1e300, most = 0;
  void take(double value) {
    if (value > 0 && std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  }
  svg::LogAxis axis() const {
    const double low = most > 0 ? least : 1, high = most > 0 ? most : 1;
    return {low / 1.25, high * 1.25, plot_left, plot_right};
  }
};

std::string dot(double x, double y, const std::string& fill) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", x, y, fill);
}

std::string ring(double x, double y) {
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.4\" class=\"paper ink\" fill=\"#fff\" stroke=\"#1a1a1a\" "
      "stroke-width=\"1.5\"/>\n",
      x, y);
}

/// A row: its words on the left, its numbers on the right, a thin line between them. @return its height
double row_frame(std::string& out, const std::string& label, const std::vector<std::string>& numbers,
                 double y) {
  const auto lines = wrapped(label, label_columns);
  const double height = line_height * static_cast<double>(std::max(lines.size(), numbers.size())) + 8;
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += text(left, y + 16 + line_height * static_cast<double>(i), lines[i], "start", "font-size=\"13\"");
  for (std::size_t i = 0; i < numbers.size(); ++i)
    out += text(right, y + 16 + line_height * static_cast<double>(i), numbers[i], "end",
                i == 0 ? "font-size=\"13\"" : "font-size=\"12\"");
  out += svg::line(plot_left, y + 12, plot_right, y + 12, "stroke-opacity=\"0.18\" stroke-width=\"1\"");
  return height;
}

/// Lines of a grid with their values below.
template <class Name>
std::string grid(const svg::LogAxis& axis, double top, double bottom, Name&& name) {
  std::string out;
  double free = 0;
  for (const double value : axis.ticks()) {
    const double x = axis.at(value), half = svg::extent(name(value), 12.5) / 2;
    out += svg::line(x, top, x, bottom, "stroke-opacity=\"0.18\" stroke-width=\"1\"");
    if (x - half < free) continue;
    out += text(x, bottom + 15, name(value), "middle", small);
    free = x + half + 8;
  }
  return out;
}

/// The name of a line, above or below the rows that it passes.
std::string name_of_line(const std::string& what, double x, double y) {
  const double half = svg::extent(what, 12.5) / 2;
  const double at = std::clamp(x, std::min(left + half, right - half), right - half);
  return text(at, y, what, "middle", std::string(small) + " " + seamed);
}

std::string heading(const std::string& what, double& y) {
  std::string out;
  for (const std::string& line : wrapped(what, 50)) {
    out += text(left, y + 15, line, "start", std::string("font-weight=\"bold\" font-size=\"13\" ") + seamed);
    y += 18;
  }
  return out;
}

/// "1.95 ms", or "1.95 to 2.10 ms" where timing sessions differ.
std::string time_of_races(double seconds, double most) {
  return short_time(seconds) + (most > 0 ? " to " + short_time(most) : "");
}

std::string times(const LadderFigure::Group& group, const svg::LogAxis& axis, double& y) {
  std::string out, dots;
  if (group.library > 0) y += 4;
  if (group.library > 0)
    out += name_of_line(fmt::format("{} {}", group.library_name.empty() ? "library" : group.library_name,
                                    time_of_races(group.library, group.library_most)),
                        axis.at(group.library), y + 14);
  y += group.library > 0 ? strip : 0;
  const double top = y;
  const auto rungs = static_cast<std::size_t>(std::count_if(
      group.dots.begin(), group.dots.end(), [](const auto& d) { return d.part == Part::rung; }));
  std::size_t rung = 0;
  for (const auto& one : group.dots) {
    std::vector<std::string> numbers = {short_time(one.seconds)};
    if (!one.remark.empty()) numbers.push_back(one.remark);
    const double middle = y + 12;
    y += row_frame(out, one.label, numbers, y);
    if (one.high > one.low) dots += svg::interval(axis.at(one.low), middle, axis.at(one.high), middle);
    if (one.ceiling > 0)
      dots += svg::line(axis.at(one.ceiling), middle - 9, axis.at(one.ceiling), middle + 9,
                        "stroke-width=\"2.2\" stroke-dasharray=\"4 2\"");
    dots += dot(axis.at(one.seconds), middle, svg::colour(one.part, rung, rungs));
    rung += one.part == Part::rung;
  }
  if (group.library > 0)
    out += svg::line(axis.at(group.library), top, axis.at(group.library), y - 4, "stroke-width=\"2.2\"");
  if (group.floor > 0) {
    out += svg::line(axis.at(group.floor), top, axis.at(group.floor), y - 4,
                     "stroke-width=\"2.2\" stroke-dasharray=\"7 5\"") +
           name_of_line(fmt::format("{} {}", group.ceiling.empty() ? "ceiling" : group.ceiling,
                                    short_time(group.floor)),
                        axis.at(group.floor), y + 10);
    y += strip;
  }
  return out + dots;
}

/// "≤ 1.6"
std::string bound_text(const LadderFigure::Idea& idea) {
  return (idea.relation == ">=" ? "≥ " : "≤ ") + short_number(idea.bound);
}

std::string ideas(const LadderFigure::Group& group, double& y) {
  Range range;
  range.take(1);
  for (const auto& one : group.ideas) {
    range.take(one.bound), range.take(one.measured.value_or(0)), range.take(one.below.value_or(0));
  }
  const svg::LogAxis axis = range.axis();
  // A count that should be 0 and is 0: left of every ratio.
  const auto at = [&](double value) { return value > 0 ? axis.at(value) : plot_left; };
  std::string out, dots;
  const double top = y;
  std::size_t rung = 0;
  bool missing = false;
  for (const auto& one : group.ideas) {
    const double middle = y + 12;
    const std::string number = one.measured ? short_number(*one.measured) : "–";
    y += row_frame(out, one.label + ": " + one.metric,
                   {number, one.remark.empty() ? bound_text(one) : bound_text(one) + " " + one.remark}, y);
    dots += svg::line(at(one.bound), middle - 8, at(one.bound), middle + 8, "stroke-width=\"3\"");
    if (one.below) dots += ring(at(*one.below), middle);
    if (one.measured)
      dots += dot(at(*one.measured), middle, svg::colour(Part::rung, rung, group.ideas.size()));
    missing = missing || !one.measured;
    ++rung;
  }
  out = grid(axis, top, y, [](double value) { return short_number(value); }) + out + dots;
  y += 22;
  const std::string key =
      "measured / necessary amount, logarithmic; at the left end: 0. Dot: this rung; ring: the same number "
      "of the "
      "rung below; bar: the bound";
  for (const std::string& line : wrapped(missing ? key + "; –: not measured" : key, 55)) {
    out += text(left, y + 12, line, "start", small);
    y += 16;
  }
  return out;
}

}  // namespace

std::string ladder_dots(const LadderFigure& figure) {
  if (figure.groups.empty()) return svg::framed(figure.caption, 0, "");
  Range range;
  for (const auto& group : figure.groups) {
    for (const auto& one : group.dots)
      range.take(one.low), range.take(one.high), range.take(one.seconds), range.take(one.ceiling);
    range.take(group.library), range.take(group.floor);
  }
  const svg::LogAxis axis = range.axis();
  std::string body, counted;
  double y = 6, first = y;
  for (const auto& group : figure.groups) {
    if (group.dots.empty()) continue;
    if (!group.heading.empty()) body += heading(group.heading, y);
    if (first == 6) first = y;
    body += times(group, axis, y);
    y += 8;
  }
  if (range.most > 0) {
    body = grid(axis, first, y - 6, short_time) + body;
    y += 16;
    std::string key =
        "Time of a call, or on the device where that is said, logarithmic. Thin lines: interval of the "
        "median.";
    for (const std::string& note : figure.notes) key += " " + note;
    for (const std::string& line : wrapped(key, 55)) {
      body += text(left, y + 10, line, "start", small);
      y += 16;
    }
    y += 6;
  }
  for (const auto& group : figure.groups) {
    if (group.ideas.empty()) continue;
    body += heading(group.heading, y);
    body += ideas(group, y);
    y += 8;
  }
  return svg::framed(figure.caption, y + 4, body);
}

}  // namespace ladder::report
