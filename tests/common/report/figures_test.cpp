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
#include "tests/common/text.hpp"

using namespace ladder::report;
using ladder::test::has;
using nlohmann::json;

namespace {

/// Every x of lines, texts and bars.
std::vector<double> xs_of(const std::string& svg) {
  std::vector<double> xs;
  static const std::regex pattern(" (?:x|x1|x2|cx)=\"(-?[0-9.]+)\"");
  for (std::sregex_iterator i(svg.begin(), svg.end(), pattern), end; i != end; ++i)
    xs.push_back(std::stod((*i)[1]));
  return xs;
}

}  // namespace

TEST_CASE("numbers of a title stay with their units when it is broken into lines") {
  const std::string svg =
      svg::framed({"Words before it up to the end: then 91 % of n = 4096", "w", "commit 12"}, 9, "");
  CHECK(has(svg, "91\u00a0%"));
  CHECK(has(svg, "n\u00a0=\u00a04096"));
  CHECK(has(svg, "commit\u00a012"));
}

TEST_CASE("a text alternative keeps the whole sentences that fit") {
  const std::string first = "g5 reaches 37 % of cuBLAS's rate.", more(160, 'x');
  CHECK(short_alternative(first + " " + more + ".") == first + " " + more + ".");
  CHECK(short_alternative(first + " " + more + ". And more.") == first + " " + more + ".");
  CHECK(short_alternative(first + " " + more + more) == first);
  CHECK(short_alternative(more + more).size() <= 202);  // "…" has three bytes
}

TEST_CASE("one point, one size, equal times: no figure divides by zero") {
  CHECK_FALSE(has(time_against_n({{"t", "w", "c"}, {{"g1", Part::rung, {{64, 1e-3}}}}}), "nan"));
  CHECK_FALSE(has(ladder_steps({{"t", "w", "c"}, "FLOP", {{"g1", 1, 1, 1}}}), "nan"));
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
  CHECK(has(svg, "device time from zero"));
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
