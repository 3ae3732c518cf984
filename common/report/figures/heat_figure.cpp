/// @file
/// A number for each pair of two settings, as a map.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/text/numbers.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

constexpr double left = 58, right = svg::width - 10, top = 44, height = 27;
constexpr const char* small = "font-size=\"12.5\"";

/// From near white to dark blue; a number on it is dark or light, on paper of either kind.
std::string shade(double share) {
  const auto mix = [&](int from, int to) { return static_cast<int>(from + share * (to - from)); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0xe8, 0x00), mix(0xf3, 0x4a), mix(0xfb, 0x7f));
}

}  // namespace

std::string heat_map(const HeatFigure& figure) {
  double least = 1e300, most = 0;
  for (const auto& row : figure.cells)
    for (const double value : row)
      if (std::isfinite(value) && value > 0) least = std::min(least, value), most = std::max(most, value);
  if (most == 0 || figure.columns.empty()) return svg::framed(figure.caption, 0, "");
  const double width = (right - left) / static_cast<double>(figure.columns.size());
  std::string body =
      svg::text(10, 14, figure.rows_label + " ↓   " + figure.columns_label + " →", "start", small);
  for (std::size_t c = 0; c < figure.columns.size(); ++c)
    body += svg::text(left + width * (static_cast<double>(c) + 0.5), top - 8, number_text(figure.columns[c]),
                      "middle", small);
  std::string best;
  bool missing = false;
  for (std::size_t r = 0; r < figure.cells.size(); ++r) {
    const double y = top + height * static_cast<double>(r);
    body += svg::text(left - 8, y + 18, number_text(figure.rows[r]), "end", small);
    for (std::size_t c = 0; c < figure.cells[r].size(); ++c) {
      const double value = figure.cells[r][c], x = left + width * static_cast<double>(c);
      if (!std::isfinite(value)) {
        missing = true;
        body += svg::box(x + 1, y + 1, width - 2, height - 2, svg::hatched);
        continue;
      }
      // Logarithmic when it spans decades: a linear scale would leave one dark cell.
      const double share = most / least > 20 ? std::log(value / least) / std::log(most / least)
                           : most > least    ? (value - least) / (most - least)
                                             : 1;
      body += svg::box(x + 1, y + 1, width - 2, height - 2, shade(share));
      body +=
          svg::text(x + width / 2, y + 18, number_text(value), "middle",
                    fmt::format("font-size=\"12.5\" style=\"fill:{}\"", share > 0.5 ? "#fff" : "#1a1a1a"));
      if (c < figure.marked.size() && figure.marked[c] == figure.rows[r])
        best += svg::box(x + 3.5, y + 3.5, width - 7, height - 7, "none",
                         fmt::format("stroke=\"{}\" stroke-width=\"1.6\" stroke-dasharray=\"4 3\"",
                                     share > 0.5 ? "#fff" : "#1a1a1a"));
      if (value == most)
        best += svg::box(x + 1.5, y + 1.5, width - 3, height - 3, "none",
                         "stroke=\"#e69f00\" stroke-width=\"3\"");
    }
  }
  const double end = top + height * static_cast<double>(figure.cells.size());
  body += best;
  double y = end + 18;
  std::string key = figure.unit + "; framed: the best" + (missing ? "; hatched: not measured" : "");
  for (const std::string& note : figure.notes) key += "\n" + note;
  for (const std::string& words : wrapped(key, 56)) {
    body += svg::text(10, y, words, "start", small);
    y += 16;
  }
  return svg::framed(figure.caption, y - 8, body);
}

}  // namespace ladder::report
