/// @file
/// What figures say and how they stay inside their frame.
// Guards: docs/measuring.md#a-run

#include "common/report/figures/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <regex>

#include "common/report/figures/label_places.hpp"
#include "common/report/figures/svg.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/report/text.hpp"

using namespace ladder::report;
using ladder::test::has;
using nlohmann::json;

namespace {

json timed(const std::string& name, const std::string& backend, int n, double seconds, double baseline) {
  return {{"name", name},
          {"backend", backend},
          {"device", backend},
          {"verdict", "PASS"},
          {"time",
           {{"median", seconds}, {"low", 0.9 * seconds}, {"high", 1.1 * seconds}, {"problem", {{"n", n}}}}},
          {"ratio", {{"baseline", baseline}, {"OpenBLAS", 0.5}}}};
}

LadderFigure figure_of(const std::vector<json>& steps) {
  return ladder_figure({{"name", "03-dgemm"}, {"steps", steps}},
                       {{"date", "2026-01-02T03:04:05Z"}, {"machine", {{"cpu", "AMD EPYC"}}}});
}

/// Every x of lines, texts and bars.
std::vector<double> xs_of(const std::string& svg) {
  std::vector<double> xs;
  static const std::regex pattern(" (?:x|x1|x2|cx)=\"(-?[0-9.]+)\"");
  for (std::sregex_iterator i(svg.begin(), svg.end(), pattern), end; i != end; ++i)
    xs.push_back(std::stod((*i)[1]));
  return xs;
}

}  // namespace

TEST_CASE("dots stand together only when they solved the same problem on the same device") {
  const auto figure = figure_of({timed("c1_openmp", "cpu", 768, 0.1, 2), timed("m1_mpi", "mpi", 768, 0.2, 1),
                                 timed("g1_naive", "opencl", 256, 0.05, 0.04)});
  REQUIRE(figure.groups.size() == 2);
  CHECK(figure.groups[0].heading == "n = 768, CPU");
  CHECK(figure.groups[0].dots.size() == 3);  // the baseline and two rungs
  CHECK(figure.groups[1].heading == "n = 256, opencl");
  CHECK(figure.groups[1].dots[0].seconds ==
        0.05);  // a CPU's time next to a GPU's would only make the axis long
}

TEST_CASE("the title is the finding, and the executor does not race") {
  CHECK(figure_of({timed("c1_openmp", "cpu", 768, 0.1, 2), timed("g1_naive", "executor", 256, 0.05, 9)})
            .caption.title == "03-dgemm: c1 is 2 times as fast as the baseline, 0.500 of OpenBLAS's speed");
  CHECK(has(figure_of({timed("g1_naive", "opencl", 256, 0.05, 0.5)}).caption.title,
            "no rung beats the baseline here; g1 reaches 0.500"));
  CHECK(has(
      figure_of({timed("g1_naive", "opencl", 256, 0.5, 0.05), timed("g2_tiles", "opencl", 256, 0.05, 0.5)})
          .caption.title,
      "g2 is 10 times as fast as g1, still 0.500 of the baseline's speed"));
}

TEST_CASE("the title of a machine with a GPU is about the problem that most of its rungs solved") {
  json g2 = timed("g2_tiles", "opencl", 4096, 0.5, 1), g3 = timed("g3_registers", "opencl", 4096, 0.1, 1);
  for (json* one : {&g2, &g3}) (*one)["ratio"] = json::object();  // a baseline would take too long there
  CHECK(
      figure_of({timed("c1_openmp", "cpu", 768, 0.1, 9), timed("g1_naive", "opencl", 256, 0.01, 20), g2, g3})
          .caption.title == "03-dgemm: g3 is 5 times as fast as g2");
}

