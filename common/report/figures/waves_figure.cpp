/// @file
/// A launch on a device: resident blocks of a multiprocessor, and waves.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/figures/kernel_figures.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

constexpr double left = 10, right = svg::width - 10;
constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* blues[] = {"#0072b2", "#56b4e9"};

/// "1 block", "2.91 waves"
std::string counted(double n, const std::string& one) {
  return short_number(n) + " " + one + (n == 1 ? "" : "s");
}

std::string percent(double share) {
  // Not 100 % where something is idle.
  const double rounded = std::floor(100 * share + 1e-9);
  return fmt::format("{:.0f} %", share >= 1 ? 100.0 : rounded);
}

/// The warps that a multiprocessor can hold, block by block in two blues; unused slots are hatched.
std::string multiprocessor(const Occupancy& o, const DeviceLimits& device, double& y) {
  const int slots = device.warps_per_multiprocessor(), a_block = o.warps / std::max(1, o.blocks);
  const int columns = 16, rows = (slots + columns - 1) / columns;
  const double width = (right - left) / columns, height = 13;
  std::string out = svg::text(
      left, y + 12,
      fmt::format("one multiprocessor: {} of {} warps, {}", o.warps, slots, counted(o.blocks, "block")),
      "start", small);
  y += 20;
  for (int slot = 0; slot < slots; ++slot) {
    const double x = left + width * (slot % columns), top = y + height * (slot / columns);
    out += svg::box(x + 0.8, top + 0.8, width - 1.6, height - 1.6,
                    slot < o.warps ? blues[slot / a_block % 2] : svg::hatched);
  }
  y += height * rows + 6;
  return out;
}

/// The number of blocks that each limit allows: one line each, the smallest ones marked.
std::string limits(const Occupancy& o, double& y) {
  struct Limit {
    const char* what;
    std::string blocks;
    bool least;
  };
  const Limit all[] = {{"threads", counted(o.by_threads, "block"), o.by_threads == o.blocks},
                       {"blocks", counted(o.by_blocks, "block"), o.by_blocks == o.blocks},
                       {"registers", o.by_registers ? counted(*o.by_registers, "block") : "not known",
                        o.by_registers && *o.by_registers == o.blocks},
                       {"shared memory", counted(o.by_shared, "block"), o.by_shared == o.blocks}};
  std::string out;
  for (const Limit& limit : all) {
    y += 17;
    const std::string weight = limit.least ? " font-weight=\"bold\"" : "";
    out +=
        svg::text(left, y, std::string(limit.least ? "▸ " : "  ") + limit.what, "start", small + weight) +
        svg::text(left + 130, y, limit.blocks + (limit.least ? ": the limit" : ""), "start", small + weight);
  }
  y += 12;
  return out;
}

/// One row per wave, as long as its number of blocks; of many waves only the first and the last ones.
std::string wave_rows(const Waves& w, double& y) {
  const double height = 15, row = 20;
  const auto whole = static_cast<long>(std::ceil(w.waves));
  std::string out =
      svg::text(left, y + 12, fmt::format("waves of {} on the whole device", counted(w.capacity, "block")),
                "start", small);
  y += 20;
  for (long i = 0; i < whole; ++i) {
    if (whole > 6 && i == 3) {
      out += svg::text(left, y + 11,
                       fmt::format("… {} more full waves", short_number(static_cast<double>(whole - 4))),
                       "start", small);
      y += row;
      i = whole - 2;
      continue;
    }
    const double share = i + 1 < whole ? 1 : w.last / w.capacity;
    const double end = left + std::max(1.5, share * (right - left));
    out += svg::box(left, y, end - left, height, blues[0]);
    if (share < 1) out += svg::box(end, y, right - end, height, svg::hatched);
    y += row;
  }
  return out;
}

}  // namespace

std::string waves_figure(const LaunchShape& launch, const DeviceLimits& device, const std::string& kernel,
                         const std::string& corner) {
  const Occupancy o = occupancy(launch, device);
  Caption caption;
  caption.corner = corner;
  if (!o.impossible.empty()) {
    caption.title = fmt::format("{} cannot run on {}: {}", kernel, device.name, o.impossible);
    caption.alternative = caption.title + ".";
    return svg::framed(caption, 0, "");
  }
  const Waves w = waves(launch, device);
  caption.title = w.tail_efficiency >= 0.995
                      ? fmt::format("{} fills {} in {}", kernel, device.name, counted(w.waves, "wave"))
                      : fmt::format("{} on {}: {}, {} of the places have work", kernel, device.name,
                                    counted(w.waves, "wave"), percent(w.tail_efficiency));
  caption.alternative = fmt::format(
      "{} of {} threads. One of {} multiprocessors holds {}, {} of its warps, limited by {}. {}; the last "
      "one has {} "
      "for {} places.",
      counted(launch.blocks, "block"), launch.threads, device.multiprocessors, counted(o.blocks, "block"),
      percent(o.share), o.limited_by, counted(w.waves, "wave"), counted(w.last, "block"),
      short_number(w.capacity));
  double y = 0;
  std::string body = multiprocessor(o, device, y);
  body += limits(o, y);
  body += wave_rows(w, y);
  y += 10;
  const std::string words =
      "hatched: places for warps and blocks that stay empty; waves as if all blocks took the same time";
  for (const std::string& part : wrapped(words, 60))
    body += svg::text(left, y + 4, part, "start", small), y += 16;
  return svg::framed(caption, y, body);
}

}  // namespace ladder::report
