#include "common/base/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace ladder {
namespace {

/// The largest k for which the interval from the k-th smallest to the k-th largest of n values contains the
/// median with 95 %; at least 1.
std::size_t interval_rank(std::size_t n) {
  double outside = 0,
         term = std::pow(0.5, static_cast<double>(n));  // P(fewer than k of n lie below the median)
  std::size_t k = 0;
  while (k < n / 2 && 2 * (outside + term) <= 0.05) {
    outside += term;
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    ++k;
  }
  return std::max<std::size_t>(k, 1);
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

Interval median_interval(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size(), k = interval_rank(n);
  return {median(values), values[k - 1], values[n - k], static_cast<int>(n)};
}

bool is_narrow(const Interval& interval) {
  return interval.count > 0 && interval.high - interval.low <= 0.01 * interval.median;
}

Decision decide(const Interval& ratio, double bound, const Interval& noise, double load) {
  const double spread = std::max(std::abs(noise.high - 1), std::abs(1 - noise.low));
  const bool spans = ratio.low < bound && bound <= ratio.high;
  const bool too_near = std::abs(ratio.median / bound - 1) <= spread;
  if (spans || too_near) return Decision::open;
  if (ratio.median >= bound) return Decision::met;
  return load > busy_machine ? Decision::open : Decision::not_met;
}

}  // namespace ladder
