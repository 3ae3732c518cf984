#pragma once
/// @file
/// The results of a timing session for one step.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "common/base/statistics.hpp"
#include "common/judge/session/session.hpp"
#include "common/judge/timing/device_time.hpp"
#include "common/judge/timing/roofline_bound.hpp"
#include "common/model/result.hpp"

namespace ladder {

/// The time of a step, and the times of its peers.
struct TimeResult {
  Interval seconds;
  Parts parts;                ///< medians
  double after = 0;           ///< median of Outcome::after
  double after_of_peers = 0;  ///< the longest such median of a peer
  bool works_late = false;
  std::map<std::string, Interval> ratio;  ///< peer / step of pairs, by peer: "baseline", "below", "cuBLAS"
  std::map<std::string, Interval> peers;  ///< seconds, by peer
  Interval baseline;  ///< of a GPU's rung: seconds of the baseline, timed alone; count 0: none
  Interval noise;     ///< count 0: no bound depends on it
  Work work;
  TimeLowerBound least;
  std::optional<DeviceTime> device{};  ///< nothing: the device has no clock of its own
  std::optional<model::Gain> gain{};   ///< nothing: no GPU, or nothing to compare with
  double foreign_load = 0;             ///< share of the machine that other processes used meanwhile
  std::map<std::string, int> problem;
  std::string size_name;         ///< the name of this size: "class A"; empty: none
  bool content_repeats = false;  ///< the judge cannot compute the result of fresh content in time
  std::shared_ptr<const TimeResult>
      again;  ///< a second timing session, of workers started again; null: the first missed no bound
  std::shared_ptr<const TimeResult>
      further;  ///< at the lesson's further size; null: a call takes too long there
};

/// As records have it, without the second session and the further size.
model::Timing timing_of(const TimeResult& time);

}  // namespace ladder
