/// @file
/// Pictures of threads: who they are, how a warp reads, how waiting is hidden.

#include "common/report/figures/machine_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/figures/drawing_figures.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

constexpr double left = 10, right = svg::width - 10;
constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* bold = "font-size=\"13\" font-weight=\"bold\"";
constexpr const char* pale = "#8ccef2";
constexpr const char* dark = "#0072b2";
constexpr const char* outline = "class=\"ink\" stroke=\"#1a1a1a\" stroke-width=\"1\"";

std::string lines_of(const std::string& words, double& y, std::size_t width = 58) {
  std::string out;
  for (const std::string& part : wrapped(words, width))
    out += svg::text(left, y, part, "start", small), y += 16;
  return out;
}

/// A row of `count` cells, of which one is chosen; under it two lines to the frame that shows the chosen one
/// enlarged.
struct Row {
  std::string title, words;
  int count, chosen;
};

std::string drawn(const Row& row, double y, bool last) {
  constexpr double cells = 46, height = 22, gap = 2;
  const double width = (right - left - 16) / row.count, x0 = left + 8;
  std::string out = svg::box(left, y, right - left, 78, "none", outline) +
                    svg::text(left + 8, y + 17, row.title, "start", bold) +
                    svg::text(left + 8, y + 35, row.words, "start", small);
  for (int i = 0; i < row.count; ++i)
    out += svg::box(x0 + width * i + gap / 2, y + cells, width - gap, height, i == row.chosen ? dark : pale);
  const double from = x0 + width * row.chosen, bottom = y + cells + height;
  if (!last)
    out += svg::line(from, bottom, left, y + 100, "stroke-width=\"1\" stroke-dasharray=\"3 3\"") +
           svg::line(from + width, bottom, right, y + 100, "stroke-width=\"1\" stroke-dasharray=\"3 3\"");
  return out;
}

}  // namespace

DoctorLines::DoctorLines(const model::Document& document) {
  if (!document.machine || !document.machine->ceilings) return;
  for (const auto& [device, lines] : *document.machine->ceilings)
    if (device.starts_with("cuda:") && lines_.empty()) lines_ = lines;
}

std::optional<double> DoctorLines::median(const std::string& what) const {
  for (const model::MeasuredCeiling& line : lines_)
    if (line.what == what) return line.median;
  return {};
}

std::optional<double> DoctorLines::best(const std::vector<std::string>& names) const {
  std::optional<double> most;
  for (const std::string& name : names)
    if (const auto value = median(name); value && (!most || *value > *most)) most = value;
  return most;
}

std::vector<DoctorLines::ByWarps> DoctorLines::by_warps() const {
  static const std::string name = "read by warps, ";
  std::vector<ByWarps> all;
  for (const model::MeasuredCeiling& line : lines_)
    if (line.what.starts_with(name) && line.median)
      all.push_back({std::stod(line.what.substr(name.size())), *line.median, line.low.value_or(*line.median),
                     line.high.value_or(*line.median)});
  return all;
}

double bytes_under_way(double latency, double bandwidth) {
  return latency * bandwidth;
}

double warps_under_way(double bytes, int multiprocessors, double bytes_of_load) {
  return bytes / multiprocessors / (32 * bytes_of_load);
}

std::string hierarchy_figure(Caption& caption) {
  caption.title = "A launch is a grid of blocks of warps of threads";
  caption.alternative =
      "Four rows, each a part of the one above it enlarged: a grid of 12 blocks; one block of 8 warps; one "
      "warp of 32 "
      "lanes; one thread with its indices and registers.";
  const Row rows[] = {{"grid", "one launch: kernel<<<12, 256>>>; blocks in any order", 12, 5},
                      {"block 5", "256 threads on one multiprocessor, with its shared memory", 8, 2},
                      {"warp 2", "32 threads (lanes) that execute one instruction together", 32, 13}};
  std::string body;
  double y = 4;
  for (const Row& row : rows) body += drawn(row, y, false), y += 100;
  body += svg::box(left, y, right - left, 62, "none", outline) +
          svg::text(left + 8, y + 17, "thread 77 of block 5", "start", bold) +
          svg::text(left + 8, y + 35, "blockIdx.x = 5, threadIdx.x = 2 · 32 + 13 = 77; registers of", "start",
                    small) +
          svg::text(left + 8, y + 52, "its own. Its element: 5 · 256 + 77 = 1357.", "start", small);
  return svg::framed(caption, y + 70, body);
}

