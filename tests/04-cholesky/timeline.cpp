/// @file
/// The timeline of g6 as a record: what the processor, the link and the GPU do at the same time.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/trace/metrics.hpp"
#include "matrices.hpp"

namespace cholesky::test {
namespace {

using ladder::Trace;
using nlohmann::json;
namespace reproduction = ladder::reproduction;

/// Seconds from begin to end, of which so many were busy.
struct Bar {
  double begin, end, busy;
};

struct Track {
  const char* label;
  const char* what;  ///< as figures draw it
  ladder_event_kind kind;
  std::vector<Bar> busy{};
};

/// Sorted, with those joined that overlap, or are no further apart than that.
std::vector<Bar> joined(std::vector<Bar> bars, double gap) {
  std::sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.begin < b.begin; });
  std::vector<Bar> all;
  for (const Bar& bar : bars) {
    if (all.empty() || bar.begin > all.back().end + gap) {
      all.push_back(bar);
      continue;
    }
    Bar& last = all.back();
    last.busy += bar.busy - std::max(0.0, std::min(last.end, bar.end) - bar.begin);
    last.end = std::max(last.end, bar.end);
  }
  return all;
}

/// Begin and end of each event: as measured, or each as soon as what it waits for has ended, by stated costs.
std::vector<std::pair<double, double>> times_of(const Trace& trace, bool measured) {
  std::vector<std::pair<double, double>> times;
  for (const Trace::Event& event : trace.events) {
    if (measured) {
      times.emplace_back(1e-9 * double(event.begin), 1e-9 * double(event.end));
      continue;
    }
    double begin = 0;
    for (const std::uint64_t dep : event.deps) begin = std::max(begin, times[dep - 1].second);
    times.emplace_back(begin, begin + ladder::metrics::stated_cost(event));
  }
  return times;
}

}  // namespace

void publish_timeline(const Lab& lab) {
  constexpr const char* table = "Timeline of g6: who works when";
  if (!reproduction::wanted(table)) return;
  const int threads = std::max(1, int(std::thread::hardware_concurrency()));
  Tiled matrix(lab.on_gpu() ? lab.side() : std::min(lab.side(), 100), lab.on_gpu() ? 128 : 64);
  const auto trace = lab.trace("g6_few_calls", threads, matrix);
  if (!trace) return;
  const auto times = times_of(*trace, lab.on_gpu());
  std::vector<Track> tracks = {{"host: potrf", "host", LADDER_HOST},
                               {"to the device", "to_device", LADDER_H2D},
                               {"GPU: calls", "kernel", LADDER_KERNEL},
                               {"to the host", "to_host", LADDER_D2H}};
  double first = 1e300, last = 0;
  json record = reproduction::record(ladder::plan().lesson, table, {"track", "busy", "share"});
  for (Track& track : tracks)
    for (const Trace::Event& event : trace->events)
      if (const auto [begin, end] = times[event.id - 1]; event.kind == track.kind && end > begin)
        track.busy.push_back({begin, end, end - begin}), first = std::min(first, begin),
                                                         last = std::max(last, end);
  json rows = json::array();
  for (const Track& track : tracks) {
    double sum = 0;
    json bars = json::array();
    constexpr double visible = 1e-3;  // of the figure's width
    for (const auto& [begin, end, busy] : joined(track.busy, visible * (last - first)))
      sum += busy, bars.push_back({begin - first, end - first, busy / (end - begin)});
    record["rows"].push_back({track.label, fmt::format("{:.3g} ms", 1e3 * sum),
                              fmt::format("{:.0f} %", last > first ? 100 * sum / (last - first) : 0)});
    rows.push_back({{"label", track.label}, {"what", track.what}, {"bars", bars}});
  }
  const std::string title =
      lab.on_gpu() ? fmt::format("Copies and calls of the GPU overlap for {:.0f} % of the shorter of the two",
                                 100 * ladder::metrics::overlap(*trace))
                   : fmt::format("The longest path of g6 is {:.0f} % of all work",
                                 100 * ladder::metrics::chain(*trace));
  record["notes"] = {
      title, fmt::format("n = {}, tiles of {}, {} threads; {}; what is less than a thousandth of the "
                         "whole apart is one bar, as high as it is busy",
                         matrix.prepared().A.n, matrix.structure().s, threads,
                         lab.on_gpu() ? "measured" : "placed by stated costs, no times: no GPU here")};
  record["figures"] = {
      {{"kind", "timeline"},
       {"name", "timeline"},
       {"title", title},
       {"alternative", title + ". Bars show when the host factorises diagonal tiles, when tiles go up, when "
                               "the GPU solves and updates, and when tiles come back."},
       {"axis", lab.on_gpu() ? "measured" : "stated costs, the same on every machine: no time"},
       {"tracks", rows}}};
  reproduction::publish(record);
}

}  // namespace cholesky::test