TEST_CASE("rungs of several tasks are compared with their own baseline each, and not with each other") {
  // As in lesson 00: the second rung solves another task, whose baseline takes 50 times as long.
  const auto figure =
      figure_of({timed("g1_kernel", "opencl", 1024, 0.01, 0.5), timed("g2_tiles", "opencl", 1024, 0.01, 25)});
  CHECK(has(figure.caption.title, "g2 is 25 times as fast as its baseline"));
  REQUIRE(figure.groups.size() == 1);
  REQUIRE(figure.groups[0].dots.size() == 2);  // no bar of a baseline
  CHECK(figure.groups[0].dots[0].label == "g1 kernel, 0.500x its baseline");
  CHECK(has(figure_of({timed("g1_kernel", "opencl", 1024, 0.01, 0.02),
                       timed("g2_tiles", "opencl", 1024, 0.01, 0.5)})
                .caption.title,
            "no rung beats its baseline here; g2 reaches 0.500 of the baseline's speed"));
}

TEST_CASE("a rung that works on the host races another library: no line stands for both") {
  // As in lesson 03: g5's matrices are on the device, g6's come from the host, and so do its library's.
  json g5 = timed("g5_async", "opencl", 2048, 0.001, 1000),
       g6 = timed("g6_streams", "opencl", 2048, 0.04, 25);
  g5["ratio"]["OpenBLAS"] = 0.75, g6["ratio"]["OpenBLAS"] = 0.375;
  const auto figure = figure_of({g5, g6});
  REQUIRE(figure.groups.size() == 1);
  CHECK(figure.groups[0].library == 0);
  REQUIRE(figure.groups[0].dots.size() == 2);
  CHECK(figure.groups[0].dots[0].label == "g5 async (0.750x OpenBLAS)");
  CHECK(figure.groups[0].dots[1].label == "g6 streams (0.375x OpenBLAS)");
}

TEST_CASE("rungs of several tasks have a ceiling each, and the title compares none with another's baseline") {
  // As in lesson 00: a transpose moves twice as many bytes as sums of rows. All have the baseline of the
  // first task.
  json g3 = timed("g3_tile", "cuda", 4096, 1e-4, 80), g5 = timed("g5_sum", "cuda", 4096, 2e-5, 400);
  g3["time"]["work"] = {{"ceiling", "memory"}, {"unit", "byte"}, {"amount", 1.3e8}, {"seconds", 3e-5}};
  g5["time"]["work"] = {{"ceiling", "memory"}, {"unit", "byte"}, {"amount", 6.5e7}, {"seconds", 1.5e-5}};
  const auto figure = figure_of({g3, g5});
  CHECK(figure.caption.title == "03-dgemm: g5 reaches 75 % of the memory bandwidth");
  REQUIRE(figure.groups.size() == 1);
  CHECK(figure.groups[0].floor == 0);
  REQUIRE(figure.groups[0].dots.size() == 2);
  CHECK(figure.groups[0].dots[0].ceiling == Approx(3e-5));
  CHECK(figure.groups[0].dots[1].ceiling == Approx(1.5e-5));
  CHECK(has(figure.caption.alternative, "20 us (ceiling 15"));
  const std::string svg = ladder_dots(figure);
  CHECK(has(svg, "stroke-dasharray=\"4 2\""));
  CHECK(has(svg, "Short dashes"));
  for (const double x : xs_of(svg)) CHECK((x >= 0 && x <= svg::width));

  g3["time"]["work"]["seconds"] = 1.501e-5;  // computed from equal amounts: one line stands for both
  CHECK(figure_of({g3, g5}).groups[0].floor == Approx(1.501e-5));
}

