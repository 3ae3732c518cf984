/// @file
/// The memories of a GPU, from registers to the host: a picture with the numbers of several devices.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/figures/machine_figures.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

constexpr double left = 10, numbers = 190;
constexpr const char* small = "font-size=\"12\"";
constexpr const char* bold = "font-size=\"13\" font-weight=\"bold\"";
constexpr double smallest = 64 << 10, largest = 1e12, fastest = 1e-9,
                 slowest = 2e-6;  // ends of the bars' scales
constexpr const char* not_here = "not measured yet";

/// "256 KB", "60 MB", "141 GB"; caches count in 1024, memories in 1000, as their makers do.
std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.0f} GB", bytes / 1e9);
  const double KiB = bytes / 1024;
  return KiB >= 1024 ? fmt::format("{} MB", short_number(KiB / 1024)) : fmt::format("{:.0f} KB", KiB);
}

/// "520 ns, 980 cycles"; empty for a device that is not here.
std::string latency_text(const PicturedDevice& d, const std::string& memory) {
  const auto seconds = d.measured.median("latency, " + memory),
             cycles = d.measured.median("latency in cycles, " + memory);
  if (!seconds) return d.present ? std::string("latency ") + not_here : "";
  const std::string time =
      *seconds < 1e-6 ? fmt::format("{:.0f} ns", 1e9 * *seconds) : fmt::format("{:.2g} µs", 1e6 * *seconds);
  return time + (cycles ? fmt::format(", {} cycles", short_number(std::round(*cycles))) : "");
}

/// The measured rate, else the published one.
std::string rate_text(const PicturedDevice& d, const std::vector<std::string>& names, double published) {
  if (const auto best = d.measured.best(names)) return short_rate(*best, "B/s") + " measured";
  return published > 0 ? short_rate(published, "B/s") + " published" : "";
}

/// A bar as long as the logarithm of its value between two ends, and what it is.
std::string scaled_bar(double value, double least, double most, double& y, const char* what,
                       const char* fill) {
  constexpr double x = numbers + 52, width = svg::width - 10 - x;
  if (value <= 0) return "";
  const double share = std::clamp(std::log(value / least) / std::log(most / least), 0.02, 1.0);
  const std::string out =
      svg::text(numbers, y, what, "start", "font-size=\"11.5\"") + svg::box(x, y - 8, width * share, 8, fill);
  y += 13;
  return out;
}

}  // namespace

std::vector<MemoryLevel> memory_levels(const std::vector<PicturedDevice>& devices) {
  std::vector<MemoryLevel> levels = {{"registers", "of each SM", {}},
                                     {"L1, shared memory", "of each SM", {}},
                                     {"L2", "one for all SMs", {}},
                                     {"device memory", "HBM or GDDR, \"global\"", {}},
                                     {"PCIe, host memory", "the CPU's", {}}};
  for (const PicturedDevice& d : devices) {
    const DeviceLimits& l = d.limits;
    const auto put = [&](std::size_t level, std::vector<std::string> facts) {
      std::erase(facts, "");
      levels[level].facts.push_back(facts);
    };
    put(0, {fmt::format("{} each of {} SMs", bytes_text(4.0 * l.registers_per_multiprocessor),
                        l.multiprocessors),
            fmt::format("no wait; {} warps fit", l.warps_per_multiprocessor())});
    if (&d == devices.data()) {
      const double reached[] = {4.0 * l.registers_per_multiprocessor, double(l.l1_bytes), double(l.l2_bytes),
                                double(l.memory_bytes), 0};
      const char* measured[] = {"", "L1", "L2", "device memory", "host memory"};
      for (std::size_t i = 0; i < levels.size(); ++i)
        levels[i].bytes = reached[i],
        levels[i].seconds = d.measured.median(std::string("latency, ") + measured[i]).value_or(0);
    }
    const std::string shared = latency_text(d, "shared memory"), l1 = latency_text(d, "L1");
    put(1,
        {fmt::format("{}, {} of it shared", bytes_text(l.l1_bytes), bytes_text(l.shared_per_multiprocessor)),
         d.measured.median("latency, L1") ? "shared " + shared : shared,
         d.measured.median("latency, L1") ? "L1 " + l1 : "",
         short_rate(l.l1_bandwidth(), "B/s") + " published"});
    put(2, {bytes_text(l.l2_bytes), latency_text(d, "L2"), rate_text(d, {"read in cache"}, 0)});
    put(3, {bytes_text(l.memory_bytes), latency_text(d, "device memory"),
            rate_text(d, {"copy", "read"}, l.memory_bandwidth)});
    put(4, {latency_text(d, "host memory"),
            rate_text(d, {"to the device, pinned", "from the device, pinned"}, l.link_bandwidth)});
  }
  return levels;
}

