/// @file
/// A ladder as steps: what is drawn together, the gain at each riser, and that no label covers another one.
// Guards: docs/measuring.md#a-run

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "common/report/figures/figures.hpp"
#include "common/report/figures/label_places.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
namespace model = ladder::model;
using ladder::test::count;
using ladder::test::document_of;
using ladder::test::has;
using nlohmann::json;

namespace {

/// A rung on a GPU with arrays of its own: cuBLAS takes 2 ms by either clock.
json resident(const std::string& name, double device, double call, int n = 4096) {
  const double amount = 2.0 * n * n * n;
  return {
      {"name", name},
      {"backend", "cuda"},
      {"device", "cuda:0"},
      {"data", "resident"},
      {"verdict", "PASS"},
      {"time",
       {{"median", call},
        {"low", 0.99 * call},
        {"high", 1.01 * call},
        {"problem", {{"n", n}}},
        {"peers", {{"cuBLAS", {{"median", 0.002}}}}},
        {"device", {{"median", device}, {"peers", {{"cuBLAS", 0.002}}}}},
        {"work", {{"unit", "flop"}, {"amount", amount}, {"ceiling", "FP64"}, {"seconds", amount / 100e12}}}}},
      {"ratio", {{"cuBLAS", 0.002 / call}}}};
}

json on_cpu(const std::string& name, double seconds, double baseline) {
  return {{"name", name},
          {"backend", "cpu"},
          {"data", "host"},
          {"verdict", "PASS"},
          {"time", {{"median", seconds}, {"low", seconds}, {"high", seconds}, {"problem", {{"n", 768}}}}},
          {"ratio", {{"baseline", baseline}}}};
}

json pair(const std::string& over, const std::string& clock, double ratio, int n = 4096) {
  return {{"over", over},
          {"clock", clock},
          {"problem", {{"n", n}}},
          {"without", {{"median", 1.0}}},
          {"ratio", {{"median", ratio}}}};
}

json row(const std::string& name, const json& gain = json::object()) {
  return {{"name", name}, {"gain", gain}};
}

std::vector<LadderFigure> figures_of(const std::vector<json>& steps, const json& rows = json::array()) {
  const json machine = {{"cpu", "AMD EPYC"},
                        {"devices", {{{"id", "cuda:0"}, {"name", "NVIDIA H200 141GB"}, {"kind", "gpu"}}}}};
  const model::Document document = document_of({{"date", "2026-01-02T03:04:05Z"},
                                                {"machine", machine},
                                                {"lessons", {{{"name", "03-dgemm"}, {"steps", steps}}}}});
  return ladder_figures(document.lessons[0], document, rows);
}

/// Where every text of a picture is, by its words.
std::vector<std::pair<std::string, svg::Box>> texts_of(const std::string& drawn) {
  static const std::regex pattern(
      "<text x=\"(-?[0-9.]+)\" y=\"(-?[0-9.]+)\" text-anchor=\"([a-z]+)\"( [^>]*)?>([^<]*)</text>"),
      size_pattern("font-size=\"([0-9.]+)\"");
  const std::size_t body = drawn.find("<g transform"), end = drawn.find("</g>");
  const std::string part = drawn.substr(body, end - body);
  std::vector<std::pair<std::string, svg::Box>> texts;
  for (std::sregex_iterator i(part.begin(), part.end(), pattern), none; i != none; ++i) {
    std::smatch size;
    const std::string more = (*i)[4];
    REQUIRE(std::regex_search(more, size, size_pattern));
    const double x = std::stod((*i)[1]), y = std::stod((*i)[2]), letters = std::stod(size[1]),
                 across = svg::extent((*i)[5], letters);
    const double from = (*i)[3] == "start" ? x : (*i)[3] == "end" ? x - across : x - across / 2;
    texts.emplace_back((*i)[5], svg::Box{from, y - 0.8 * letters, from + across, y + 1});
  }
  return texts;
}

void check_no_overlap(const std::string& drawn) {
  const auto texts = texts_of(drawn);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    INFO(texts[i].first);
    CHECK(texts[i].second.x0 >= 0);
    CHECK(texts[i].second.x1 <= svg::width);
    for (std::size_t k = 0; k < i; ++k) {
      INFO(texts[k].first);
      CHECK_FALSE(texts[i].second.overlaps(texts[k].second));
    }
  }
}

}  // namespace

