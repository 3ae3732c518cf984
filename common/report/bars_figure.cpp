/// @file
/// Bars from zero, in groups: how sources draw speedups.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/svg.hpp"
#include "common/report/table.hpp"

namespace ladder::report {
namespace {

constexpr double left = 10, right = svg::width - 10, row = 36, height = 12;
constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* seamed = "stroke-width=\"6\"";

/// A linear axis from zero.
struct Axis {
  double most;
  double at(double value) const { return left + (right - left) * std::clamp(value / most, 0.0, 1.0); }
};

/// A bar with its name and its number above it: the whole width is left for the bar, on a phone too.
std::string drawn(const BarsFigure::Bar& bar, const std::string& fill, const Axis& axis, double y) {
  std::string out = svg::text(left, y + 14, bar.label, "start", seamed) +
                    svg::text(right, y + 14, short_number(bar.value), "end", seamed);
  out += svg::box(left, y + 19, std::max(1.0, axis.at(bar.value) - left), height,
                  fill.empty() ? svg::hatched : fill);
  if (bar.high > bar.low)
    out += svg::interval(axis.at(bar.low), y + 19 + height / 2, axis.at(bar.high), y + 19 + height / 2);
  return out;
}

}  // namespace

std::string bars(const BarsFigure& figure) {
  double most = 0;
  for (const auto& group : figure.groups)
    for (const auto& bar : group.bars) most = std::max({most, bar.value, bar.high});
  if (!(most > 0)) return svg::framed(figure.caption, 0, "");
  const Axis axis{most};
  std::string body;
  double y = 6;
  for (const auto& group : figure.groups) {
    body += svg::text(left, y + 15, group.heading, "start", "font-weight=\"bold\" font-size=\"13\"");
    y += 20;
    const auto is_rung = [](const auto& bar) { return bar.part == Part::rung; };
    const auto rungs = static_cast<std::size_t>(std::count_if(group.bars.begin(), group.bars.end(), is_rung));
    std::size_t rung = 0;
    for (const auto& bar : group.bars) {
      body += drawn(bar, svg::colour(bar.part, rung, rungs), axis, y);
      rung += bar.part == Part::rung;
      y += row;
    }
    y += 8;
  }
  for (const std::string& line : wrapped(figure.unit + "; bars begin at zero", 55)) {
    body += svg::text(left, y + 14, line, "start", small);
    y += 16;
  }
  return svg::framed(figure.caption, y + 8, body);
}

}  // namespace ladder::report
