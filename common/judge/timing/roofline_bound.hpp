#pragma once
/// @file
/// The least work of a problem (Work, a row's model) against the highest rates of the device (doctor's
/// ceilings): the ceiling that limits the step, and the time that no honest step can be below.

#include <string>

#include "common/judge/plan.hpp"
#include "common/lesson/amounts.hpp"
#include "common/lesson/rung.hpp"
#include "common/model/result.hpp"
#include "common/trace/own_ceiling.hpp"

namespace ladder {

struct ProblemShape;
struct TimeResult;
class TestReport;

/// Bytes that a call must copy to the device and back; 0 where the data are resident.
struct Transfers {
  double to_device = 0, from_device = 0;
};

/// A ceiling, and the time of the work at that rate.
struct Bound {
  std::string ceiling;  ///< "FP64", "memory"; empty: none is known
  std::string unit;     ///< "op", "flop", "byte": of the amount
  double amount = 0, seconds = 0;
};

/// What is known about the least time of a problem on a device.
struct TimeLowerBound {
  Bound binding;       ///< what takes longest at its ceiling; a cache counts where it holds everything
  OwnCeiling roof{};   ///< the ceiling that the step's row names as its own; empty: it names none
  double floor = 0;    ///< seconds that every step which does the work takes, less 10 %; 0: not known
  std::string reason;  ///< why nothing is known
};

/// The ceiling that limits the step, and the floor. Each amount alone is a bound, since the units of a
/// device work at the same time.
TimeLowerBound time_lower_bound(const Work& work, const Transfers& transfers, const Ceilings& ceilings);

/// The ceiling of a row that says what limits it. Empty where it says nothing, or where that rate of the
/// device is not known.
OwnCeiling own_ceiling(const Step& row, const Work& work, const Ceilings& ceilings);

/// The ceilings of the step's device, as the plan has them.
const Ceilings& ceilings_of(const PlannedStep& step);

/// Bytes of a problem's inputs and outputs that this step must copy over PCIe: data in host memory, and a
/// GPU.
Transfers transfers_of(const PlannedStep& step, const Step& row, const ProblemShape& problem);

/// REVIEW for a step that is faster than its work can be done.
void judge_floor(const TimeResult& result, TestReport& report);

/// As records have it.
model::Work recorded(const Work& work, const TimeLowerBound& least);

}  // namespace ladder