TEST_CASE("a baseline and a library that took different times in several races have both") {
  const auto figure =
      figure_of({timed("c1_openmp", "cpu", 768, 0.01, 8), timed("m1_mpi", "mpi", 768, 0.05, 1.8)});
  REQUIRE(figure.groups.size() == 1);
  const auto& baseline = figure.groups[0].dots[0];
  CHECK(baseline.seconds == Approx(0.08));
  CHECK(baseline.high == Approx(0.09));
  CHECK(baseline.remark == "to 90.0 ms");
  CHECK(has(figure.caption.alternative, "baseline 80 ms to 90.0 ms,"));
  const std::string svg = ladder_dots(figure);
  CHECK(has(svg, ">to 90.0 ms</text>"));
  CHECK(has(svg, "Two times of one"));
  json c1 = timed("c1_openmp", "cpu", 768, 0.01, 8), m1 = timed("m1_mpi", "mpi", 768, 0.01, 8.1);
  c1["ratio"]["OpenBLAS"] = 0.5, m1["ratio"]["OpenBLAS"] = 0.6;
  const auto other = figure_of({c1, m1});
  CHECK(other.groups[0].dots[0].remark.empty());  // by 1.3 %: one time
  CHECK(has(ladder_dots(other), "OpenBLAS 5 ms to 6 ms"));
}

TEST_CASE("where rungs of one device were timed at two sizes, the figure says why") {
  const auto said = [](const std::vector<json>& steps) {
    return has(ladder_dots(figure_of(steps)), "Slower");
  };
  CHECK(said({timed("g1_naive", "cuda", 512, 1, 1), timed("g2_tiles", "cuda", 1024, 0.1, 1)}));
  CHECK_FALSE(said({timed("g1_naive", "cuda", 1024, 1, 1), timed("g2_tiles", "cuda", 1024, 0.1, 1)}));
  CHECK_FALSE(said({timed("c1_openmp", "cpu", 512, 1, 1), timed("g2_tiles", "cuda", 1024, 0.1, 1)}));
}

TEST_CASE("numbers of a title stay with their units when it is broken into lines") {
  const std::string svg =
      svg::framed({"Words before it up to the end: then 91 % of n = 4096", "w", "commit 12"}, 9, "");
  CHECK(has(svg, "91\u00a0%"));
  CHECK(has(svg, "n\u00a0=\u00a04096"));
  CHECK(has(svg, "commit\u00a012"));
}

TEST_CASE("a verdict that is not PASS stands next to the time, as a word") {
  json step = timed("c1_openmp", "cpu", 768, 0.1, 2);
  step["verdict"] = "MISSED";
  CHECK(has(ladder_dots(figure_of({step})), "MISSED</text>"));
}

TEST_CASE("a figure works on a light and a dark page, says itself in words, and stays in its frame") {
  const auto figure =
      figure_of({timed("c1_openmp", "cpu", 768, 0.1, 2), timed("g1_naive", "opencl", 256, 5e-7, 0.5)});
  const std::string svg = ladder_dots(figure);
  for (const char* part :
       {"prefers-color-scheme:dark", "class=\"paper\"", "<desc", "AMD EPYC, 2026-01-02", "OpenBLAS 50 ms"})
    CHECK(has(svg, part));
  CHECK_FALSE(has(svg, "nan"));
  CHECK_FALSE(has(svg, "inf"));
  for (const double x : xs_of(svg)) CHECK((x >= 0 && x <= svg::width));
}

TEST_CASE("ceilings are dashed and named, and no line crosses a label") {
  LadderFigure figure{{"t", "words", ""},
                      {{"n = 1", {{"g1", 1, 0.9, 1.2}}, 0.5, 0.25, "cuBLAS", "FP64 peak"}}};
  const std::string svg = ladder_dots(figure);
  CHECK(has(svg, "stroke-dasharray=\"7 5\""));
  CHECK(has(svg, "FP64 peak 250 ms"));
  CHECK(has(svg, "cuBLAS 500 ms"));
  CHECK_FALSE(has(svg, "<rect x"));  // a bar has no length on a logarithmic axis
  static const std::regex vertical("<line x1=\"([0-9.]+)\" y1=\"[0-9.]+\" x2=\"([0-9.]+)\"");
  for (std::sregex_iterator i(svg.begin(), svg.end(), vertical), end; i != end; ++i) {
    CHECK(std::stod((*i)[1]) >= 166);  // labels end before it
    CHECK(std::stod((*i)[2]) <= 334);  // and numbers begin after it
  }
}

