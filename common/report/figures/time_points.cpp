#include "common/report/figures/time_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/points.hpp"
#include "common/base/statistics.hpp"
#include "common/report/results/grade_text.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

json object_in(const json& from, const char* field) {
  const json found = from.is_object() ? from.value(field, json()) : json();
  return found.is_object() ? found : json::object();
}

json time_kind(const json& step) {
  for (const json& kind : step.value("kinds", json::array()))
    if (kind.value("kind", "") == "time") return kind;
  return json::object();
}

}  // namespace

std::optional<TimePoints> time_points_of(const json& step, const json& row) {
  const json bound = object_in(row, "time"), time = object_in(step, "time"), kind = time_kind(step);
  TimePoints all{.peer = bound.value("peer", ""), .full = number_of(bound, "ratio")};
  const json raced = object_in(object_in(step, "ratio_interval"), all.peer.c_str());
  const json alone = object_in(time, "baseline");  // of a GPU's rung
  if (!raced.empty()) {
    all.ratio = number_of(raced, "median"), all.low = number_of(raced, "low"),
    all.high = number_of(raced, "high");
  } else if (all.peer == "baseline" && !alone.empty() && number_of(time, "low") > 0) {
    all.ratio = number_of(alone, "median") / number_of(time, "median");
    all.low = number_of(alone, "low") / number_of(time, "high");
    all.high = number_of(alone, "high") / number_of(time, "low");
  }
  all.max_points = number_of(kind, "max_points"), all.points = number_of(kind, "points");
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

std::vector<std::string> unrest_of(const json& step) {
  const json time = object_in(step, "time"), noise = object_in(time, "noise");
  std::vector<std::string> all;
  if (const double load = number_of(time, "foreign_load"); load > busy_machine)
    all.push_back(fmt::format("other programs used {:.0f} % of this machine", 100 * load));
  const double itself =
      noise.empty() ? 0 : std::max(number_of(noise, "high") - 1, 1 - number_of(noise, "low"));
  if (itself > busy_machine)
    all.push_back(
        fmt::format("it differs from itself by {:.0f} %: the step was timed against itself", 100 * itself));
  const double median = number_of(time, "median");
  const double spread = median > 0 ? (number_of(time, "high") - number_of(time, "low")) / 2 / median : 0;
  if (spread > busy_machine)
    all.push_back(fmt::format("the interval of the time is ±{:.0f} %", 100 * spread));
  return all;
}

}  // namespace ladder::report
