/// @file
/// Drawings of a rung's idea: each count in them is that of the index formula, and no label leaves the frame.
// Guards: lessons/00-first-steps/README.md#g3--a-tile-in-shared-memory-turns-columns-into-rows

#include "common/report/figures/drawing_figures.hpp"

#include <cmath>
#include <regex>
#include <set>

#include "common/report/figures/svg.hpp"
#include "common/sitegen/pages/page_drawings.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using namespace ladder::test;

namespace {

std::vector<int> every(int step, int lanes = 32, int first = 0) {
  std::vector<int> all;
  for (int lane = 0; lane < lanes; ++lane) all.push_back(first + step * lane);
  return all;
}

}  // namespace

TEST_CASE("a drawing's sectors are the different ones that the lanes touch") {
  CHECK(sectors_touched(every(4), 4) == 4);
  CHECK(sectors_touched(every(4, 32, 4), 4) == 5);
  CHECK(sectors_touched(every(8), 8) == 8);
  CHECK(sectors_touched(every(32), 8) == 32);
  CHECK(sectors_touched(every(0), 8) == 1);
  SectorDrawing d{{"t", "a", ""}, 4, {{"one later", every(4, 32, 4)}}, ""};
  CHECK(has(drawn(d), ">5 sectors</text>"));
  CHECK(has(drawn(d), svg::hatched));
  d.panels[0].at = every(4);
  CHECK(has(drawn(d), ">4 sectors</text>"));
  d.counts = false;  // on a page that asks for them
  CHECK_FALSE(has(drawn(d), "sectors</text>"));
}

TEST_CASE("a drawing's banks: a column meets in one bank unless its rows are padded") {
  CHECK(most_of_a_bank(every(32), 1) == 32);
  CHECK(most_of_a_bank(every(33), 1) == 1);
  CHECK(most_of_a_bank(every(34), 1) == 2);
  CHECK(most_of_a_bank(every(0), 1) == 1);      // one word for all is no conflict
  CHECK(most_of_a_bank(every(2, 16), 2) == 1);  // half a warp reads doubles side by side
  CHECK(most_of_a_bank(every(16 * 2, 16), 2) == 16);
}

TEST_CASE("a drawing's cells, bars and edges are those that it was given, on one scale") {
  const MatrixDrawing matrix{{"t", "a", ""}, {{"one", {"##+ ", "o./#"}}, {"two", {"#"}}}, ""};
  CHECK(count(drawn(matrix), "fill=\"#0072b2\"") == 4);
  CHECK(count(drawn(matrix), "fill=\"#56b4e9\"") == 1);
  CHECK(count(drawn(matrix), "fill=\"#e69f00\"") == 1);
  CHECK(count(drawn(matrix), svg::hatched) == 1);
  CHECK(count(drawn(matrix), "fill=\"none\"") == 1);

  // A bar of one unit is as long in the short panel as in the long one: 316 units of the picture for 4.
  const TimelineDrawing time{
      {"t", "a", ""}, {{"short", {"x"}, {{0, 0, 1, 0}}}, {"long", {"x"}, {{0, 0, 1, 1}, {0, 3, 4, 2}}}}, ""};
  CHECK(count(drawn(time), "width=\"78.0\"") == 3);

  // Each edge, and the own value of each of the two lanes that add.
  TreeDrawing tree{{"t", "a", ""}, 4, {{"half = 2", {{2, 0}, {3, 1}}}}, ""};
  CHECK(count(drawn(tree), "<line ") == 4);
  tree.keeps = false;  // as in a butterfly
  CHECK(count(drawn(tree), "<line ") == 2);
}

TEST_CASE(
    "a tree's edges and nodes show where values are, and groups are framed where they stay in registers") {
  using Way = TreeDrawing::Way;
  TreeDrawing tree{{"t", "a", ""}, 4, {{"inside", {{1, 0}, {3, 2}}}}, ""};
  CHECK(count(drawn(tree), "fill-opacity") == 0);
  tree.groups = {2, "thread"};
  CHECK(count(drawn(tree), "fill-opacity") == 2);
  CHECK(has(drawn(tree), ">thread 1</text>"));
  tree.rounds.push_back({"inside", {{1, 0}}});
  CHECK(count(drawn(tree), "fill-opacity") == 2);  // one frame around both rounds
  tree.rounds.push_back({"exchange", {{0, 3}}, Way::shared});
  tree.rounds.push_back({"inside", {{3, 2}}});
  CHECK(count(drawn(tree), "fill-opacity") == 4);
  CHECK(count(drawn(tree), "stroke-dasharray") == 1);
  CHECK(count(drawn(tree), "fill=\"#009e73\"") == 1);
  tree.rounds.push_back({"result", {{2, 2}}, Way::result});
  CHECK(count(drawn(tree), "fill=\"#e69f00\"") == 1);
  tree.numbers = {70, 71, 72, 73};
  CHECK(has(drawn(tree), ">72</text>"));
}

TEST_CASE("a barrier of a timeline crosses all of its rows") {
  TimelineDrawing time{{"t", "a", ""}, {{"one", {"x", "y"}, {{0, 0, 4, 0}}, {}}}, ""};
  const auto lines = count(drawn(time), "<line ");
  time.panels[0].barriers = {2};
  CHECK(count(drawn(time), "<line ") == lines + 1);
  // 84 + 10 units of labels, and half of the 316 that are left.
  CHECK(has(drawn(time), "<line x1=\"252.0\" y1=\"17.0\" x2=\"252.0\" y2=\"60.0\""));
}

TEST_CASE(
    "drawings are of one rung each, are low enough, have a short alternative, and keep texts inside and "
    "apart") {
  const auto all = rung_drawings();
  REQUIRE_FALSE(all.empty());
  std::set<std::string> different;
  for (const auto& [lesson, name, caption, svg] : all) {
    INFO(lesson << " " << name);
    std::smatch found;
    CHECK(different.insert(svg).second);  // what is special about the rung
    CHECK(caption.alternative.size() <= 200);
    REQUIRE(std::regex_search(svg, found, std::regex("height=\"([0-9]+)\" role")));
    CHECK(std::stoi(found[1]) <= 400);
    struct Place {
      double from, to, y;
      std::string words;
    };
    std::vector<Place> places;
    const std::string body =
        svg.substr(svg.find("<g transform"), svg.find("</g>") - svg.find("<g transform"));
    static const std::regex text(
        "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" text-anchor=\"([a-z]+)\"( [^>]*)?>([^<]*)</text>");
    for (std::sregex_iterator i(body.begin(), body.end(), text), end; i != end; ++i) {
      const double x = std::stod((*i)[1]), y = std::stod((*i)[2]);
      const double wide = ladder::report::svg::extent((*i)[5], 12.5);
      const double from = (*i)[3] == "start" ? x : (*i)[3] == "end" ? x - wide : x - wide / 2;
      places.push_back({from, from + wide, y, (*i)[5]});
    }
    for (std::size_t a = 0; a < places.size(); ++a) {
      CAPTURE(places[a].words);
      CHECK(places[a].from >= 0);
      CHECK(places[a].to <= ladder::report::svg::width);
      for (std::size_t b = 0; b < a; ++b) {
        CAPTURE(places[b].words);
        const bool apart = std::abs(places[a].y - places[b].y) >= 11 || places[a].to <= places[b].from ||
                           places[b].to <= places[a].from;
        CHECK(apart);
      }
    }
  }
}