TEST_CASE("rungs on the executor show what their ideas move, next to the rung below, and no time") {
  json g2 = timed("g2_tiles", "executor", 256, 0.05, 0.5);
  g2["targets"] = {
      {{"metric", "sectors per flop"},
       {"relation", "<="},
       {"bound", 1.1},
       {"measured", 1.0},
       {"below", 32.0},
       {"verdict", "PASS"}},
      {{"metric", "waits"}, {"relation", "<="}, {"bound", 0.05}, {"measured", 0.0}, {"verdict", "PASS"}},
      {{"metric", "balance"},
       {"relation", ">="},
       {"bound", 0.9},
       {"measured", nullptr},
       {"verdict", "SKIPPED"}}};
  const auto figure = figure_of({g2});
  REQUIRE(figure.groups.size() == 1);
  CHECK(figure.groups[0].dots.empty());
  REQUIRE(figure.groups[0].ideas.size() == 3);
  CHECK(figure.caption.title == "03-dgemm: g2 tiles moves sectors per operation 32-fold");
  CHECK_FALSE(has(figure.caption.alternative, "50 ms"));
  const std::string svg = ladder_dots(figure);
  for (const char* part : {"g2 tiles: sectors per", "≤ 1.10", "≥ 0.900", "not measured", "ring: the same"})
    CHECK(has(svg, part));
  CHECK_FALSE(has(svg, "50 ms"));
  CHECK_FALSE(has(svg, "nan"));
  for (const double x : xs_of(svg)) CHECK((x >= 0 && x <= svg::width));
}

TEST_CASE(
    "what a device did with data of its own is shown by its clock, with the percent of the ceiling that "
    "binds") {
  json g5 = timed("g5_async", "cuda", 2048, 0.0012, 1000);
  g5["data"] = "resident";
  g5["time"]["device"] = {
      {"median", 0.001}, {"low", 0.00099}, {"high", 0.00102}, {"peers", {{"cuBLAS", 0.0004}}}};
  g5["time"]["work"] = {{"ceiling", "FP64"}, {"unit", "flop"}, {"amount", 1.7e10}, {"seconds", 0.00025}};
  const auto figure = figure_of({g5});
  REQUIRE(figure.groups.size() == 1);
  CHECK(figure.groups[0].heading == "n = 2048, cuda, time on the device");
  REQUIRE(figure.groups[0].dots.size() == 1);
  CHECK(figure.groups[0].dots[0].seconds == 0.001);
  CHECK(figure.groups[0].dots[0].remark == "25 %");
  CHECK(figure.groups[0].library == Approx(0.0004));
  CHECK(figure.groups[0].library_name == "cuBLAS");
  CHECK(figure.groups[0].floor == Approx(0.00025));
  CHECK(has(figure.caption.title, "0.400 of cuBLAS's speed, 25 % of the FP64 peak"));

  g5["data"] = "host";  // then its copies, and the host that waits for them, are a part of it
  CHECK(figure_of({g5}).groups[0].dots[0].seconds == 0.0012);
}

TEST_CASE("one point, one size, equal times: no figure divides by zero") {
  CHECK_FALSE(has(time_against_n({{"t", "w", "c"}, {{"g1", Part::rung, {{64, 1e-3}}}}}), "nan"));
  CHECK_FALSE(has(ladder_dots({{"t", "w", "c"}, {{"", {{"g1", 1, 1, 1}}, 0, 0}}}), "nan"));
  CHECK(has(time_against_n({{"empty", "w", "c"}, {}}), "empty"));
}