TEST_CASE("one size, one device, one clock: each picture's rungs have all of them in common") {
  json other = resident("g3_tiles", 0.01, 0.011, 1024), copied = resident("g7_streams", 0.04, 0.05);
  copied["data"] = "host";
  const auto figures =
      figures_of({on_cpu("c1_openmp", 0.1, 2), resident("g1_naive", 0.04, 0.041),
                  resident("g2_tiles", 0.02, 0.021), other, copied, resident("t1_tensor", 0.01, 0.011)});
  REQUIRE(figures.size() == 4);
  REQUIRE(figures[0].steps.size() == 3);  // the longest ladder first: g and t of one size
  CHECK(figures[0].steps[2].name == "t1");
  CHECK(figures[0].caption.corner == "n = 4096, NVIDIA H200, time on the device, 2026-01-02");
  std::map<std::string, std::size_t> corners;
  for (const LadderFigure& figure : figures) ++corners[figure.caption.corner];
  CHECK(corners.contains("n = 4096, NVIDIA H200, time of a call, 2026-01-02"));
  CHECK(corners.contains("n = 1024, NVIDIA H200, time on the device, 2026-01-02"));
  CHECK(corners.contains("n = 768, AMD EPYC, 2026-01-02"));
}

TEST_CASE("one rung whose idea acts in the call, or that has no time of the device: all by the call") {
  const std::vector<json> steps = {resident("g1_naive", 0.02, 0.04), resident("g2_tiles", 0.02, 0.02)};
  CHECK(figures_of(steps)[0].steps[1].gain == Approx(1));
  const auto by_call =
      figures_of(steps, {row("g1_naive"), row("g2_tiles", {{"clock", "call"}, {"without", "g1_naive"}})});
  CHECK(by_call[0].steps[1].gain == Approx(2));
  CHECK(has(by_call[0].caption.corner, "time of a call"));
  json without = steps[1];
  without["time"].erase("device");
  CHECK(figures_of({steps[0], without})[0].steps[1].gain == Approx(2));
}

TEST_CASE("a riser has the gain of the stored pair where that is the row's, else of the two rungs") {
  json g2 = resident("g2_tiles", 0.02, 0.021);
  const json g1 = resident("g1_naive", 0.04, 0.041), rows = {row("g1_naive"), row("g2_tiles")};
  const auto gain = [&](const json& stored) {
    g2["gain"] = stored;
    return figures_of({g1, g2}, rows)[0].steps[1].gain;
  };
  CHECK(gain(pair("g1_naive", "device", 1.9)) == Approx(1.9));
  CHECK(gain(pair("g1_naive", "call", 1.9)) == Approx(2));          // of another clock
  CHECK(gain(pair("g1_naive", "device", 1.9, 1024)) == Approx(2));  // of another size
  CHECK(gain(pair("g0_older", "device", 1.9)) == Approx(2));        // of another program
  json kernels = pair("g1_naive", "device", 1.9);
  kernels["kernels"] = {"multiply"};
  CHECK(gain(kernels) == Approx(2));
  g2.erase("gain");
  const json first = {row("g1_naive"), row("g2_tiles", {{"without", "nothing"}})};
  CHECK(figures_of({g1, g2}, first)[0].steps[1].gain == 0);  // no program without the idea: no number
  const json attempt = {row("g1_naive"), row("g2_tiles", {{"without", "g2_tiles.no_tile"}})};
  CHECK(figures_of({g1, g2}, attempt)[0].steps[1].gain == 0);
  g2["gain"] = pair("g2_tiles.no_tile", "device", 5);
  const auto own = figures_of({g1, g2}, attempt)[0].steps[1];
  CHECK(own.gain == Approx(5));
  CHECK(own.from == Approx(own.rate / 5));  // the riser begins where that program is
}

TEST_CASE("a gain is printed on its riser; a rung that gains less than 1.1 times is flat and grey") {
  const auto drawn = [](double g2, double g3) {
    return ladder_steps(figures_of(
        {resident("g1_naive", 0.04, 1), resident("g2_tiles", g2, 1), resident("g3_registers", g3, 1)})[0]);
  };
  const std::string both = drawn(0.02, 0.01), flat = drawn(0.02, 0.0185), slower = drawn(0.02, 0.04);
  CHECK(count(both, "×2.0</text>") == 2);
  CHECK_FALSE(has(both, "#8c8c8c"));
  CHECK(count(flat, "×") == 1);
  CHECK(has(flat, "#8c8c8c"));
  CHECK(has(slower, "×0.50</text>"));
  CHECK(has(slower, "#8c8c8c"));
}

TEST_CASE("an experiment, another program for comparison, and a gain elsewhere are said in words") {
  json g2 = resident("g2_tiles", 0.04, 1), g3 = resident("g3_registers", 0.01, 1);
  g2["gain"] = pair("g1_naive", "device", 1.46, 8192);
  const auto figure = figures_of({resident("g1_naive", 0.04, 1), g2, g3},
                                 {row("g1_naive"), row("g2_tiles", {{"experiment", "it must be faster"}}),
                                  row("g3_registers", {{"without", "g1_naive"}})})[0];
  const std::string drawn = ladder_steps(figure);
  CHECK(has(drawn, "Experiments: g2</text>"));
  CHECK(has(drawn, "Compared: g3 with g1</text>"));
  CHECK(has(drawn, "By another clock, at other sizes or in single kernels: g2 ×1.5</text>"));
  CHECK(has(drawn, "#8c8c8c"));
}

