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
  std::string name;  ///< "step", "baseline", "below", or a library's: "cuBLAS"
  std::unique_ptr<Session> session;
  double call_seconds = 0;  ///< of a call, fresh content and check included
};

/// One call of a contender, by its place.
using CallOf = std::function<Outcome(std::size_t)>;

/// The step first, then the baseline, the library of its device and the step below, as far as they are there.
std::vector<Contender> contenders_of(const PlannedStep& step, const Step& row);
/// The stated size for this step's device.
int time_size(const PlannedStep& step, const Step& row);
/// Warms up: two calls each, not counted, but for call_seconds. A step below that fails is no contender any more, nor is who does
/// not return in time, as a sequential program at a large size: the sheet says so.
/// @throws Failure of the step, or of a peer that is wrong
void warm_up(std::vector<Contender>& contenders, const CallOf& call, Sheet& sheet);
/// Whether there is time for the rounds of measure_times() where calls take so many times as long as in warm_up().
bool fits_time(const std::vector<Contender>& contenders, const Step& row, double longer);
/// Whether there is memory for arrays of so many bytes for each contender.
bool fits_memory(std::size_t array_bytes, std::size_t contenders);
/// Rounds of calls in random order, the step twice a round: ratios to each contender, and to itself as the noise. Who is only
/// shown and slow takes part in fewer rounds.
TimeResult measure_times(std::vector<Contender>& contenders, const Step& row, const CallOf& call,
                         Sheet& sheet);
/// Whether most calls went on after their clock had stopped: the harness was kept waiting for longer than 1 ms and three times
/// what it took a peer.
/// @param after  Outcome::after of each call
/// @param peers  the longest median of a peer at this size; 0: there is none
bool works_late(const std::vector<double>& after, double peers);
/// REVIEW for a step that works late.
void judge_late_work(const TimeResult& result, Sheet& sheet);
/// The verdict of the row's bound on time, if it has one.
void judge_time_bound(const TimeResult& result, const Step& row, Sheet& sheet);

}  // namespace ladder
