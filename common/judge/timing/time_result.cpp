#include "common/judge/timing/time_result.hpp"

namespace ladder {
namespace {

std::optional<Interval> if_measured(const Interval& interval) {
  return interval.count > 0 ? std::optional(interval) : std::nullopt;
}

}  // namespace

model::Timing timing_of(const TimeResult& time) {
  model::Timing timing{.time = {.seconds = time.seconds,
                                .problem = time.problem,
                                .size_name = time.size_name,
                                .content = time.content_repeats ? "repeats" : "",
                                .noise = if_measured(time.noise),
                                .baseline = if_measured(time.baseline),
                                .peers = time.peers,
                                .foreign_load = time.foreign_load,
                                .parts = model::TimeParts{time.parts.wake, time.parts.step,
                                                          time.parts.synchronise, time.parts.answer},
                                .after = time.after,
                                .work = recorded(time.work, time.least)},
                       .ratio_interval = time.ratio};
  if (time.device) timing.time.device = recorded(*time.device);
  if (time.least.reason.empty() && time.seconds.median > 0)
    timing.ratio["floor"] = time.least.binding.seconds / time.seconds.median;
  for (const auto& [peer, ratio] : time.ratio) timing.ratio[peer] = ratio.median;
  return timing;
}

}  // namespace ladder
