/// @file
/// What limits a run, and by how much: the sentence that a profile begins with.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/base/text/numbers.hpp"
#include "common/report/results/profile.hpp"
#include "common/trace/metrics.hpp"

namespace ladder::report {
namespace {

/// Seconds that each unit of the device needs for all kernels, one after the other, largest first.
std::vector<BoundPart> units_of(const Profile& p) {
  std::map<std::string, BoundPart> sum;
  const bool own =
      p.observation.launches.size() == 1;  // of several launches nobody knows whose the stated work is
  for (const LaunchCounters& launch : p.observation.launches)
    for (const BoundPart& part : bound_of(launch, p.device, own ? p.known : KnownWork{}).parts) {
      BoundPart& unit = sum[part.what];
      unit.what = part.what, unit.amount += part.amount, unit.seconds += part.seconds;
    }
  std::vector<BoundPart> units;
  for (const auto& [what, unit] : sum) units.push_back(unit);
  std::stable_sort(units.begin(), units.end(), [](auto& a, auto& b) { return a.seconds > b.seconds; });
  return units;
}

std::string words_of(const BoundPart& part) {
  const std::string amount = amount_text(part.amount);
  if (part.what == "launch calls")
    return fmt::format("launches ({} call{})", amount, part.amount == 1 ? "" : "s");
  if (part.what.starts_with("copies")) return fmt::format("transfers ({} bytes, {})", amount, part.what);
  if (part.what.starts_with("arrays")) return fmt::format("memory bandwidth ({} bytes beyond L2)", amount);
  return fmt::format("{} ({})", part.what, amount);
}

/// What a GPU's own clock says: from the first operation to the last. 0: there is none, or another GPU
/// measured than the one that the run is seen as, whose least time it says nothing of.
double measured_seconds(const Profile& p) {
  if (p.trace_device != p.device.name || !p.trace || p.trace->events.empty()) return 0;
  auto begin = p.trace->events.front().begin, end = begin;
  for (const Trace::Event& event : p.trace->events)
    begin = std::min(begin, event.begin), end = std::max(end, event.end);
  return 1e-9 * static_cast<double>(end - begin);
}

/// Blocks that are too few for the device: nothing hides the time of their accesses.
std::string idle_text(const Profile& p) {
  double most = 0;
  for (const LaunchCounters& launch : p.observation.launches)
    most = std::max(most, static_cast<double>(launch.all_blocks()));
  if (most <= 0 || most >= p.device.multiprocessors) return {};
  return fmt::format(
      " No launch has more than {} block{} for {} multiprocessors: latency makes it longer still.",
      amount_text(most), most == 1 ? "" : "s", p.device.multiprocessors);
}

}  // namespace

std::string limit_sentence(const Profile& p) {
  const LowerBound run = bound_of(p.observation, p.trace ? &*p.trace : nullptr, p.device, p.known);
  if (run.parts.empty()) return {};
  std::vector<BoundPart> parts = units_of(p);
  for (const BoundPart& part : run.parts)
    if (part.what != "kernels") parts.push_back(part);
  std::stable_sort(parts.begin(), parts.end(), [](auto& a, auto& b) { return a.seconds > b.seconds; });
  if (parts.empty()) return {};
  const BoundPart& first = parts.front();
  if (const double took = measured_seconds(p); took > 3 * run.seconds)
    return fmt::format(
        "Latency: it took {}, {} times the least on {}, the largest part of which goes into {}.",
        short_time(took), short_number(took / run.seconds), p.device.name, words_of(first));
  std::string text =
      fmt::format("{}: at least {} on {}", words_of(first), short_time(first.seconds), p.device.name);
  if (parts.size() > 1)
    text += fmt::format(", {} times what comes next, {}: {}", short_number(first.seconds / parts[1].seconds),
                        words_of(parts[1]), short_time(parts[1].seconds));
  return text + "." + idle_text(p);
}

}  // namespace ladder::report