std::string memory_figure(const std::vector<PicturedDevice>& devices, Caption& caption) {
  const auto levels = memory_levels(devices);
  caption.title = "The farther a memory, the larger and the slower it is";
  caption.alternative = caption.title + ":";
  // Boxes that become wider from the registers to the host; the numbers are to their right.
  const double widths[] = {140, 140, 146, 154, 166};
  const char* fills[] = {"#0072b2", "#3a94c9", "#63b0dd", "#8ccef2", "#c9c9c9"};
  const bool light[] = {true, true, false, false, false};
  std::string body, arrows;
  double y = 0;
  const double middle = left + widths[4] / 2;
  // The frame of a multiprocessor is around the first two.
  body += svg::text(middle, y + 15, "multiprocessor (SM)", "middle", bold) +
          svg::text(middle, y + 31, "with 4 schedulers", "middle", small);
  y += 40;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    std::vector<std::pair<std::string, const char*>> lines;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      std::string all;
      std::vector<std::string> texts;  // facts that fit on one line together are on one
      for (const std::string& fact : levels[i].facts[d]) {
        all += (all.empty() ? "" : "; ") + fact;
        if (!texts.empty() && columns(texts.back() + "; " + fact) <= 33)
          texts.back() += "; " + fact;
        else
          texts.push_back(fact);
      }
      caption.alternative += fmt::format(" {}, {}: {}.", levels[i].name, devices[d].name, all);
      lines.emplace_back(devices[d].name, bold);
      for (const std::string& text : texts)
        for (const std::string& part : wrapped(text, 35)) lines.emplace_back(part, small);
    }
    const int bars = (levels[i].bytes > 0) + (levels[i].seconds > 0);
    const double height = std::max(54.0, 15.5 * static_cast<double>(lines.size()) + 13 * bars + 6);
    const double x = middle - widths[i] / 2;
    body += svg::box(x, y, widths[i], height, fills[i], "rx=\"4\"");
    const char* ink = light[i] ? "style=\"fill:#fff\"" : "style=\"fill:#1a1a1a\"";
    double row = y + height / 2 - 8;
    for (const std::string& part : wrapped(levels[i].name, i < 2 ? 12 : 18))
      body += svg::text(middle, row, part, "middle",
                        fmt::format("font-size=\"13\" font-weight=\"bold\" {}", ink)),
          row += 16;
    for (const std::string& part : wrapped(levels[i].what, 22))
      body += svg::text(middle, row, part, "middle", fmt::format("font-size=\"12\" {}", ink)), row += 14;
    double at = y + 13;
    for (const auto& [text, look] : lines) body += svg::text(numbers, at, text, "start", look), at += 15.5;
    body += scaled_bar(levels[i].bytes, smallest, largest, at, "size", "#0072b2") +
            scaled_bar(levels[i].seconds, fastest, slowest, at, "latency", "#e69f00");
    if (i + 1 < levels.size())
      arrows +=
          svg::line(middle, y + height, middle, y + height + 14, "stroke-width=\"5\" stroke-opacity=\"0.6\"");
    if (i == 1)
      body = svg::box(left, 0, widths[4], y + height + 6, "none",
                      "class=\"ink\" stroke=\"#1a1a1a\" stroke-width=\"1\" rx=\"6\"") +
             body;
    y += height + 14;
  }
  y += 8;
  const bool timed =
      std::any_of(levels.begin(), levels.end(), [](const auto& level) { return level.seconds > 0; });
  if (!devices.empty())
    body += svg::paragraph(
        left, y,
        fmt::format("Bars: {}, on logarithmic scales. Size: what one SM reaches, from 64 KB to 1 TB.{}",
                    devices.front().name, timed ? " Latency: from 1 ns to 2 µs." : ""));
  return svg::framed(caption, y, arrows + body);
}

}  // namespace ladder::report
