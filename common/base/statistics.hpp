#pragma once
/// @file
/// Medians and what can be said about them.

#include <vector>

namespace ladder {

/// A median with an interval that contains it with at least 95 % probability, whatever the distribution.
struct Interval {
  double median = 0, low = 0, high = 0;
  int count = 0;
};

/// @return the median of the values; the mean of the middle two when their number is even; 0 of none.
double median(std::vector<double> values);

/// The median and its order-statistic interval: the k-th smallest and k-th largest value, k as large as the
/// binomial distribution allows for 95 %. With fewer than six values: smallest and largest.
Interval median_interval(std::vector<double> values);

/// Whether the interval is so narrow, one percent of the median, that more values would change no digit that
/// is shown.
bool is_narrow(const Interval& interval);

/// What a bound on a ratio allows to say.
enum class Decision { met, not_met, open };

/// @param ratio   interval of the measured ratio, larger is better
/// @param bound   the ratio must be at least this
/// @param noise   interval of the step's ratio to itself on this machine: smaller differences mean nothing
/// @param load    share of the machine that other programs used; above busy_machine no bound counts as missed
/// @return open when the interval, or the noise around the median, spans the bound.
Decision decide(const Interval& ratio, double bound, const Interval& noise, double load = 0);

/// When other programs use more of the machine than this, it cannot show that a step is too slow.
constexpr double busy_machine = 0.10;

}  // namespace ladder
