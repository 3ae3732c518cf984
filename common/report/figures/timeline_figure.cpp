/// @file
/// Streams over time.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/report/figures/kernel_figures.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/metrics.hpp"

namespace ladder::report {
namespace {

using What = TimelineFigure::What;

constexpr double left = 10, right = svg::width - 10, bar_height = 18, row_height = 44;
constexpr const char* small = "font-size=\"12.5\"";

struct Look {
  What what;
  const char* colour;
  const char* word;
  bool striped;  ///< copies: distinguished from kernels without colours
};
constexpr Look looks[] = {{What::kernel, "#0072b2", "kernel", false},
                          {What::to_device, "#e69f00", "copy to device", true},
                          {What::to_host, "#d55e00", "copy to host", true},
                          {What::on_device, "#8c8c8c", "copy or fill on device", true},
                          {What::host, "#009e73", "host work", false}};

const Look& look_of(What what) {
  return *std::find_if(std::begin(looks), std::end(looks), [&](const Look& l) { return l.what == what; });
}

What what_of(const Trace::Event& event) {
  switch (event.kind) {
    case LADDER_KERNEL:
      return What::kernel;
    case LADDER_H2D:
      return What::to_device;
    case LADDER_D2H:
      return What::to_host;
    case LADDER_HOST:
      return What::host;
    default:
      return What::on_device;
  }
}

/// The least and the greatest of all times.
std::pair<double, double> range_of(const TimelineFigure& figure) {
  double first = 1e300, last = -1e300;
  for (const auto& row : figure.rows)
    for (const auto& bar : row.bars) first = std::min(first, bar.begin), last = std::max(last, bar.end);
  return {first, last};
}

/// The bars of a row. Bars narrower than a line are drawn as one, whose height shows how dense they are:
/// there may be thousands.
std::string bars(const TimelineFigure::Row& row, double y, const auto& x_of) {
  constexpr double least = 1.2;
  std::string out;
  for (std::size_t i = 0; i < row.bars.size();) {
    const auto& bar = row.bars[i];
    const double x0 = x_of(bar.begin);
    double x1 = x_of(bar.end), busy = (x1 - x0) * bar.share;
    std::size_t next = i + 1;
    while (next < row.bars.size() && row.bars[next].what == bar.what && x1 - x0 < least &&
           x_of(row.bars[next].begin) - x0 < least) {
      busy += (x_of(row.bars[next].end) - x_of(row.bars[next].begin)) * row.bars[next].share;
      x1 = std::max(x1, x_of(row.bars[next++].end));
    }
    const Look& look = look_of(bar.what);
    const double width = std::max(least, x1 - x0);
    const double share = std::min(1.0, busy / width);
    const double height = std::max(2.0, share * bar_height), top = y + bar_height - height;
    out += svg::box(x0, top, width, height, look.colour,
                    share < 1 ? "" : "class=\"seam\" stroke=\"#fff\" stroke-width=\"0.6\"");
    if (look.striped) out += svg::box(x0, top, width, height, svg::hatched);
    if (next == i + 1 && share == 1 && !bar.name.empty() && svg::extent(bar.name, 12) < width - 6)
      out += svg::text((x0 + x1) / 2, y + 13, bar.name, "middle", "font-size=\"12\" stroke-width=\"4\"");
    i = next;
  }
  return out;
}

std::string legend(const TimelineFigure& figure, double& y) {
  std::string out;
  double x = left;
  for (const Look& look : looks) {
    const bool there = std::any_of(figure.rows.begin(), figure.rows.end(), [&](const auto& row) {
      return std::any_of(row.bars.begin(), row.bars.end(),
                         [&](const auto& b) { return b.what == look.what; });
    });
    if (!there) continue;
    const double width = 22 + svg::extent(look.word, 12.5) + 10;
    if (x + width > right) x = left, y += 18;
    out += svg::box(x, y - 11, 16, 12, look.colour);
    if (look.striped) out += svg::box(x, y - 11, 16, 12, svg::hatched);
    out += svg::text(x + 21, y, look.word, "start", small);
    x += width;
  }
  return out;
}

/// The end of each event if each begins as soon as its dependences have ended, and takes its stated cost.
std::vector<double> ends_by_cost(const Trace& trace, std::vector<double>& begins) {
  std::vector<double> ends;
  std::map<std::tuple<int, int, std::uint64_t>, double> stream_free;
  for (const Trace::Event& event : trace.events) {
    double begin = 0;
    for (const std::uint64_t dep : event.deps) begin = std::max(begin, ends[dep - 1]);
    double& free = stream_free[{event.rank, event.device, event.stream}];
    if (event.is_operation()) begin = std::max(begin, free);
    begins.push_back(begin);
    ends.push_back(begin + metrics::stated_cost(event));
    if (event.is_operation()) free = ends.back();
  }
  return ends;
}

}  // namespace

TimelineFigure timeline_of(const Trace& trace, bool measured) {
  TimelineFigure figure;
  figure.measured = measured;
  figure.axis = measured ? "measured by the device" : "stated costs, the same on every machine: no time";
  std::vector<double> begins, ends;
  if (!measured) ends = ends_by_cost(trace, begins);
  std::map<std::pair<int, std::string>, std::size_t> rows;
  const auto row_of = [&](const Trace::Event& event) -> TimelineFigure::Row& {
    const bool host = !event.is_operation();
    const std::string label = host                ? "host"
                              : event.stream == 0 ? "default stream"
                                                  : fmt::format("stream {}", event.stream);
    const std::string rank = event.rank > 0 ? fmt::format("rank {}, ", event.rank) : "";
    const auto [at, fresh] = rows.try_emplace({host ? -1 : event.device, rank + label}, figure.rows.size());
    if (fresh) figure.rows.push_back({rank + label, {}, {}});
    return figure.rows[at->second];
  };
  for (const Trace::Event& event : trace.events) {
    const std::size_t i = event.id - 1;
    const double begin = measured ? static_cast<double>(event.begin) * 1e-9 : begins[i];
    const double end = measured ? static_cast<double>(event.end) * 1e-9 : ends[i];
    if (event.kind == LADDER_WAIT && !measured) row_of(event).waits.push_back(begin);
    if (!event.is_operation() && event.kind != LADDER_HOST) continue;
    if (measured && event.end == 0) continue;
    row_of(event).bars.push_back({begin, end, what_of(event), event.name});
  }
  std::size_t kernels = 0, copies = 0;
  for (const Trace::Event& event : trace.events)
    kernels += event.kind == LADDER_KERNEL, copies += event.is_copy();
  const auto streams = static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const auto& r) { return r.first.first >= 0; }));
  const auto counted = [](std::size_t n, const char* one, const char* more) {
    return fmt::format("{} {}", short_number(static_cast<double>(n)), n == 1 ? one : more);
  };
  figure.caption.title =
      fmt::format("{}, {} in {}", counted(kernels, "kernel", "kernels"), counted(copies, "copy", "copies"),
                  counted(streams, "stream", "streams"));
  figure.caption.alternative =
      figure.caption.title + ". " +
      (measured ? std::string("Times as measured.")
                : fmt::format("Placed by their order and by stated costs; no time was measured. The longest "
                              "dependent path is "
                              "{:.0f} % of the sum.",
                              kernels + copies > 0 ? 100 * metrics::chain(trace) : 0.0));
  return figure;
}

