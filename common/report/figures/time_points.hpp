#pragma once
/// @file
/// What a step's time is worth: the ratio that its row bounds, its place on the curve of points, what makes
/// it uncertain.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/result.hpp"
#include "common/report/figures/grade_figures.hpp"

namespace ladder::report {

/// A step's time by the bound of its row.
struct TimePoints {
  std::string peer;                     ///< "baseline", "cuBLAS"
  double ratio = 0, low = 0, high = 0;  ///< time of the peer / time of the step, with its interval
  double full = 0, zero = 0;            ///< the ratios that earn all points, and none
  double points = 0, max_points = 0;    ///< as the judge gave them
  double next = 0;                      ///< the ratio that gives the next whole point; 0: all are reached

  /// How much less time the next point takes: 0.13 of 13 %.
  double less_time() const { return next > ratio ? 1 - ratio / next : 0; }
};

/// @param step  a result with kind time. @param row  of the lesson's table
/// Nothing where the row has no bound of time, and where nothing was measured to compare with.
std::optional<TimePoints> time_points_of(const model::StepResult& step, const nlohmann::json& row);

/// "0.17x ----o---- 1.25x": the ratio between no points and all of them, logarithmic.
std::string curve_line(const TimePoints& time, std::size_t width);

/// The same for a page.
PointsCurve curve_of(const TimePoints& time);

/// What makes a time uncertain here, a sentence each: what others used of the machine, how much it differs
/// from itself, how wide the time's interval is. Empty on a quiet machine.
std::vector<std::string> unrest_of(const model::StepResult& step);

}  // namespace ladder::report
