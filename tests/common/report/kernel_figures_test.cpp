/// @file
/// Figures of launches: what they say, that they stay in their frame, and that nothing is told by colour
/// alone.
// Guards: docs/student.md#your-ladder-on-one-page-report

#include "common/report/figures/kernel_figures.hpp"

#include <cmath>
#include <random>
#include <regex>

#include "common/base/event.h"
#include "common/base/observation/access_shape.hpp"
#include "common/report/figures/svg.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/text.hpp"

using namespace ladder;
using namespace ladder::report;
using ladder::test::count;
using ladder::test::has;

namespace {

/// One request in which lane i touches byte `first + i * apart`.
LineCounters request(const char* space, unsigned size, std::int64_t first, std::int64_t apart,
                     int lanes = 32) {
  LineCounters line;
  line.site = {"g1.cu", 41};
  line.space = space, line.operation = "load", line.size = size, line.requests = 1;
  line.worst = WarpAccess{{}, 0, 0xffffffffu, {}, "dA"};
  for (int i = 0; i < 32; ++i) line.worst->at.push_back(i < lanes ? first + i * apart : -1);
  return line;
}

/// A figure that is whole: words for those who do not see it, a frame, numbers that are numbers.
void check_figure(const std::string& svg) {
  INFO(svg.substr(0, 400));
  CHECK(has(svg, "<title id=\"title\">"));
  CHECK(has(svg, "<desc id=\"description\">"));
  CHECK(has(svg, "role=\"img\""));
  CHECK_FALSE(has(svg, "nan"));
  CHECK_FALSE(has(svg, "inf\""));
  static const std::regex rectangle("<rect [^>]*?x=\"(-?[0-9.]+)\"[^>]*? width=\"(-?[0-9.]+)\"");
  for (std::sregex_iterator i(svg.begin(), svg.end(), rectangle), end; i != end; ++i) {
    CHECK(std::stod((*i)[1]) >= 0);
    CHECK(std::stod((*i)[2]) >= 0);
    CHECK(std::stod((*i)[1]) + std::stod((*i)[2]) <= svg::width + 0.2);
  }
}

}  // namespace

TEST_CASE("a warp's access: rows of a matrix are a sector each, three quarters wasted") {
  const std::string svg = warp_access(request("global", 8, 0, 512), "AMD EPYC, 2026-01-02");
  check_figure(svg);
  CHECK(has(svg, "Line 41: 32 sectors where 8 would do"));
  CHECK(has(svg, "moved, not asked for (75 %)"));
  CHECK(has(svg, "url(#hatch)"));
  CHECK(has(svg, "<pattern id=\"hatch\""));
  CHECK(has(svg, "AMD EPYC, 2026-01-02"));
  CHECK(count(svg, "<line ") >= 32);
}

TEST_CASE("a warp's access: neighbours waste nothing, one element wastes the rest of its sector") {
  const std::string row = warp_access(request("global", 8, 0, 8), "");
  check_figure(row);
  CHECK(has(row, "8 sectors, no more than needed"));
  CHECK(has(row, "(0 %)"));
  const std::string one = warp_access(request("global", 8, 64, 0), "");
  CHECK(has(one, "Line 41: 1 sector, no more than needed"));
  CHECK(has(one, "(75 %)"));
  // One double further: a ninth sector.
  CHECK(has(warp_access(request("global", 8, 8, 8), ""), "9 sectors where 8 would do"));
  // 16 bytes per lane, far apart: still inside the frame.
  check_figure(warp_access(request("global", 16, 24, 4096), ""));
}

TEST_CASE("a warp's access: banks of shared memory, wavefront by wavefront") {
  const std::string column = warp_access(request("shared", 8, 0, 256), "");
  check_figure(column);
  CHECK(has(column, "32 wavefronts where 2 would do"));  // two halves of 16
  CHECK(has(column, "(94 %)"));
  const std::string padded = warp_access(request("shared", 8, 0, 264), "");
  CHECK(has(padded, "2 wavefronts, no more than needed"));
  CHECK(has(padded, "(0 %)"));
  CHECK(has(warp_access(request("shared", 4, 0, 128), ""), "32 wavefronts where 1 would do"));
  CHECK(has(warp_access(request("shared", 4, 0, 0), ""), "1 wavefront, no more than needed"));
  CHECK(has(warp_access(request("shared", 16, 0, 16), ""), "4 wavefronts, no more than needed"));
}

