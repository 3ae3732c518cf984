#include "common/judge/timing/time_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "common/base/points.hpp"
#include "common/judge/earlier_verdicts.hpp"
#include "common/judge/suite.hpp"

namespace ladder {
namespace {

/// The ratio that the row's bound is about; count 0: it was not measured. A GPU's rung is not timed with the
/// baseline: there the interval comes from the ends of the two times' intervals that are furthest apart.
Interval deciding_ratio(const TimeResult& result, const Step& row) {
  auto found = result.ratio.find(row.time.peer);
  // A lesson with OpenCL rungs too calls a CUDA library so, for all of its rungs.
  if (found == result.ratio.end()) found = result.ratio.find(row.time.peer + " (CUDA)");
  if (found != result.ratio.end()) return found->second;
  const Interval &baseline = result.baseline, &step = result.seconds;
  if (row.time.peer != "baseline" || baseline.count == 0) return {};
  return {.median = baseline.median / step.median,
          .low = baseline.low / step.high,
          .high = baseline.high / step.low,
          .count = std::min(baseline.count, step.count)};
}

Decision decision_of(const TimeResult& result, const Step& row) {
  return decide(deciding_ratio(result, row), row.time.ratio, result.noise, result.foreign_load);
}

/// Rows with other bounds of time, each with the ratio that earns nothing: a row itself has none.
struct CalibratedRow {
  const Step* of;
  Step row;
  double zero;
};
std::deque<CalibratedRow>& calibrated_rows() {
  static std::deque<CalibratedRow> rows;  // whose addresses stay
  return rows;
}

double no_points_at(const Step& row) {
  for (const CalibratedRow& one : calibrated_rows())
    if (&one.row == &row) return one.zero;
  return row.time.ratio / no_points_factor;
}

double points_of(double ratio, const Step& row) {
  return points_between(ratio, no_points_at(row), row.time.ratio, row.points.time);
}

/// What kept a bound from being decided: other programs, else how far this machine is from itself.
std::string why_open(const TimeResult& result) {
  if (result.foreign_load > busy_machine)
    return fmt::format("open, since this machine was busy: other programs used {:.0f} % of it",
                       100 * result.foreign_load);
  return fmt::format(
      "open, since this machine differs from itself: by {:.0f} % where the rung is timed against itself, "
      "and from pair to pair as the interval shows",
      100 * std::max(result.noise.high - 1, 1 - result.noise.low));
}

/// Points are those of the favourable end.
void leave_open(const Interval& ratio, const Step& row, const std::string& why, TestReport& report) {
  report.set(Verdict::inconclusive, why);
  report.detail("Meaning",
                "Neither met nor missed; no fault of yours. Points are those of the favourable end.");
  report.points(points_of(ratio.high, row), row.points.time);
}

}  // namespace

const Step& calibrated(const Step& row, const CalibratedTime& bounds) {
  for (const CalibratedRow& one : calibrated_rows())
    if (one.of == &row) return one.row;
  CalibratedRow& one = calibrated_rows().emplace_back(CalibratedRow{&row, row, bounds.zero});
  one.row.time.ratio = bounds.full;
  one.row.points.time = bounds.points;
  return one.row;
}

bool misses_bound(const TimeResult& result, const Step& row) {
  return row.time.ratio > 0 && deciding_ratio(result, row).count > 0 &&
         decision_of(result, row) == Decision::not_met;
}

std::vector<Rung> track_of(const Lesson& lesson, const PlannedStep& step) {
  std::vector<Rung> rungs;
  for (const PlannedStep& other : plan().steps)
    if (other.tree == step.tree && other.mutant == step.mutant && other.backend == step.backend &&
        other.track() == step.track() && other.skip.empty() && !failed_earlier(other))
      rungs.push_back({&other, &row_of(lesson, other)});
  return rungs;
}

bool on_device_size(const Lesson& lesson, const PlannedStep& step) {
  return runs_on_gpu(step) && lesson.on_device.usual > 0;
}

bool fits_device(std::size_t array_bytes, const PlannedStep& step) {
  constexpr double contexts = 0.6e9;  // bytes of a process's context on a GPU
  constexpr double contenders = 10;
  // Each problem is there twice: the arrays given to a resident step, and those that it works in.
  return step.device_bytes == 0 ||
         contenders * (contexts + 2.0 * double(array_bytes)) <= double(step.device_bytes);
}

void judge_late_work(const TimeResult& result, TestReport& report) {
  if (!result.works_late) return;
  report.set(
      Verdict::review,
      fmt::format("late work: after its clock had stopped, the device or the process was busy for {:.3g} ms "
                  "more in most calls (peers: {:.3g} ms): what does it still compute there?",
                  1e3 * result.after, 1e3 * result.after_of_peers));
}

void judge_time_bound(const TimeResult& result, const Step& row, TestReport& report) {
  if (row.time.ratio <= 0) return;
  const Interval ratio = deciding_ratio(result, row);
  if (ratio.count == 0) {
    report.set(Verdict::skipped, fmt::format("time: there is no {} here to compare with", row.time.peer));
    return;
  }
  const std::string said = fmt::format(
      "time: {:.3g} of {} (bound {:g}, no points at {:.3g}), interval {:.3g} to {:.3g} over {} pairs",
      ratio.median, spoken(row.time.peer), row.time.ratio, no_points_at(row), ratio.low, ratio.high,
      ratio.count);
  const Decision decision = decision_of(result, row);
  if (decision == Decision::open) return leave_open(ratio, row, said + "; " + why_open(result), report);
  // How cores share their caches, and with whom, changes from one start of the workers to the next, and no
  // load shows it.
  if (decision == Decision::not_met && result.again && !misses_bound(*result.again, row)) {
    const Interval again = deciding_ratio(*result.again, row);
    return leave_open(
        again, row,
        said + fmt::format("; open, since a second timing session, of workers started again, says {:.3g}, "
                           "interval {:.3g} to {:.3g}",
                           again.median, again.low, again.high),
        report);
  }
  report.set(decision == Decision::met ? Verdict::pass : Verdict::missed, said);
  report.points(points_of(ratio.median, row), row.points.time);
}

}  // namespace ladder
