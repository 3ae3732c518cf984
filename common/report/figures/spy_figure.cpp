/// @file
/// Where the entries of a matrix are, as pictures side by side: darker is more.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/report/figures/svg.hpp"

namespace ladder::report {

std::string spy(const SpyFigure& figure) {
  constexpr double top = 24, gap = 14, margin = 10, axis = 18;  // the axis: space for the word on the left
  constexpr const char* small = "font-size=\"12.5\"";
  const auto panels = static_cast<double>(std::max<std::size_t>(1, figure.panels.size()));
  const double side = (svg::width - 2 * margin - axis - (panels - 1) * gap) / panels;
  std::string body;
  double left = margin + axis;
  const double middle = top + side / 2;
  body += svg::text(
      margin + 10, middle, "rows", "middle",
      std::string(small) + fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", margin + 10, middle));
  for (const SpyFigure::Panel& panel : figure.panels) {
    const double cell = side / std::max(1, panel.size);
    double most = 1;
    for (const SpyFigure::Cell& c : panel.cells) most = std::max(most, c.entries);
    body += svg::text(left, 14, panel.label, "start", "font-size=\"12.5\"");
    body += svg::box(left, top, side, side, "none", "class=\"ink\" stroke-width=\"0.5\"");
    for (const SpyFigure::Cell& c : panel.cells) {
      if (c.row < 0 || c.row >= panel.size || c.column < 0 || c.column >= panel.size) continue;
      // Logarithmic: on a linear scale one would see only the diagonal of a sparse matrix.
      const double share = 0.25 + 0.75 * std::log1p(std::max(0.0, c.entries)) / std::log1p(most);
      char opacity[32];
      std::snprintf(opacity, sizeof opacity, "fill-opacity=\"%.2f\"", share);
      body += svg::box(left + cell * c.column, top + cell * c.row, cell, cell, "#0072b2", opacity);
    }
    body += svg::text(left + side / 2, top + side + 16, "columns", "middle", small);
    left += side + gap;
  }
  body += svg::text(margin, top + side + 36, "strong colour: many entries; none: no entry", "start", small);
  return svg::framed(figure.caption, top + side + 44, body);
}

}  // namespace ladder::report