TEST_CASE("a warp's access: the picture shows as many wavefronts as the executor counts") {
  std::mt19937 random(7);
  for (const unsigned size : {1u, 4u, 8u, 16u})
    for (int turn = 0; turn < 200; ++turn) {
      LineCounters line = request("shared", size, 0, 0);
      Addresses addresses{{}, 0, size};
      const int kind = turn % 4, range = 1 << (turn % 9);
      for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned anywhere = static_cast<unsigned>(random()) % static_cast<unsigned>(range);
        const unsigned place = kind == 0 ? 0 : kind == 1 ? lane / 2 : kind == 2 ? (lane & ~2u) : anywhere;
        const bool there = kind != 3 || lane == 0 || random() % 5 > 0;
        line.worst->at[lane] = there ? static_cast<std::int64_t>(place * size) : -1;
        addresses.lane[lane] = place * size;
        if (there) addresses.mask |= 1u << lane;
      }
      const unsigned wavefronts = shared_shape(addresses).wavefronts;
      INFO("size " << size << ", turn " << turn);
      CHECK(has(warp_access(line, ""), "Line 41: " + std::to_string(wavefronts) + " wavefront"));
    }
}

TEST_CASE(
    "a warp's access: lanes that are not there are hatched, and without an example there is no picture") {
  const std::string half = warp_access(request("global", 4, 0, 4, 5), "");
  check_figure(half);
  CHECK(count(half, "fill=\"url(#hatch)\"") >= 27);
  CHECK(warp_access(request("global", 4, 0, 4, 0), "").empty());
  LineCounters none = request("global", 4, 0, 4);
  none.worst.reset();
  CHECK(warp_access(none, "").empty());
  LineCounters few = request("shared", 0, 0, 4);  // no size, and fewer places than lanes
  few.worst->at.resize(3);
  check_figure(warp_access(few, "<b>"));
}

TEST_CASE("a timeline of the executor is placed by order and stated costs, and says so") {
  Trace trace;
  const auto add = [&](ladder_event_kind kind, double bytes, std::uint64_t stream,
                       std::vector<std::uint64_t> deps) {
    Trace::Event event;
    event.kind = kind, event.bytes = bytes, event.stream = stream, event.deps = std::move(deps);
    event.id = trace.events.size() + 1, event.name = "f<int>";
    trace.events.push_back(event);
    return event.id;
  };
  const auto a = add(LADDER_H2D, 25e6, 1, {}), b = add(LADDER_H2D, 25e6, 2, {});
  const auto k = add(LADDER_KERNEL, 0, 1, {a});
  add(LADDER_WAIT, 0, 0, {k, b});
  const TimelineFigure figure = timeline_of(trace, false);
  REQUIRE(figure.rows.size() == 3);
  CHECK(figure.rows[0].label == "stream 1");
  // Both copies begin at once: 10 us and 1 ms; the kernel follows its copy.
  CHECK(figure.rows[1].bars[0].begin == 0);
  CHECK(std::abs(figure.rows[0].bars[1].begin - 1.01e-3) < 1e-9);
  CHECK(figure.rows[2].waits.size() == 1);
  CHECK(has(figure.caption.title, "1 kernel, 2 copies in 2 streams"));
  const std::string svg = timeline(figure);
  check_figure(svg);
  CHECK(has(svg, "stated costs, the same on every machine: no time"));
  CHECK(has(svg, "copy to device</text>"));  // a word next to the colour
  CHECK_FALSE(has(svg, "f<int>"));
  CHECK(has(svg, ">100 %<"));  // costs are no time
  CHECK(timeline(timeline_of(Trace{}, false)).empty());
}

