#include "common/trace/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "common/base/error.hpp"

namespace ladder::metrics {
namespace {

using Event = Trace::Event;

template <class Predicate>
double sum_bytes(const Trace& trace, Predicate&& counts) {
  double sum = 0;
  for (const Event& event : trace.events)
    if (counts(event)) sum += event.bytes;
  return sum;
}

double count(const Trace& trace, ladder_event_kind kind) {
  return static_cast<double>(std::ranges::count(trace.events, kind, &Event::kind));
}

bool is_transfer(const Event& event) {
  return event.kind == LADDER_H2D || event.kind == LADDER_D2H;
}

double items(const Event& event) {
  double product = 1;
  for (int i = 0; i < 3; ++i) product *= static_cast<double>(event.grid[i]) * event.block[i];
  return product;
}

struct Interval {
  double begin, end;
};

/// The times in which at least one of the events ran, as disjoint intervals in order.
std::vector<Interval> busy(const Trace& trace, bool (*wanted)(const Event&)) {
  std::vector<Interval> intervals;
  for (const Event& event : trace.events)
    if (wanted(event) && event.end > event.begin)
      intervals.push_back({static_cast<double>(event.begin), static_cast<double>(event.end)});
  std::ranges::sort(intervals, {}, &Interval::begin);
  std::vector<Interval> merged;
  for (const Interval& interval : intervals) {
    if (merged.empty() || interval.begin > merged.back().end)
      merged.push_back(interval);
    else
      merged.back().end = std::max(merged.back().end, interval.end);
  }
  return merged;
}

double length(const std::vector<Interval>& intervals) {
  return std::accumulate(intervals.begin(), intervals.end(), 0.0, [](double sum, const Interval& interval) {
    return sum + interval.end - interval.begin;
  });
}

double common_length(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum += std::max(0.0, std::min(a[i].end, b[j].end) - std::max(a[i].begin, b[j].begin));
    if (a[i].end < b[j].end)
      ++i;
    else
      ++j;
  }
  return sum;
}

/// By stated costs, in picoseconds: all costs are whole ones, so sums are exact, in whichever order threads
/// made the calls.
struct Path {
  double longest = 0;  ///< of operations that wait for each other
  double sum = 0;      ///< of all
  double share() const { return sum > 0 ? longest / sum : 0; }
};

/// Of each rank: ranks work at the same time, and traces do not say for which message of another one they
/// wait.
/// @param kernel  only kernels whose name contains it cost anything; all, and copies, for ""
std::map<int, Path> longest_paths(const Trace& trace, std::string_view kernel) {
  const auto counts = [&](const Event& event) {
    return kernel.empty() || (event.kind == LADDER_KERNEL && event.name.find(kernel) != std::string::npos);
  };
  std::vector<double> finished(trace.events.size() + 1, 0.0);  // by id; dependencies have smaller ids
  std::map<int, Path> paths;
  for (const Event& event : trace.events) {
    double ready = 0;
    for (const std::uint64_t dep : event.deps) ready = std::max(ready, finished.at(dep));
    const double cost = counts(event) ? std::round(1e12 * stated_cost(event)) : 0;
    finished.at(event.id) = ready + cost;
    Path& path = paths[event.rank];
    path.longest = std::max(path.longest, ready + cost);
    path.sum += cost;
  }
  if (std::ranges::all_of(paths, [](const auto& rank) { return rank.second.sum == 0; }))
    throw Error("no kernel, copy or host work was recorded: there is no chain");
  return paths;
}

}  // namespace

double bytes_to_device(const Trace& trace) {
  return sum_bytes(trace, [](const Event& event) { return event.kind == LADDER_H2D; });
}

double bytes_to_host(const Trace& trace) {
  return sum_bytes(trace, [](const Event& event) { return event.kind == LADDER_D2H; });
}

double bytes(const Trace& trace) {
  return bytes_to_device(trace) + bytes_to_host(trace);
}

double pageable_bytes(const Trace& trace) {
  return sum_bytes(trace, [](const Event& event) { return is_transfer(event) && event.is(LADDER_PAGEABLE); });
}

double launches(const Trace& trace) {
  return count(trace, LADDER_LAUNCH);
}
double kernels(const Trace& trace) {
  return count(trace, LADDER_KERNEL);
}
double waits(const Trace& trace) {
  return count(trace, LADDER_WAIT);
}

double peak_device_bytes(const Trace& trace) {
  std::map<std::pair<int, int>, double> alive;  // rank and device
  double peak = 0;
  for (const Event& event : trace.events) {
    if (event.kind != LADDER_ALLOC && event.kind != LADDER_FREE) continue;
    double& current = alive[{event.rank, event.device}];
    current += event.kind == LADDER_ALLOC ? event.bytes : -event.bytes;
    peak = std::max(peak, current);
  }
  return peak;
}

double bytes_sent(const Trace& trace) {
  return sum_bytes(trace, [](const Event& event) { return event.kind == LADDER_SEND; });
}

double work_items(const Trace& trace, std::string_view kernel) {
  double sum = 0;
  for (const Event& event : trace.events)
    if (event.kind == LADDER_KERNEL && event.name.find(kernel) != std::string::npos) sum += items(event);
  return sum;
}

double stated_cost(const Event& event) {
  switch (event.kind) {
    case LADDER_KERNEL:
      return cost::kernel + items(event) * cost::work_item;
    case LADDER_H2D:
    case LADDER_D2H:
      return cost::transfer + event.bytes * cost::transfer_byte;
    case LADDER_D2D:
    case LADDER_FILL:
      return cost::device_copy + event.bytes * cost::device_byte;
    case LADDER_RECEIVE:
      return cost::message + event.bytes * cost::message_byte;
    case LADDER_HOST:
      if (event.bytes > 0) return cost::host + event.bytes * cost::host_byte;
      return static_cast<double>(event.end - event.begin) * 1e-9;
    default:
      return 0;
  }
}

double chain(const Trace& trace, std::string_view kernel) {
  double share = 0;
  for (const auto& [rank, path] : longest_paths(trace, kernel)) share = std::max(share, path.share());
  return share;
}

double path(const Trace& trace, std::string_view kernel) {
  double longest = 0;
  for (const auto& [rank, path] : longest_paths(trace, kernel)) longest = std::max(longest, path.longest);
  return 1e-12 * longest;
}

double busy_seconds(const Trace& trace, bool kernels_only) {
  const auto is_kernel = [](const Event& event) { return event.kind == LADDER_KERNEL; };
  const auto is_operation = [](const Event& event) { return event.is_operation(); };
  return 1e-9 * (kernels_only ? length(busy(trace, is_kernel)) : length(busy(trace, is_operation)));
}

double overlap(const Trace& trace) {
  const auto copies = busy(trace, is_transfer);
  const auto kernels = busy(trace, [](const Event& event) { return event.kind == LADDER_KERNEL; });
  const double shorter = std::min(length(copies), length(kernels));
  if (shorter == 0) throw Error("no overlap: the trace has no timed kernels or no timed copies");
  return common_length(copies, kernels) / shorter;
}

double balance(std::span<const double> cpu_seconds, std::size_t threads) {
  const double sum = std::accumulate(cpu_seconds.begin(), cpu_seconds.end(), 0.0);
  if (!(sum > 0)) throw Error("no thread used measurable processor time");
  const double mean = sum / static_cast<double>(std::max(threads, cpu_seconds.size()));
  return std::ranges::max(cpu_seconds) / mean;
}

}  // namespace ladder::metrics
