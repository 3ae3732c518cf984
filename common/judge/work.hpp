#pragma once
/// @file
/// What a problem asks of a device (Work, a row's model), against what the device can do at best (doctor's ceilings): the
/// ceiling that binds, and the time that no honest step is below.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/judge/plan.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {

struct ProblemShape;
struct TimeResult;
class Sheet;

/// What a call has to bring to the device and back, in bytes; 0 where the data are there.
struct Transfers {
  double to_device = 0, from_device = 0;
};

/// A ceiling and the time that the work takes below it.
struct Bound {
  std::string ceiling;  ///< "FP64", "memory"; empty: none is known
  std::string unit;     ///< "op", "flop", "byte": of the amount
  double amount = 0, seconds = 0;
};

/// What is known of the least time of a problem on a device.
struct LeastTime {
  Bound binding;       ///< what takes longest at its ceiling; a cache counts where it holds everything
  double floor = 0;    ///< seconds that no step which does the work is below, less 10 %; 0: not known
  std::string reason;  ///< why nothing is known
};

/// The ceiling that binds and the floor. Each amount alone is a bound, since the units of a device work at the same time.
LeastTime least_time(const Work& work, const Transfers& transfers, const Ceilings& ceilings);

/// The ceilings of the step's device, as the plan has them.
const Ceilings& ceilings_of(const PlannedStep& step);

/// Bytes of a problem's inputs and outputs where they cross a link for this step: data in the host's memory, and a GPU.
Transfers transfers_of(const PlannedStep& step, const Step& row, const ProblemShape& problem);

/// REVIEW for a step that is done sooner than its work can be.
void judge_floor(const TimeResult& result, Sheet& sheet);

/// {"formula", "floor", "ceiling", "unit", "amount", "seconds"}, or {"reason"}.
nlohmann::json json_of(const Work& work, const LeastTime& least);

}  // namespace ladder
