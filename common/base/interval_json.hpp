#pragma once
/// @file
/// An interval as JSON, in records and results.

#include <nlohmann/json.hpp>

#include "common/base/statistics.hpp"

namespace ladder {

/// {"median", "low", "high", "runs"}
inline nlohmann::json json_of(const Interval& i) {
  return {{"median", i.median}, {"low", i.low}, {"high", i.high}, {"runs", i.count}};
}

}  // namespace ladder
