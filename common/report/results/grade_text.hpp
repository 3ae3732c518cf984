#pragma once
/// @file
/// Points and numbers as pages of grades write them.

#include <nlohmann/json.hpp>
#include <string>

#include "common/base/text/points_text.hpp"

namespace ladder::report {

/// A number of a record; 0 where there is none, as in a target that was not measured.
inline double number_of(const nlohmann::json& item, const char* field) {
  const auto at = item.find(field);
  return at != item.end() && at->is_number() ? at->get<double>() : 0;
}

/// "7.5 of 8" of a step or a record.
inline std::string points_of(const nlohmann::json& item) {
  return points_text(number_of(item, "points"), number_of(item, "max_points"));
}

}  // namespace ladder::report