TEST_CASE("grey without a word is no gain at this size; what gains elsewhere is as blue as the others") {
  json g2 = resident("g2_tiles", 0.04, 1);
  const auto drawn = [&] {
    return ladder_steps(
        figures_of({resident("g1_naive", 0.04, 1), g2}, {row("g1_naive"), row("g2_tiles")})[0]);
  };
  CHECK(has(drawn(), "#8c8c8c"));
  CHECK(has(drawn(), "Grey: no gain is shown at this size.</text>"));
  const auto asked = figures_of({resident("g1_naive", 0.04, 1), g2},
                                {row("g1_naive"), row("g2_tiles", {{"without", "g1_naive"}})})[0];
  CHECK(has(ladder_steps(asked), "Gain not measured: g2</text>"));
  g2["gain"] = pair("g1_naive", "device", 1.46, 8192);
  CHECK_FALSE(has(drawn(), "#8c8c8c"));
  CHECK(has(drawn(), "By another clock, at other sizes or in single kernels: g2 ×1.5</text>"));
}

TEST_CASE("the title states the finding, and the text alternative is one short sentence") {
  const auto title = [](double best) {
    const auto figure = figures_of({resident("g1_naive", 0.04, 1), resident("g2_tiles", best, 1)})[0];
    CHECK(columns(figure.caption.alternative) <= 200);
    CHECK(has(figure.caption.alternative, figure.caption.title + "."));
    CHECK(has(figure.caption.alternative, "at n = 4096 on NVIDIA H200"));
    return figure.caption.title;
  };
  CHECK(title(0.004) == "g2 is 10 times as fast as g1 and reaches 50 % of cuBLAS's rate");
  CHECK(title(0.002) == "g2 is 20 times as fast as g1 and level with cuBLAS");
  CHECK(title(0.0019) == "g2 is 21 times as fast as g1 and 5 % ahead of cuBLAS");
  CHECK(title(0.00101) == "g2 is 40 times as fast as g1 and 2.0 times as fast as cuBLAS");
  CHECK(title(0.05) == "g1 reaches 5 % of cuBLAS's rate");
  json sorts = row("g2_tiles");
  sorts["library"] = "sorting with cuBLAS";
  const auto what = [&](double best) {
    return figures_of({resident("g1_naive", 0.04, 1), resident("g2_tiles", best, 1)},
                      {row("g1_naive"), sorts})[0];
  };
  CHECK(what(0.00101).caption.title ==
        "g2 is 40 times as fast as g1 and 2.0 times as fast as sorting with cuBLAS");
  CHECK(what(0.004).caption.title ==
        "g2 is 10 times as fast as g1 and reaches 50 % of the rate of sorting with cuBLAS");
  CHECK(what(0.004).library.name == "cuBLAS");  // the line's label is short
  const auto cpu = figures_of({on_cpu("c1_openmp", 0.1, 2), on_cpu("c2_packing", 0.05, 4)})[0];
  CHECK(cpu.caption.title == "c2 is 4.0 times as fast as the baseline");
  REQUIRE(cpu.steps.size() == 3);
  CHECK(cpu.rungs() == 2);
  CHECK(figures_of({on_cpu("m1_mpi", 0.1, 2)})[0].caption.title == "The ladder of lesson 03");
  json longest = resident("g1_naive", 0.04, 1);
  longest["time"]["size_name"] = std::string(190, 'n');
  CHECK(columns(figures_of({longest})[0].caption.alternative) <= 200);
}

TEST_CASE("every rung pays: the title says so") {
  std::vector<json> steps;
  for (int i = 1; i <= 4; ++i) steps.push_back(resident(fmt::format("g{}_x", i), 0.064 / (1 << i), 1));
  CHECK(has(figures_of(steps)[0].caption.title, "Each of 3 ideas pays: g4 is 8.0 times as fast as g1"));
}

