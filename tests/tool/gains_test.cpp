// A rung gains, or its row says that it is an experiment.
// Guards: docs/adding-a-lesson.md#the-fields-of-a-row

#include "common/tool/maintain/checks/gains.hpp"

#include "common/base/files/files.hpp"
#include "common/model/document_json.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/judging/plan_file.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using nlohmann::json;

namespace {

json spread_around(double median, double spread) {
  return {{"median", median}, {"low", median - spread}, {"high", median + spread}, {"runs", 11}};
}

/// A stored run of a lesson in which g2 has that gain over g1.
report::StoredDocument run_of(const json& gain) {
  json step = {{"lesson", "09-x"},   {"name", "g2_tiles"},     {"file", "g2_tiles.cu"},
               {"kind", "R"},        {"tree", "solutions"},    {"backend", "cuda"},
               {"device", "cuda:0"}, {"data", "resident"},     {"verdict", "PASS"},
               {"message", ""},      {"kinds", json::array()}, {"details", json::array()}};
  step["time"] = {{"problem", {{"n", 1024}}},
                  {"median", 1},
                  {"low", 1},
                  {"high", 1},
                  {"runs", 9},
                  {"foreign_load", 0},
                  {"peers", json::object()},
                  {"work", json::object()}};
  if (!gain.is_null()) step["gain"] = gain;
  return {"run.json", {.lessons = {model::lesson_from_json({{"name", "09-x"}, {"steps", {step}}})}}};
}

json gain_of(double ratio, double spread = 0.01, const char* clock = "device", int n = 4096) {
  return {{"over", "g1_naive"},
          {"clock", clock},
          {"problem", {{"n", n}}},
          {"seconds", spread_around(1, 0)},
          {"without", spread_around(ratio, 0)},
          {"ratio", spread_around(ratio, spread)}};
}

Lesson table_of(const Gain& gain) {
  Lesson table{.name = "09-x"};
  table.steps = {{.file = "g1_naive.cu", .gain = {.without = "nothing"}},
                 {.file = "g2_tiles.cu", .gain = gain}};
  return table;
}

}  // namespace

TEST_CASE("gains: a rung that does not gain is named, unless its row says what it refutes") {
  const Lesson table = table_of({.clock = RungClock::device, .size = 4096});
  CHECK(climb_of(table, run_of(gain_of(1.5))).gaining == 1);
  CHECK(climb_of(table, run_of(gain_of(1.5))).flat.empty());
  const Climb flat = climb_of(table, run_of(gain_of(1.09)));
  REQUIRE(flat.flat.size() == 1);
  CHECK(flat.flat[0].rung == "09/g2_tiles");
  CHECK(flat.flat[0].text == "1.09 times as fast as g1_naive (1.08 to 1.10)");
  CHECK(climb_of(table, run_of(gain_of(1.2, 0.15))).flat.size() == 1);  // its interval reaches below 1.1
  const Lesson experiment =
      table_of({.clock = RungClock::device, .size = 4096, .experiment = "tiles must help"});
  CHECK(climb_of(experiment, run_of(gain_of(1.0))).flat.empty());
  CHECK(climb_of(experiment, run_of(gain_of(1.0))).gaining == 0);
}

TEST_CASE(
    "gains: what was stored by another clock, at another size or next to another program is not measured") {
  const auto unmeasured = [](const Gain& gain, const json& stored) {
    return climb_of(table_of(gain), run_of(stored)).unmeasured == std::vector<std::string>{"09/g2_tiles"};
  };
  const Gain usual{.clock = RungClock::device, .size = 4096};
  CHECK_FALSE(unmeasured(usual, gain_of(1.0)));
  CHECK(unmeasured(usual, nullptr));
  const json failed = {
      {"over", "g1_naive"}, {"clock", "device"}, {"problem", {{"n", 4096}}}, {"reason", "it died"}};
  CHECK(unmeasured(usual, failed));
  CHECK(unmeasured(usual, gain_of(1.0, 0, "call")));
  CHECK(unmeasured(usual, gain_of(1.0, 0, "device", 1024)));
  json of_a_class = gain_of(1.0);
  of_a_class["problem"] = {{"M", 18}};
  of_a_class["size_name"] = "class S";
  CHECK(unmeasured({.clock = RungClock::device, .size = 12}, of_a_class));
  const Gain at_the_usual_size{.clock = RungClock::device};
  CHECK(unmeasured(at_the_usual_size, gain_of(1.0)));
  CHECK_FALSE(unmeasured(at_the_usual_size, gain_of(1.0, 0, "device", 1024)));
  CHECK(unmeasured({.clock = RungClock::device, .kernels = {"update"}, .size = 4096}, gain_of(1.0)));
  CHECK(unmeasured({.clock = RungClock::device, .size = 4096, .without = "g2_tiles.naive"}, gain_of(1.0)));
}

TEST_CASE("gains: experiments are counted among the rungs of a GPU") {
  Lesson table = table_of({.experiment = "x"});
  table.steps.push_back({.file = "c1_openmp.cpp", .gain = {.experiment = "not of a GPU"}});
  CHECK(experiments_of(table).rungs == 2);
  CHECK(experiments_of(table).experiments == 1);
}

TEST_CASE("gains: a rung is compared with an attempt, or with a mutant") {
  const ScratchFolder root;
  const auto put = [&](const char* file, const char* text) {
    const std::filesystem::path path = root.path() / "tests/09-x" / file;
    std::filesystem::create_directories(path.parent_path());
    write_text(path, text);
  };
  put("attempts/g2_tiles.no_tile.cu", "");
  put("mutants/g2_tiles.mutants", "mutant not_swizzled\nverdict MISSED\nfind\na\nput\nb\nend\n");
  const StepEntry tiles{.lesson = "09-x", .name = "g2_tiles", .file = "g2_tiles.cu", .row = nullptr};
  CHECK(tree_of_program(root.path(), tiles, "no_tile") == "attempts");
  CHECK(tree_of_program(root.path(), tiles, "not_swizzled") == "mutants");
  CHECK(tree_of_program(root.path(), tiles, "swizzled").empty());

  const auto failures = [&](const char* without) {
    LessonEntry lesson{.name = "09-x"};
    lesson.steps = {tiles};
    lesson.steps[0].row = {{"gain", {{"without", without}}}};
    TestSummary summary;
    check_programs_without(root.path(), lesson, summary);
    return summary.failures();
  };
  CHECK(failures("g2_tiles.no_tile").empty());
  CHECK(failures("g2_tiles.not_swizzled").empty());
  CHECK(failures("nothing").empty());
  const auto nowhere = failures("g2_tiles.swizzled");
  REQUIRE(nowhere.size() == 1);
  CHECK(nowhere[0].name == "tree: what 09/g2 is compared with");
  CHECK(nowhere[0].text ==
        "gain.without = \"g2_tiles.swizzled\": 09-x has neither an attempt g2_tiles.swizzled nor a mutant "
        "swizzled of g2_tiles");
}
