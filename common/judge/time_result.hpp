#pragma once
/// @file
/// What a race finds out about the time of a step.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/judge/session.hpp"
#include "common/judge/statistics.hpp"

namespace ladder {

/// The time of a step beside its peers.
struct TimeResult {
  Interval seconds;
  Parts parts;                ///< medians
  double after = 0;           ///< median of Outcome::after
  double after_of_peers = 0;  ///< the longest of theirs
  bool works_late = false;
  std::map<std::string, Interval> ratio;  ///< peer / step, by peer: "baseline", "below", "cuBLAS"
  Interval noise;
  double foreign_load = 0;  ///< share of the machine that other processes used meanwhile
  std::map<std::string, int> problem;
  std::string size_name;  ///< what the field calls this size: "class A"; empty: it has no name
};

/// Adds "time", "ratio" and "ratio_interval" to a step's record.
void put(const TimeResult& time, nlohmann::json& record);

}  // namespace ladder
