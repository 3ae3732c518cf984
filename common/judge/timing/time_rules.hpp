#pragma once
/// @file
/// Which steps are timed together, at which size, and how times are judged.

#include <limits>
#include <vector>

#include "common/judge/plan.hpp"
#include "common/judge/test_report.hpp"
#include "common/judge/timing/timing_session.hpp"
#include "common/lesson/rung.hpp"

namespace ladder {

/// Seconds that a call may take at a size of Lesson::on_device; a rung that takes longer has a smaller size.
constexpr double longest_call = 0.5;
constexpr double endless = std::numeric_limits<double>::infinity();

/// The planned rungs of the step's track, of the same tree and on the same back end, that were not found
/// wrong before.
std::vector<Rung> track_of(const Lesson& lesson, const PlannedStep& step);
/// Whether the step is timed at a size of Lesson::on_device: a GPU runs it, and the lesson names sizes for
/// one.
bool on_device_size(const Lesson& lesson, const PlannedStep& step);
/// Whether the arrays of all rungs of a track fit into the memory of the step's device, each with the given
/// bytes.
bool fits_device(std::size_t array_bytes, const PlannedStep& step);

/// Whether a timing session has decided that a rung misses the bound of its row.
bool misses_bound(const TimeResult& result, const Step& row);
/// REVIEW for a step that works on after its clock has stopped.
void judge_late_work(const TimeResult& result, TestReport& report);
/// A row with bounds of time that were measured on this machine, instead of its own.
const Step& calibrated(const Step& row, const CalibratedTime& bounds);

/// The verdict of the row's bound on time, if it has one.
void judge_time_bound(const TimeResult& result, const Step& row, TestReport& report);

}  // namespace ladder
