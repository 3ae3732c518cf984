#pragma once
/// @file
/// Points for a ratio: the published curve.

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ladder {

/// How far beyond its bound a ratio earns nothing: full at 1.1 x, none at 8 x.
constexpr double no_points_factor = 8 / 1.1;

/// Points for a measured ratio: all at the bound or better, none at no_points_factor beyond it, logarithmic
/// between.
/// @param relation "<=": smaller is better; ">=": larger is better.
inline double points_for(double measured, std::string_view relation, double bound, double max_points) {
  const double beyond = relation == "<=" ? measured / bound : bound / measured;
  if (!(beyond > 1)) return beyond > 0 ? max_points : 0;  // NaN and negative ratios earn nothing
  return max_points * std::max(0.0, 1 - std::log(beyond) / std::log(no_points_factor));
}

/// Points for a ratio of which larger is better, where it is stated what earns nothing: all at @p full and
/// above, none at @p zero and below, logarithmic between.
inline double points_between(double measured, double zero, double full, double max_points) {
  if (!(measured > zero)) return 0;
  return measured >= full ? max_points : max_points * std::log(measured / zero) / std::log(full / zero);
}

/// The ratio at which the next whole point is reached; the message shows it to the student.
inline double ratio_of_next_point(double points, std::string_view relation, double bound, double max_points) {
  const double next = std::min(max_points, std::floor(points + 1));
  const double beyond = std::pow(no_points_factor, 1 - next / max_points);
  return relation == "<=" ? bound * beyond : bound / beyond;
}

}  // namespace ladder
