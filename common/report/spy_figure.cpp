/// @file
/// Where the entries of a matrix are, as pictures side by side: darker is more.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/report/svg.hpp"

namespace ladder::report {

std::string spy(const SpyFigure& figure) {
  constexpr double top = 24, gap = 16, margin = 10;
  const auto panels = static_cast<double>(std::max<std::size_t>(1, figure.panels.size()));
  const double side = (svg::width - 2 * margin - (panels - 1) * gap) / panels;
  std::string body;
  double left = margin;
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
    left += side + gap;
  }
  return svg::framed(figure.caption, top + side + 10, body);
}

}  // namespace ladder::report