std::string access_figure(Caption& caption) {
  constexpr int bytes = sizeof(double), sector = 32;
  struct Pattern {
    const char* code;
    int first, step;  // lane i reads element `first + step * i`
  };
  SectorDrawing drawing{{}, bytes, {}, "Each lane reads one double."};
  std::string counts, words;
  for (const auto& [code, first, step] :
       {Pattern{"coalesced: A[i]", 0, 1}, {"misaligned: A[i + 1]", 1, 1}, {"strided: A[4 i]", 0, 4}}) {
    SectorDrawing::Panel& panel = drawing.panels.emplace_back(SectorDrawing::Panel{code, {}});
    for (int lane = 0; lane < 32; ++lane) panel.at.push_back(bytes * (first + step * lane));
    const int sectors = sectors_touched(panel.at, bytes);
    const double wasted = 1 - 32.0 * bytes / (sector * sectors);
    counts += fmt::format("{}{}", counts.empty() ? "" : step > 1 ? " or " : ", ", sectors);
    words += fmt::format("{} {}, {} sectors, {} wasted", words.empty() ? "" : ";", code, sectors,
                         per_cent(wasted));
    panel.label += fmt::format(", {} wasted", per_cent(wasted));
  }
  caption.title = "The same 256 bytes cost " + counts + " sectors";
  caption.alternative = caption.title + ". 32 lanes read one double each:" + words + ".";
  drawing.caption = caption;
  return drawn(drawing);
}

namespace {

constexpr int issue = 2, wait = 14, rounds = 2;  // of the picture: units of time

/// The rows of that many warps, and the scheduler's row below them.
std::string drawn(int warps, double& y) {
  constexpr double row = 15, unit = (right - left - 78) / (rounds * (issue + wait)), x0 = left + 78;
  const auto at = [&](double t) { return x0 + unit * t; };
  const double end = rounds * (issue + wait);
  std::string out =
      svg::text(left, y + 13, warps == 1 ? "one warp" : fmt::format("{} warps", warps), "start", bold);
  y += 20;
  std::vector<std::pair<double, double>> busy;
  for (int w = 0; w < warps; ++w, y += row) {
    out += svg::text(left, y + 11, fmt::format("warp {}", w), "start", small);
    out += svg::box(at(issue * w), y + 1, at(end) - at(issue * w), row - 3, svg::hatched);
    for (int r = 0; r < rounds; ++r) {
      const double t = issue * w + r * (issue + wait);
      out += svg::box(at(t), y + 1, unit * issue, row - 3, dark);
      busy.emplace_back(t, t + issue);
    }
  }
  y += 3;
  out += svg::text(left, y + 12, "scheduler", "start", small) +
         svg::box(at(0), y, at(end) - at(0), row, "none", outline);
  for (const auto& [from, to] : busy) out += svg::box(at(from), y + 1, unit * (to - from), row - 2, dark);
  y += row + 14;
  return out;
}

}  // namespace

std::string hiding_figure(Caption& caption) {
  constexpr int enough = (issue + wait) / issue;
  caption.title = fmt::format("One warp waits; {} warps hide each other's waiting", enough);
  caption.alternative = fmt::format(
      "{}. A scheduler with one warp is idle {:.0f} % of the time, until the warp's load is there. With {} "
      "warps another "
      "one is ready whenever one waits, and the scheduler always issues.",
      caption.title, 100.0 * wait / (issue + wait), enough);
  std::string body;
  double y = 0;
  body += drawn(1, y);
  body += drawn(enough, y);
  body += lines_of(
      "time from left to right; blue: the warp's instructions are issued; hatched: it waits for its load", y);
  return svg::framed(caption, y, body);
}

std::string little_figure(const PicturedDevice& device, Caption& caption) {
  const auto by_warps = device.measured.by_warps();
  const auto latency = device.measured.median("latency, device memory");
  if (by_warps.empty() || !latency) return "";
  constexpr double load = 8;
  double most = 0;
  CurvesFigure figure{caption, {"resident warps of a multiprocessor", true}, {"GB/s", true}, {}};
  CurvesFigure::Line measured{"measured", Part::rung, {}}, little{"Little's law", Part::floor, {}};
  for (const auto& one : by_warps) most = std::max(most, one.rate);
  for (const auto& one : by_warps) {
    measured.points.push_back({one.warps, one.rate / 1e9, one.low / 1e9, one.high / 1e9});
    const double rate = one.warps * 32 * load * device.limits.multiprocessors / *latency;
    little.points.push_back({one.warps, std::min(rate, most) / 1e9});
  }
  caption.title =
      fmt::format("{} warps per multiprocessor read {}, 1 reads {}", short_number(by_warps.back().warps),
                  short_rate(by_warps.back().rate, "B/s"), short_rate(by_warps.front().rate, "B/s"));
  caption.alternative = caption.title +
                        ". Each lane has one load of 8 bytes in flight. Measured, and by Little's law: bytes "
                        "in flight over latency, at most the highest rate.";
  figure.caption = caption;
  figure.lines = {little, measured};
  return curves(figure);
}

}  // namespace ladder::report