std::string timeline(const TimelineFigure& figure) {
  const auto [first, last] = range_of(figure);
  if (last <= first) return "";
  const auto x_of = [&, first = first, last = last](double t) {
    return left + (t - first) / (last - first) * (right - left);
  };
  std::string body;
  double y = 4;
  for (const auto& row : figure.rows) {
    if (row.bars.empty() && row.waits.empty()) continue;
    body += svg::text(left, y + 13, row.label, "start", small);
    body += svg::line(left, y + 18 + bar_height, right, y + 18 + bar_height,
                      "stroke-opacity=\"0.25\" stroke-width=\"1\"");
    body += bars(row, y + 18, x_of);
    double free = -10;
    for (const double wait : row.waits)  // overlapping marks are drawn once
      if (const double x = x_of(std::clamp(wait, first, last)); x >= free)
        body += svg::line(x, y + 18, x, y + 18 + bar_height, "stroke-width=\"1.6\" stroke-dasharray=\"3 2\""),
            free = x + 2;
    y += row_height;
  }
  body += svg::text(left, y + 10, "0", "start", small) +
          svg::text(right, y + 10, figure.measured ? short_time(last - first) : "100 %", "end", small);
  y += 27;
  const bool shares = std::any_of(figure.rows.begin(), figure.rows.end(), [](const auto& row) {
    return std::any_of(row.bars.begin(), row.bars.end(), [](const auto& bar) { return bar.share < 1; });
  });
  const std::string words =
      figure.axis + (shares ? "; a bar's height: the share of its time in which something ran" : "");
  for (const std::string& part : wrapped(words, 58))
    body += svg::text(left, y, part, "start", small), y += 16;
  y += 4;
  body += legend(figure, y);
  return svg::framed(figure.caption, y + 8, body);
}

}  // namespace ladder::report