TEST_CASE("the rate is the lesson's: operations, bytes, things that have operations each, or calls") {
  const auto drawn = [](json work) {
    json g1 = resident("g1_naive", 0.01, 1);
    if (work.contains("unit")) work["seconds"] = 1e-3, work["ceiling"] = work.value("ceiling", "memory");
    g1["time"]["work"] = work;
    return ladder_steps(figures_of({g1})[0]);
  };
  CHECK(has(drawn({{"unit", "byte"}, {"amount", 1e8}}), "necessary bytes, GB/s, log scale"));
  CHECK(has(drawn({{"unit", "flop"}, {"amount", 1e11}, {"ceiling", "FP64"}}), "TFLOP/s, log scale"));
  CHECK(has(drawn({{"unit", "byte"}, {"amount", 1e6}, {"fp64", 1e11}, {"ceiling", "link to the device"}}),
            "TFLOP/s, log scale"));
  CHECK(has(drawn({{"unit", "flop"}, {"amount", 1e9}, {"formula", "10 FP64 operations per pair, at least"}}),
            "billion pairs per second"));
  CHECK(has(drawn(json::object()), "calls per second"));
}

TEST_CASE("rungs of several tasks reach a share of the ceiling, and no riser joins two tasks") {
  json g3 = resident("g3_tile", 1e-4, 1), g5 = resident("g5_sum", 2e-5, 1);
  g3["time"]["work"] = {{"ceiling", "memory"}, {"unit", "byte"}, {"amount", 1.3e8}, {"seconds", 3e-5}};
  g5["time"]["work"] = {{"ceiling", "memory"}, {"unit", "byte"}, {"amount", 6.5e7}, {"seconds", 1.5e-5}};
  const auto figure = figures_of({g3, g5}, {row("g3_tile"), row("g5_sum", {{"without", "nothing"}})})[0];
  CHECK(figure.caption.title == "g5 reaches 75 % of the memory bandwidth");
  CHECK(figure.steps[1].gain == 0);
  CHECK(figures_of({g3, g5})[0].steps[1].gain == 0);  // neither where the rows are not known
}

TEST_CASE("library and ceiling are named lines; a ceiling that is far away is an arrow, or nothing") {
  const auto drawn = [](double seconds, bool library = true) {
    json g1 = resident("g1_naive", 0.004, 1);
    g1["time"]["work"]["seconds"] = seconds;
    if (!library) g1["time"]["device"].erase("peers");
    return ladder_steps(figures_of({g1})[0]);
  };
  const std::string near = drawn(0.001), far = drawn(0.0005, false), unreached = drawn(1e-6);
  CHECK(has(near, "cuBLAS</text>"));
  CHECK(has(near, "stroke-dasharray=\"7 5\""));
  CHECK(has(near, ">FP64 peak 137</text>"));
  CHECK_FALSE(has(far, "stroke-dasharray"));
  CHECK(has(far, "↑ FP64 peak"));
  CHECK_FALSE(has(unreached, "FP64 peak"));
}

TEST_CASE("what a library reaches fits into the picture, also where its name is shorter than the number") {
  LadderFigure figure = figures_of({resident("g1_naive", 0.004, 1)})[0];
  for (const double share : {0.238, 0.0238, 0.5}) {
    figure.library = {"CUB", share * figure.steps[0].rate};
    INFO(figure.library.rate);
    check_no_overlap(ladder_steps(figure));
  }
}

TEST_CASE("no label covers another one, whichever way the rungs go, and the picture is 16:9") {
  for (const double factor : {1.05, 1.15, 1.5, 3.0, 0.6})
    for (const int rungs : {1, 2, 5, 9, 13}) {
      std::vector<json> steps;
      double seconds = 0.004;
      for (int i = 1; i <= rungs; ++i) {
        steps.push_back(resident(fmt::format("g{}_x", i), seconds, 1));
        seconds /= i % 4 == 3 ? 0.7 : factor;
      }
      INFO(factor << " " << rungs);
      const std::string drawn = ladder_steps(figures_of(steps)[0]);
      check_no_overlap(drawn);
      CHECK(has(drawn, "viewBox=\"0 0 420 236\""));
      CHECK_FALSE(has(drawn, "nan"));
      CHECK(has(drawn, "prefers-color-scheme:dark"));
    }
}

TEST_CASE("the executor's times are no rungs, and a name is escaped") {
  json g1 = resident("g1_naive", 0.01, 1);
  g1["backend"] = "executor";
  CHECK(figures_of({g1}).empty());
  json odd = resident("g1_naive", 0.01, 1);
  odd["time"]["size_name"] = "<x>";
  CHECK_FALSE(has(ladder_steps(figures_of({odd})[0]), "<x>"));
}

TEST_CASE("a further size is a picture of its own") {
  json g1 = resident("g1_naive", 0.01, 0.02);
  g1["further"] = {{"time", {{"median", 0.4}, {"problem", {{"n", 8192}}}}}, {"ratio", json::object()}};
  const auto figures = figures_of({g1});
  REQUIRE(figures.size() == 2);
  CHECK(has(figures[0].caption.corner, "n = 8192, NVIDIA H200, time of a call"));
}
