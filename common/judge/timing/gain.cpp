#include "common/judge/timing/gain.hpp"

#include <algorithm>
#include <utility>

#include "common/base/clock.hpp"
#include "common/base/statistics.hpp"
#include "common/judge/timing/device_time.hpp"
#include "common/lesson/rung_json.hpp"

namespace ladder {
namespace {

// The first calls load modules, and raise the device's clocks. Eleven pairs: the interval of their median is
// from the second smallest to the second largest.
constexpr int first_pairs = 2, max_pairs = 11, min_pairs = 5;
constexpr int short_pairs = 41;      // of calls so short that all of them take
constexpr double short_seconds = 1;  // this long: a host's noise is large next to them
constexpr int sure_pairs = 6;        // the fewest whose range holds the median with 95 %
constexpr double pairs_seconds = 6;  // when calls take longer than this, min_pairs are enough

/// The seconds of one call by the row's clock.
double seconds_of(const Outcome& outcome, const Gain& row) {
  if (row.clock == RungClock::call) return outcome.seconds;
  if (!outcome.trace) throw Error("the recorder did not answer");
  return device_seconds_of(*outcome.trace, row.kernels);
}

/// What both programs took, pair by pair.
struct Pairs {
  std::vector<double> with{}, without{}, ratios{};
};

Pairs call_in_turns(const Gain& row, const WithAndWithout& pair, const CallOfPair& call) {
  Session with(pair.with), without(pair.without);
  Pairs pairs;
  const Stopwatch watch;
  const auto timed = [&](Session& session, Session& other) {
    other.pause();
    return seconds_of(call(session, &session == &with), row);
  };
  int wanted = max_pairs;
  for (int i = 0; i < first_pairs + wanted; ++i) {
    const bool with_first = i % 2 == 0;
    double first = timed(with_first ? with : without, with_first ? without : with);
    double second = timed(with_first ? without : with, with_first ? with : without);
    if (i == first_pairs)  // by the time of the calls, not by what they show
      wanted = std::clamp(int(short_seconds / (watch.seconds() / (i + 1))), max_pairs, short_pairs);
    if (i < first_pairs) continue;
    if (!with_first) std::swap(first, second);
    pairs.with.push_back(first);
    pairs.without.push_back(second);
    pairs.ratios.push_back(second / first);
    if (pairs.with.size() >= min_pairs && watch.seconds() > pairs_seconds) break;
    if (pairs.with.size() == sure_pairs && is_narrow(median_interval(pairs.ratios))) break;
  }
  return pairs;
}

}  // namespace

model::Gain measure_gain(const Gain& row, WithAndWithout pair, const CallOfPair& call) {
  model::Gain gain{.clock = clock_words[static_cast<std::size_t>(row.clock)], .kernels = row.kernels};
  const bool traced = row.clock == RungClock::device;
  if (traced && plan().recorder_of(pair.with.backend).empty())
    return gain.reason = "there is no recorder for " + pair.with.backend, gain;
  for (Launch* launch : {&pair.with, &pair.without}) launch->timed = true, launch->traced = traced;
  try {
    const Pairs pairs = call_in_turns(row, pair, call);
    gain.seconds = median_interval(pairs.with);
    gain.without = median_interval(pairs.without);
    gain.ratio = median_interval(pairs.ratios);
  } catch (const Failure& failure) {
    gain.reason = failure.message;
  } catch (const Error& error) {
    gain.reason = error.what();
  }
  return gain;
}

}  // namespace ladder
