#pragma once
/// @file
/// An interval as JSON, in records and results.

#include "common/base/files/json_fields.hpp"
#include "common/base/statistics.hpp"

namespace ladder {

void fields(Is<Interval> auto& interval, auto&& visit) {
  visit("median", interval.median);
  visit("low", interval.low);
  visit("high", interval.high);
  visit("runs", interval.count);
}

inline nlohmann::json json_of(const Interval& interval) {
  return json_from(interval);
}

}  // namespace ladder
