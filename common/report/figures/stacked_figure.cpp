/// @file
/// What programs spend their time with: bars from zero, whose parts are one after the other.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "common/report/figures/figures.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

constexpr double left = 10, right = svg::width - 10, height = 16;
constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* fills[] = {"#0072b2", "#e69f00", "#8c8c8c", "#8ccef2"};

double sum(const StackedFigure::Row& row) {
  return std::accumulate(row.seconds.begin(), row.seconds.end(), 0.0);
}

}  // namespace

std::string stacked(const StackedFigure& figure) {
  double most = 0;
  for (const auto& row : figure.rows) most = std::max(most, sum(row));
  if (!(most > 0)) return svg::framed(figure.caption, 0, "");
  std::string body;
  double y = 4;
  for (const auto& row : figure.rows) {
    std::string words;
    for (std::size_t i = 0; i < row.seconds.size() && i < figure.parts.size(); ++i)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", figure.parts[i], short_time(row.seconds[i]));
    body += svg::text(left, y + 13, row.label, "start", "font-size=\"13\" font-weight=\"bold\"");
    body += svg::text(right, y + 13, short_time(sum(row)), "end", "font-size=\"13\"");
    double x = left;
    for (std::size_t i = 0; i < row.seconds.size(); ++i) {
      const double width = row.seconds[i] / most * (right - left);
      body += svg::box(x, y + 19, width, height, fills[i % std::size(fills)]);
      if (i % 2 == 1) body += svg::box(x, y + 19, width, height, svg::hatched);
      x += width;
    }
    for (const std::string& line : wrapped(words, 56))
      body += svg::text(left, y + 50, line, "start", small), y += 16;
    y += 46;
  }
  body += svg::text(left, y + 12, "device time from zero; a bar's parts are named below it", "start", small);
  return svg::framed(figure.caption, y + 20, body);
}

}  // namespace ladder::report
