#pragma once
/// @file
/// How time is measured and judged; the part that knows no problem type.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/judge/session.hpp"
#include "common/judge/sheet.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {

/// Somebody in the race: alive all the time, active when called.
struct Contender {
  std::string name;  ///< "step", "baseline", "below", or the library's name
  std::unique_ptr<Session> session;
};

/// The step first, then the baseline, the library and the step below, as far as they are there.
std::vector<Contender> contenders_of(const PlannedStep& step, const Step& row);
/// The stated size for this step's device.
int time_size(const PlannedStep& step, const Step& row);
/// Warms up: two calls each, not counted. A step below that fails is no contender any more.
/// @return seconds of a round of calls as measure_times() makes them, fresh contents and checks included
double warm_up(std::vector<Contender>& contenders, const std::function<double(std::size_t)>& call);
/// Whether there is time for rounds so long.
bool fits_time(double round_seconds, const Step& row);
/// Whether there is memory for arrays of so many bytes for each contender.
bool fits_memory(std::size_t array_bytes, std::size_t contenders);
/// Rounds of calls in random order, the step twice a round: ratios to each contender, and to itself as the noise.
TimeResult measure_times(std::vector<Contender>& contenders, const Step& row,
                         const std::function<double(std::size_t)>& call, Sheet& sheet);
/// The verdict of the row's bound on time, if it has one.
void judge_time_bound(const TimeResult& result, const Step& row, Sheet& sheet);

}  // namespace ladder