TEST_CASE("curves stay inside their frame, with linear and logarithmic axes, and without points") {
  for (const bool logarithmic : {false, true}) {
    CurvesFigure figure;
    figure.caption = {"It falls", "In words.", "corner"};
    figure.x = {"blocks", logarithmic}, figure.y = {"speedup", logarithmic};
    figure.lines = {{"real", Part::rung, {{1, 0.5}, {44, 20, 18, 25}, {704, 24.97}}},
                    {"predicted", Part::floor, {{1, 0.6}, {704, 25}}},
                    {"source", Part::source, {{704, 24.97}}}};
    figure.marks = {44, 88, 5000};
    const std::string svg = curves(figure);
    for (const double x : xs_of(svg)) {
      CHECK(x >= 0);
      CHECK(x <= svg::width);
    }
    CHECK(has(svg, "real</text>"));
    CHECK(has(svg, "stroke-dasharray=\"6 4\""));  // a prediction is no measurement
  }
  CHECK(has(curves({{"Nothing", "Nothing.", ""}, {}, {}, {}}), "<svg"));
}

TEST_CASE("labels of lines that end together neither cover each other nor the axis") {
  CurvesFigure figure;
  figure.caption = {"Together", "In words.", ""};
  figure.x = {"n", true}, figure.y = {"share", false};
  for (int i = 0; i < 8; ++i)
    figure.lines.push_back({fmt::format("line {}", i), Part::rung, {{1, 0.5}, {64, 0.001 * i}}});
  const std::string svg = curves(figure);
  static const std::regex pattern(" y=\"([0-9.]+)\"[^>]*>line [0-9]</text>");
  std::vector<double> ys;
  for (std::sregex_iterator i(svg.begin(), svg.end(), pattern), end; i != end; ++i)
    ys.push_back(std::stod((*i)[1]));
  REQUIRE(ys.size() == 8);
  static const std::regex axis(" y=\"([0-9.]+)\"[^>]*>64</text>");
  std::smatch tick;
  REQUIRE(std::regex_search(svg, tick, axis));
  std::sort(ys.begin(), ys.end());
  for (std::size_t i = 1; i < ys.size(); ++i) CHECK(ys[i] - ys[i - 1] > 14);
  CHECK(ys.back() < std::stod(tick[1]) - 14);
}

TEST_CASE(
    "stacked bars stay inside their frame, with their numbers below them, and none gives an empty figure") {
  StackedFigure figure{{"Half", "In words.", ""}, {"elimination", "substitution"}, {}};
  figure.rows = {{"g2", {0.002, 0.002}}, {"g5", {0.001, 0.0005}}};
  const std::string svg = stacked(figure);
  for (const double x : xs_of(svg)) {
    CHECK(x >= 0);
    CHECK(x <= svg::width);
  }
  CHECK(has(svg, ">elimination 2 ms, substitution 2 ms</text>"));
  CHECK(has(svg, "width=\"200.0\""));  // half of 400: the longest program spends half of its time with each
  CHECK(has(svg, "width=\"50.0\""));   // 0.5 of 4 ms
  CHECK(has(svg, "bars begin at"));
  figure.rows = {};
  CHECK(has(stacked(figure), "<svg"));
}

TEST_CASE("an axis of classes has their names, and programs that end early have their labels there") {
  CurvesFigure figure{{"Up", "In words.", ""}, {"class", false, {"S", "W", "A"}}, {"speedup", true}, {}};
  figure.lines = {{"c1", Part::rung, {{0, 8}, {1, 9}}}, {"g1", Part::rung, {{0, 4}, {1, 60}, {2, 700}}}};
  const std::string svg = curves(figure);
  for (const char* name : {">S</text>", ">W</text>", ">A</text>", ">c1</text>", ">g1</text>"})
    CHECK(has(svg, name));
  CHECK_FALSE(has(svg, ">0.5</text>"));
}

