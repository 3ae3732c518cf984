#include "common/report/figures/grade_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/points.hpp"
#include "common/base/text/points_text.hpp"
#include "common/report/figures/svg.hpp"

namespace ladder::report {
namespace {

constexpr const char* small = "font-size=\"12.5\"";
constexpr std::size_t tens = 10;
constexpr std::size_t bins = tens + 2;  // none and all have bins of their own

std::size_t bin_of(double share) {
  if (!(share > 0)) return 0;
  if (share >= 1) return bins - 1;
  return 1 + std::min(tens - 1, static_cast<std::size_t>(share * tens));
}

std::string name_of(std::size_t bin) {
  if (bin == 0) return "none";
  if (bin == bins - 1) return "all";
  return fmt::format("{} to {} %", (bin - 1) * 100 / tens, bin * 100 / tens);
}

}  // namespace

std::string points_histogram(const std::string& step, const std::vector<double>& shares) {
  std::vector<int> counts(bins, 0);
  for (const double share : shares) ++counts[bin_of(share)];
  const int most = std::max(1, *std::max_element(counts.begin(), counts.end()));
  constexpr double left = 10, base = 118, tallest = 84, step_width = (svg::width - 2 * left) / bins;
  std::string body = svg::line(left, base, svg::width - left, base, "stroke-width=\"1\""), said;
  for (std::size_t i = 0; i < bins; ++i) {
    const double height = tallest * counts[i] / most, x = left + step_width * static_cast<double>(i);
    const double middle = x + step_width / 2;
    if (counts[i] > 0) {
      body += svg::box(x + 3, base - height, step_width - 6, height, svg::colour(Part::rung, 0, 1)) +
              svg::text(middle, base - height - 5, std::to_string(counts[i]), "middle", small);
      said += fmt::format("{}{}: {}", said.empty() ? "" : "; ", name_of(i), counts[i]);
    }
    if (i == 0 || i == bins - 1) body += svg::text(middle, base + 16, name_of(i), "middle", small);
    if (i > 1 && i < bins - 1 && i % 2 == 1)
      body += svg::text(x, base + 16, fmt::format("{} %", (i - 1) * 100 / tens), "middle", small);
  }
  body +=
      svg::text(svg::width / 2, base + 34, "share of the points; numbers are submissions", "middle", small);
  const std::string title =
      fmt::format("{}: {} of {} have all points", step, counts[bins - 1], shares.size());
  return svg::framed({.title = title,
                      .alternative = "Submissions by their share of the points. " + said + ".",
                      .corner = ""},
                     base + 44, body);
}

std::string points_curve(const PointsCurve& curve) {
  constexpr double left = 34, right = svg::width - 14, top = 14, base = 130;
  const bool less = curve.relation == "<=";
  const double end = less ? curve.bound * no_points_factor : curve.bound / no_points_factor;
  const double least = std::min({curve.bound, end, curve.measured}),
               most = std::max({curve.bound, end, curve.measured});
  const svg::LogAxis x(least, most, left, right);
  const auto y = [&](double points) { return base - (base - top) * points / curve.max_points; };
  const auto value = [](double ratio) { return fmt::format("{:.3g}x", ratio); };
  std::string body = svg::line(left, base, right, base, "stroke-width=\"1\"");
  for (const double points : {0.0, curve.max_points})
    body += svg::text(left - 6, y(points) + 4, fmt::format("{:g}", points), "end", small);
  const double from = less ? left : right, to = less ? right : left;
  const std::string stroke = "stroke-width=\"2\"";
  body += svg::line(from, y(curve.max_points), x.at(curve.bound), y(curve.max_points), stroke) +
          svg::line(x.at(curve.bound), y(curve.max_points), x.at(end), y(0), stroke) +
          svg::line(x.at(end), y(0), to, y(0), stroke);
  body += svg::text(x.at(curve.bound), base + 16, value(curve.bound), "middle", small) +
          svg::text(x.at(end), base + 16, value(end), "middle", small);
  const double mine = x.at(curve.measured), height = y(curve.points);
  body += svg::line(mine, height, mine, base, "stroke-width=\"1\" stroke-dasharray=\"3 3\"") +
          fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", mine, height,
                      svg::colour(Part::rung, 0, 1));
  // Above the curve, on the side to which it falls; higher where there is no room on that side.
  const std::string yours = fmt::format("yours: {}", value(curve.measured));
  const bool room =
      less ? mine + 9 + svg::extent(yours, 12.5) < right : mine - 9 - svg::extent(yours, 12.5) > left;
  body += svg::text(!room  ? to
                    : less ? mine + 9
                           : mine - 9,
                    room ? height - 7 : height - 32, yours, less == room ? "start" : "end", small);
  body += svg::text((left + right) / 2, base + 36,
                    fmt::format("{} {}, logarithmic", curve.metric, curve.axis), "middle", small);
  const std::string title =
      fmt::format("{}: {} points{}", curve.metric, points_text(curve.points, curve.max_points),
                  curve.next > 0 ? fmt::format(", the next at {:.2g}x", curve.next) : "");
  const std::string said =
      fmt::format("All {:g} points at {}, none at {}, logarithmic between. Measured: {}.", curve.max_points,
                  value(curve.bound), value(end), value(curve.measured));
  return svg::framed({.title = title, .alternative = said, .corner = ""}, base + 46, body);
}

}  // namespace ladder::report