TEST_CASE("a timeline of a GPU is placed by its times; thousands of bars are one picture") {
  Trace trace;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    Trace::Event event;
    event.kind = LADDER_KERNEL, event.id = i + 1;
    event.begin = 1000 + 10 * i, event.end = event.begin + 8;
    trace.events.push_back(event);
  }
  const TimelineFigure figure = timeline_of(trace, true);
  CHECK(std::abs(figure.rows[0].bars[0].begin - 1e-6) < 1e-15);
  const std::string svg = timeline(figure);
  check_figure(svg);
  CHECK(count(svg, "<rect ") < 1000);
  CHECK(has(svg, "measured by the device"));
}

TEST_CASE("a bar of a timeline is as high as it is busy") {
  using What = TimelineFigure::What;
  TimelineFigure figure{{"g4", "words", "here"}, {}, "measured"};
  figure.rows.push_back({"GPU", {{0, 1, What::kernel, "all", 1}, {2, 3, What::kernel, "half", 0.5}}, {}});
  const std::string half = timeline(figure);
  check_figure(half);
  CHECK(count(half, "height=\"18.0\"") == 1);
  CHECK(count(half, "height=\"9.0\"") == 1);
  CHECK(has(half, ">all</text>"));
  CHECK_FALSE(has(half, ">half</text>"));  // it would stand across the bar's edge
  // A hundred that are drawn as one, and take a quarter of their place.
  figure.rows[0].bars = {{0, 1000, What::kernel, "", 1}};
  for (int i = 0; i < 100; ++i)
    figure.rows[0].bars.push_back({2000 + 0.04 * i, 2000.01 + 0.04 * i, What::kernel, "", 1});
  const std::string dense = timeline(figure);
  CHECK(count(dense, "height=\"18.0\"") == 1);
  CHECK(std::regex_search(dense, std::regex("height=\"[2-5]\\.[0-9]\"")));
}

TEST_CASE("waves: the last one's idle places are hatched and named") {
  const DeviceLimits& small = *find_device("GTX 1660");
  const std::string svg = waves_figure({64, 1024, 16384, 32}, small, "multiply", "here");
  check_figure(svg);
  CHECK(has(svg, "multiply on GTX 1660: 2.91 waves, 96 % of"));
  CHECK(has(svg, "▸ threads"));
  CHECK(has(svg, "16 blocks"));
  CHECK(has(svg, "the last one has 20 blocks for 22 places"));
  const std::string whole = waves_figure({44, 1024, 0, {}}, small, "multiply", "here");
  CHECK(has(whole, "multiply fills GTX 1660 in 2 waves"));
  CHECK(has(whole, ">not known</text>"));
  const std::string many = waves_figure({1e6, 256, 0, {}}, small, "k", "");
  check_figure(many);
  CHECK(has(many, "more full waves"));
  CHECK(has(waves_figure({1, 2048, 0, {}}, small, "k", ""),
            "cannot run on GTX 1660: a block has 2048 threads"));
}

TEST_CASE("roofline: points under their roofs, hollow where nothing was measured") {
  CHECK(attainable(0.5, 100, 1000) == 50);
  CHECK(attainable(50, 100, 1000) == 1000);
  RooflineFigure figure;
  figure.caption = {"H200: 6 %", "words", "here"};
  figure.peak = 33e12, figure.peak_label = "FP64 peak";
  figure.roofs = {{"L1", 33e12, false}, {"memory", 4.8e12, true}};
  figure.points = {{"g1", 0.06, 2e12, false}, {"g2", 1.0, 20e12, true}};
  const std::string svg = roofline(figure);
  check_figure(svg);
  CHECK(count(svg, "<circle ") == 2);
  CHECK(count(svg, "<circle cx=") == 2);
  CHECK(has(svg, "r=\"6\" class=\"paper\""));
  CHECK(has(svg, "stroke-dasharray=\"7 5\""));
  CHECK(has(svg, ">2  g2</text>"));
  figure.peak = 0;
  CHECK(roofline(figure).empty());
  figure.peak = 1e12, figure.points.clear();
  check_figure(roofline(figure));
}
