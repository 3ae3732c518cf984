#include "common/report/figures/time_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/points.hpp"
#include "common/base/statistics.hpp"
#include "common/report/results/grade_text.hpp"

namespace ladder::report {
namespace {

using model::KindResult;
using model::StepResult;

KindResult time_kind(const StepResult& step) {
  for (const KindResult& kind : step.kinds)
    if (kind.kind == TestKind::time) return kind;
  return {};
}

}  // namespace

std::optional<TimePoints> time_points_of(const StepResult& step, const nlohmann::json& row) {
  const nlohmann::json bound = row.is_object() ? row.value("time", nlohmann::json()) : nlohmann::json();
  if (!bound.is_object() || !step.time) return {};
  TimePoints all{.peer = bound.value("peer", ""), .full = number_of(bound, "ratio")};
  const Interval& mine = step.time->seconds;
  const auto& alone = step.time->baseline;  // of a GPU's rung
  if (const auto together = step.ratio_interval.find(all.peer); together != step.ratio_interval.end()) {
    all.ratio = together->second.median, all.low = together->second.low, all.high = together->second.high;
  } else if (all.peer == "baseline" && alone && mine.low > 0) {
    all.ratio = alone->median / mine.median;
    all.low = alone->low / mine.high;
    all.high = alone->high / mine.low;
  }
  const KindResult kind = time_kind(step);
  all.max_points = kind.max_points.value_or(0), all.points = kind.points.value_or(0);
  if (all.full <= 0 || all.ratio <= 0 || all.max_points <= 0) return {};
  all.zero = all.full / no_points_factor;
  if (all.points < all.max_points) all.next = ratio_of_next_point(all.points, ">=", all.full, all.max_points);
  return all;
}

std::string curve_line(const TimePoints& time, std::size_t width) {
  const double share = std::log(time.ratio / time.zero) / std::log(time.full / time.zero);
  std::string line(width, '-');
  line[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width - 1)))] =
      'o';
  return fmt::format("{:.2g}x {} {:.3g}x", time.zero, line, time.full);
}

PointsCurve curve_of(const TimePoints& time) {
  return {.metric = "speed",
          .relation = ">=",
          .measured = time.ratio,
          .bound = time.full,
          .points = time.points,
          .max_points = time.max_points,
          .next = time.next,
          .axis = "over that of " + time.peer};
}

std::vector<std::string> unrest_of(const StepResult& step) {
  std::vector<std::string> all;
  if (!step.time) return all;
  const Interval &time = step.time->seconds, noise = step.time->noise.value_or(Interval{1, 1, 1});
  if (const double load = step.time->foreign_load; load > busy_machine)
    all.push_back(fmt::format("other programs used {:.0f} % of this machine", 100 * load));
  const double itself = std::max(noise.high - 1, 1 - noise.low);
  if (itself > busy_machine)
    all.push_back(
        fmt::format("it differs from itself by {:.0f} %: the rung was timed against itself", 100 * itself));
  const double spread = time.median > 0 ? (time.high - time.low) / 2 / time.median : 0;
  if (spread > busy_machine)
    all.push_back(fmt::format("the interval of the time is ±{:.0f} %", 100 * spread));
  return all;
}

}  // namespace ladder::report
