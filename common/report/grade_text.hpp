#pragma once
/// @file
/// Points and numbers as pages of grades write them.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace ladder::report {

/// "8" or "7.55", as grade::points_text: page and CSV say the same.
inline std::string points_text(double points) {
  return fmt::format("{:.6g}", std::round(points * 100) / 100);
}

/// A number of a record; 0 where there is none, as in a target that was not measured.
inline double number_of(const nlohmann::json& item, const char* field) {
  const auto at = item.find(field);
  return at != item.end() && at->is_number() ? at->get<double>() : 0;
}

/// "7.5 of 8" of a step or a record.
inline std::string points_of(const nlohmann::json& item) {
  return fmt::format("{} of {}", points_text(number_of(item, "points")),
                     points_text(number_of(item, "max_points")));
}

}  // namespace ladder::report
