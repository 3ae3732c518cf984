#include "common/judge/timing/rounds.hpp"

#include <algorithm>

namespace ladder {
namespace {

/// The smallest number of values whose interval holds the median with 95 %.
constexpr int fewest_values = 6;
/// Half an interval over its median: what two digits of a time need.
constexpr double wanted_spread = 0.10;

constexpr int look(std::size_t index) {
  return looks[index].pairs;
}

bool is_enough(const RoundLimits& limits, const Shown& shown, double load) {
  if (limits.wanted == Wanted::number) return false;
  if (limits.wanted == Wanted::spread) {
    const Interval seconds = interval_at_look(shown.seconds);
    return std::max(seconds.high - seconds.median, seconds.median - seconds.low) <=
           wanted_spread * seconds.median;
  }
  const Decision decision =
      decide(interval_at_look(shown.ratios), shown.bound, interval_at_look(shown.against_itself), load);
  if (decision == Decision::not_met) return static_cast<int>(shown.ratios.size()) >= limits.missed;
  return decision == Decision::met;
}

}  // namespace

bool is_look(std::size_t pairs) {
  return std::any_of(looks.begin(), looks.end(),
                     [&](const Look& one) { return one.pairs == static_cast<int>(pairs); });
}

Interval interval_at_look(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  std::size_t rank = 1;
  for (const Look& one : looks)
    if (one.pairs <= static_cast<int>(n)) rank = one.rank;
  return {median(values), values[rank - 1], values[n - rank], static_cast<int>(n)};
}

RoundLimits round_limits(bool is_run, bool secondary, bool bound, int pairs) {
  // A timing session that may go on to the fourth look decides as often as 15 pairs do, and errs less often.
  // The points of a missed bound come from the median: where they count, it is that of the plan's number at
  // least.
  if (bound && is_run)
    return {.wanted = Wanted::decision, .sure = look(0), .most = look(3), .missed = look(0)};
  if (bound)
    return {.wanted = Wanted::decision, .sure = look(3), .most = looks.back().pairs, .missed = pairs};
  if (!is_run) return {.wanted = Wanted::number, .sure = std::min(fewest_values, pairs), .most = pairs};
  if (secondary) return {.wanted = Wanted::number, .sure = fewest_values, .most = fewest_values};
  return {.wanted = Wanted::spread, .sure = fewest_values, .most = pairs};
}

bool wants_round(const RoundLimits& limits, const Shown& shown, double load, bool time_left) {
  const auto done = shown.seconds.size();
  if (static_cast<int>(done) >= limits.most) return false;
  if (is_look(done) && is_enough(limits, shown, load)) return false;
  return static_cast<int>(done) < limits.sure || time_left;
}

}  // namespace ladder
