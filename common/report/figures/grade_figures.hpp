#pragma once
/// @file
/// Figures of grades: how many reached which share of the points, and the published curve of points with
/// one's own place on it.

#include <string>
#include <vector>

namespace ladder::report {

/// Submissions by their share of a step's points: none, ten bins, all.
/// @param step  "03/g1"
std::string points_histogram(const std::string& step, const std::vector<double>& shares);

/// A measured target on the curve that gives its points (common/base/points.hpp).
struct PointsCurve {
  std::string metric;    ///< "sectors"
  std::string relation;  ///< "<=": smaller is better; ">="
  double measured = 0, bound = 0, points = 0, max_points = 0;
  double next = 0;  ///< the ratio that gives the next whole point; 0: all are reached
  std::string axis = "over the necessary amount";  ///< what the ratio is to
};
std::string points_curve(const PointsCurve& curve);

}  // namespace ladder::report