TEST_CASE("every tick of a logarithmic axis has a label, or every second one, from the largest size on") {
  const std::vector<double> xs = {0, 30, 60, 90, 120}, narrow(5, 20), wide(5, 35);
  CHECK(svg::label_stride(xs, narrow) == 1);
  CHECK(svg::label_stride(xs, wide) == 2);
}

TEST_CASE("names of lines are at their ends, on no line and on no other name") {
  using svg::LineName;
  const std::vector<std::vector<svg::Point>> lines = {
      {{50, 200}, {100, 100}}, {{50, 100}, {200, 104}}, {{50, 60}, {200, 100}}};
  std::vector<LineName> names = {{.words = "short one", .end = {100, 100}},
                                 {.words = "second", .end = {200, 104}},
                                 {.words = "third", .end = {200, 100}}};
  svg::place(names, lines, {10, 410, 10, 300}, 13);
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      CHECK((std::abs(names[i].at.y - names[k].at.y) > 13 || std::abs(names[i].at.x - names[k].at.x) > 60));
  CHECK(names[1].at.x > 200);
}

TEST_CASE("a heat map has a row a line, frames the best and hatches what was not measured") {
  HeatFigure figure{{"Best", "In words.", ""}, "blocks", "threads", "times", {22, 44}, {32, 64, 128}, {}};
  figure.cells = {{1, 2, 3}, {std::numeric_limits<double>::quiet_NaN(), 5, 4}};
  const std::string svg = heat_map(figure);
  CHECK(has(svg, "url(#hatch)"));
  // The place of a number, as its text states it.
  const auto place_of = [&](const std::string& number) {
    const std::size_t end = svg.find(">" + number + "</text>");
    REQUIRE(end != std::string::npos);
    const std::size_t begin = svg.rfind("<text ", end);
    const auto read = [&](const char* name) {
      return std::stod(svg.substr(svg.find(std::string(name) + "=\"", begin) + 3));
    };
    return std::pair(read("x"), read("y"));
  };
  const auto one = place_of("1"), two = place_of("2"), five = place_of("5"), four = place_of("4");
  CHECK(one.second == two.second);
  CHECK(two.first > one.first);
  CHECK(five.first == two.first);
  CHECK(five.second > two.second);
  CHECK(four.first == place_of("128").first);
  CHECK(four.second == place_of("44").second);
  const std::size_t frame = svg.find("stroke=\"#e69f00\"");  // orange, around the 5
  REQUIRE(frame != std::string::npos);
  const std::size_t box = svg.rfind("<rect ", frame);
  const double x = std::stod(svg.substr(svg.find("x=\"", box) + 3));
  CHECK(x < five.first);
  CHECK(x > two.first - (two.first - one.first));
  figure.cells = {};
  CHECK(has(heat_map(figure), "<svg"));
}

TEST_CASE("a picture of a matrix shows its entries, and refuses what lies outside") {
  SpyFigure figure{{"Ordered", "In words.", ""},
                   {{"before", 4, {{0, 0, 9}, {3, 1, 1}}}, {"after", 2, {{7, 0, 1}}}}};
  const std::string svg = spy(figure);
  CHECK(has(svg, "before</text>"));
  CHECK(has(svg, "after</text>"));
  std::size_t cells = 0;
  for (std::size_t at = svg.find("fill-opacity"); at != std::string::npos;
       at = svg.find("fill-opacity", at + 1))
    ++cells;
  CHECK(cells == 2);
  // The second cell is three rows below the first and one column next to it.
  static const std::regex pattern("<rect x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*fill-opacity");
  std::vector<std::pair<double, double>> places;
  for (std::sregex_iterator i(svg.begin(), svg.end(), pattern), end; i != end; ++i)
    places.emplace_back(std::stod((*i)[1]), std::stod((*i)[2]));
  REQUIRE(places.size() == 2);
  const double right = places[1].first - places[0].first, down = places[1].second - places[0].second;
  CHECK(right > 0);
  CHECK(down > 2.9 * right);
  CHECK(has(spy({}), "<svg"));
}
