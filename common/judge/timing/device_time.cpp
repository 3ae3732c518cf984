#include "common/judge/timing/device_time.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/clock.hpp"
#include "common/trace/metrics.hpp"
#include "common/trace/ncu.hpp"

namespace ladder {
namespace {

// The first calls load modules, and raise the device's clocks.
constexpr int uncounted = 2, counted_calls = 7;
constexpr int least_calls = 3;  // are enough when calls are long, or the device takes the same time each
constexpr double enough_seconds = 3;  // calls that take longer than this together are long

}  // namespace

bool has_device_clock(const std::string& backend) {
  return backend == "cuda" || backend == "opencl";
}

DeviceTime measure_device_time(Launch launch, const std::function<Outcome(Session&)>& call) {
  DeviceTime none;
  if (plan().recorder_of(launch.backend).empty()) {
    const auto why = plan().no_recorder.find(launch.backend);
    none.reason =
        why == plan().no_recorder.end() ? "there is no recorder for " + launch.backend : why->second;
    return none;
  }
  launch.traced = launch.timed = true;
  try {
    Session session(launch);
    std::vector<Trace> traces;
    DeviceTime time;
    const Stopwatch watch;
    for (int i = 0; i < uncounted + counted_calls; ++i) {
      Outcome outcome = call(session);
      if (i < uncounted) continue;
      if (!outcome.trace) return none.reason = "its recorder did not answer", none;
      traces.push_back(std::move(*outcome.trace));
      if (traces.size() < least_calls) continue;
      time = device_time_of(traces);
      if (watch.seconds() > enough_seconds || is_narrow(time.busy)) break;
    }
    return time;
  } catch (const Failure& failure) {
    none.reason = "under the recorder: " + failure.message;
  } catch (const Error& error) {
    none.reason = std::string("its trace cannot be read: ") + error.what();
  }
  return none;
}

double device_seconds_of(const Trace& trace, const std::vector<std::string>& kernels) {
  Trace chosen;
  for (const Trace::Event& event : trace.events) {
    const bool counts = kernels.empty() ? event.is_operation()
                                        : event.kind == LADDER_KERNEL &&
                                              std::ranges::count(kernels, kernel_base_name(event.name)) > 0;
    if (!counts) continue;
    if (event.end == 0) throw Error("its recorder could not time every operation");
    chosen.events.push_back(event);
  }
  const double seconds = metrics::busy_seconds(chosen, false);
  if (!(seconds > 0))
    throw Error(kernels.empty() ? "the device was not busy: no kernel, copy or fill was recorded"
                                : fmt::format("no kernel {} was recorded", fmt::join(kernels, ", ")));
  return seconds;
}

DeviceTime device_time_of(const std::vector<Trace>& calls) {
  DeviceTime time;
  std::vector<double> busy, kernels;
  try {
    for (const Trace& trace : calls) {
      busy.push_back(device_seconds_of(trace));
      kernels.push_back(metrics::busy_seconds(trace, true));
    }
  } catch (const Error& error) {
    return time.reason = error.what(), time;
  }
  time.busy = median_interval(busy);
  time.kernels = median(kernels);
  return time;
}

DeviceTime unless_slowed(DeviceTime time, double call) {
  constexpr double clearly = 1.05;  // the clocks of a GPU differ by less from one session to the next
  if (time.busy.median <= clearly * call) return time;
  DeviceTime none;
  none.reason = fmt::format(
      "its recorder slows it down: {:.3g} ms on the device under it, and {:.3g} ms for a call without it",
      1e3 * time.busy.median, 1e3 * call);
  return none;
}

model::DeviceTime recorded(const DeviceTime& time) {
  if (!time.reason.empty()) return {.reason = time.reason};
  return {.median = time.busy.median,
          .low = time.busy.low,
          .high = time.busy.high,
          .runs = time.busy.count,
          .kernels = time.kernels,
          .peers = time.peers};
}

}  // namespace ladder
