#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "common/base/parallel.hpp"
#include "common/npb/jump.hpp"

namespace npb_ep::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double units = 4;  // of the last place: logarithm, root, division and product are within one each

constexpr std::size_t pairs_per_thread = 65'536;

/// 2r - 1 for the next number r.
double next(State& x) {
  x = x * multiplier & mask;
  return std::ldexp(static_cast<double>(x), -45) - 1;
}

/// The pairs from first to last, by all processors.
Result compute(State seed, std::int64_t first, std::int64_t last) {
  const auto pairs = static_cast<std::size_t>(last - first);
  std::vector<Result> parts(ladder::parts_of(pairs, pairs_per_thread));
  ladder::in_parts(pairs, pairs_per_thread, [&](std::size_t i, std::size_t begin, std::size_t end) {
    parts[i] = part(seed, first + std::int64_t(begin), first + std::int64_t(end));
  });
  Result all;
  for (const Result& one : parts) add(all, one, 1);
  return all;
}

std::map<std::pair<std::int64_t, State>, Result> known;

}  // namespace

void add(Result& all, const Result& one, int sign) {
  all.sx += sign * one.sx, all.sy += sign * one.sy;
  all.slack_x += one.slack_x, all.slack_y += one.slack_y;
  for (int l = 0; l < bins; ++l) all.q[l] += Count(sign) * one.q[l];  // modulo 2^64
}

Result part(State seed, std::int64_t first, std::int64_t last) {
  Result r;
  State x = seed * ladder::npb::power(2 * State(first)) & mask;
  for (std::int64_t i = first; i < last; ++i) {
    const double X = next(x), Y = next(x), t = X * X + Y * Y;
    if (t > 1) continue;
    const double log_t = std::log(t), f = std::sqrt(-2 * log_t / t);
    const double slack = eps * (units * f + (f > 0 ? (1 - log_t) / f : 0));
    r.sx += X * f, r.sy += Y * f;
    r.slack_x += std::abs(X) * slack, r.slack_y += std::abs(Y) * slack;
    ++r.q[std::size_t(std::max(std::abs(X * f), std::abs(Y * f)))];
  }
  return r;
}

Count Result::accepted() const {
  return std::accumulate(q.begin(), q.end(), Count(0));
}

const Result& reference(std::int64_t pairs, State seed) {
  const auto [found, is_new] = known.try_emplace({pairs, seed});
  if (is_new) found->second = compute(seed, 0, pairs);
  return found->second;
}

State shifted(std::int64_t pairs, State seed, std::int64_t later) {
  const State begin = seed * ladder::npb::power(2 * State(later)) & mask;
  Result result = reference(pairs, seed);
  add(result, compute(seed, 0, later), -1);
  add(result, compute(seed, pairs, pairs + later), 1);
  known[{pairs, begin}] = result;
  return begin;
}

const OfficialClass* class_of(std::int64_t pairs, State seed) {
  if (seed != official_seed) return nullptr;
  for (const OfficialClass& official : official_classes)
    if (pairs == std::int64_t(1) << official.size) return &official;
  return nullptr;
}

}  // namespace npb_ep::test
