/// @file
/// Rungs that were renamed: stored runs, what a student has, and what a person types, on the toy checkout.
// Guards: docs/measuring.md#a-run

#include "common/base/usage_error.hpp"
#include "common/tool/catalogue/catalogue.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::OldName;
using ladder::ProcessResult;
using ladder::Renames;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using nlohmann::json;

namespace {

const std::string lesson = "07-toy";

/// The lesson's table with these rows: pairs of `file` and `was`.
void write_rows(const Checkout& c, const std::vector<std::pair<std::string, std::string>>& rows) {
  std::vector<std::string> texts;
  for (const auto& [file, was] : rows)
    texts.push_back(ladder::test::row_text(file, "An idea.", was.empty() ? "" : "was = \"" + was + "\"\n"));
  c.write("lessons/07-toy/rungs.toml", ladder::test::table_text("A toy", texts));
}

const std::vector<std::pair<std::string, std::string>> renamed_toy = {
    {"c1_first.cpp", "c2_begin"}, {"c2_second.cpp", "c1_go_on"}, {"g1_naive.cu", "g1_simple"}};

json stored_step(const std::string& name, const std::string& message) {
  return {{"name", name},        {"file", name + ".cpp"}, {"lesson", lesson},   {"kind", "R"},
          {"tree", "solutions"}, {"verdict", "PASS"},     {"message", message}, {"mutant", ""},
          {"backend", "cpu"},    {"device", "cpu"},       {"data", "host"}};
}

std::vector<std::string> names_of(const json& document) {
  std::vector<std::string> names;
  for (const json& step : document["lessons"][0]["steps"]) names.push_back(step["name"]);
  return names;
}

Renames toy_renames(const Checkout& c, std::vector<OldName> names, std::set<std::string> present) {
  return {std::move(names), std::move(present), c.root() / "kept"};
}

}  // namespace

TEST_CASE("old names: all change at once, full names anywhere, short ones in a reproduction only") {
  const Checkout c;
  const Renames renames =
      toy_renames(c, {{lesson, "g4_a", "g5_a"}, {lesson, "g5_b", "g6_b"}, {lesson, "g6_c", "g4_c"}},
                  {"07-toy/g5_a", "07-toy/g6_b", "07-toy/g4_c"});
  CHECK(renames.text("g4_a, g5_b and g6_c; xg4_a, g4_ab, g4", lesson) ==
        "g5_a, g6_b and g4_c; xg4_a, g4_ab, g4");
  CHECK(renames.text("g4 (g5, g6); g44", lesson, true) == "g5 (g6, g4); g44");
  CHECK(renames.text("g4_a of nobody, solutions/07-toy/g4_a.cu:3, g5_b~mutant", "") ==
        "g4_a of nobody, solutions/07-toy/g5_a.cu:3, g5_b~mutant");
  CHECK(renames.text(renames.text("07-toy/g4_a", ""), "") == "07-toy/g5_a");
}

TEST_CASE("old names: one that is another rung's name today changes once, with a list of what was applied") {
  const Checkout c;
  const std::vector<OldName> names = {{lesson, "g1_a", "g2_a"}};
  const std::set<std::string> present = {"07-toy/g1_a", "07-toy/g2_a"};
  json document = {{"07-toy/g1_a", 1}};
  CHECK(toy_renames(c, names, present).apply(document));
  CHECK(document == json({{"07-toy/g2_a", 1}}));
  CHECK(toy_renames(c, names, present).keep());
  json today = {{"07-toy/g1_a", 2}};  // of the rung that has the name now
  CHECK_FALSE(toy_renames(c, names, present).apply(today));
  CHECK_FALSE(toy_renames(c, names, present).keep());
  CHECK_THROWS_AS(toy_renames(c, {{lesson, "g1_a", "g2_a"}, {lesson, "g1_a", "g3_a"}}, present),
                  ladder::UsageError);
}

TEST_CASE("results rename: stored runs get the current names, once; rungs that are no more are dropped") {
  const Checkout c;
  write_rows(c, renamed_toy);
  json run = {{"schema", "gpu-ladder/3"}, {"verb", "run"}, {"lessons", json::array()}};
  run["lessons"].push_back({{"name", lesson},
                            {"title", "A toy"},
                            {"steps",
                             {stored_step("c2_begin", "c2_begin said"), stored_step("c1_go_on", ""),
                              stored_step("g1_naive", ""), stored_step("g9_gone", "")}}});
  c.write("docs/results/here/run.json", run.dump());
  const json reproduction = {
      {"schema", "gpu-ladder/3"},
      {"verb", "reproduce"},
      {"lessons",
       {{{"name", lesson},
         {"reproductions",
          {{{"title", "c1 next to c2_begin"}, {"rows", json::array({json::array({"c2", 1})})}}}}}}}};
  c.write("docs/results/here/reproduce-07.json", reproduction.dump());
  const std::string suites = "[\n {\"suite\":\"of nobody's lesson\"}\n]\n";  // a list, not an object
  c.write("docs/results/here/suites.json", suites);
  c.write("docs/results/explained.json", "[\n  {\"of\": [\"07-toy/g1_simple\"]}\n]\n");
  const ProcessResult first = c.tool({"results", "rename"}, {{"COLUMNS", "200"}});
  approve("renamed", first);
  const json stored = json::parse(c.read("docs/results/here/run.json"));
  CHECK(names_of(stored) == std::vector<std::string>{"c1_first", "c2_second", "g1_naive"});
  CHECK(stored["lessons"][0]["steps"][0]["file"] == "c1_first.cpp");
  CHECK(stored["lessons"][0]["steps"][0]["message"] == "c1_first said");
  const json shown =
      json::parse(c.read("docs/results/here/reproduce-07.json"))["lessons"][0]["reproductions"][0];
  CHECK(shown["title"] == "c2 next to c1_first");
  CHECK(shown["rows"][0][0] == "c1");
  CHECK(c.read("docs/results/here/suites.json") == suites);
  CHECK(c.read("docs/results/explained.json") == "[\n  {\"of\": [\"07-toy/g1_naive\"]}\n]\n");

  const std::string before = c.read("docs/results/here/reproduce-07.json");
  approve("renamed-already", c.tool({"results", "rename"}));
  CHECK(json::parse(c.read("docs/results/here/run.json")) == stored);
  CHECK(c.read("docs/results/here/reproduce-07.json") == before);
  // Another layout of the same values.
  c.write("docs/results/here/suites.json", json::parse(suites).dump());
  CHECK(c.tool({"results", "rename"}).status == 0);
  CHECK(c.read("docs/results/here/suites.json") == suites);
}

TEST_CASE("an old name that is typed says the new one; a short one means the rung of today") {
  const Checkout c;
  write_rows(c, {{"c1_first.cpp", ""}, {"c2_second.cpp", "c3_begin"}, {"g1_naive.cu", "g1_simple"}});
  std::vector<std::vector<std::string>> calls;
  for (const char* typed :
       {"07/c3_begin", "07/begin", "07/c3", "toy/c3_begin", "lessons/07-toy/c3_begin.cpp"})
    calls.push_back({"check", typed});
  approve("old-name", refusals(c, calls, {{"COLUMNS", "200"}}));
  CHECK(has(c.tool({"check", "07/g1"}), "g1_naive.cu"));
  approve("never-was", c.tool({"check", "07/never_was"}));
}

TEST_CASE("what an older copy has in .ladder is kept, and its own file is not passed over") {
  const Checkout c;
  c.json({"check", "07/c1"}, 0);
  const json state = json::parse(c.read(".ladder/state.json"));
  REQUIRE(state.contains("07-toy/c1_first"));
  json old = {{"07-toy/c2_begin", state["07-toy/c1_first"]}};
  c.write(".ladder/state.json", old.dump());
  c.write(".ladder/history.jsonl", "{\"step\":\"07-toy/c2_begin\"}\n");
  c.write(".ladder/hints.json", "{\"07-toy/c2_begin\": 1}");
  c.write(".ladder/predictions.json",
          R"({"schema": "gpu-ladder-predictions/1", "profiled": {"07-toy/g1_simple": "then"},
    "predictions": [{"step": "07-toy/g1_simple", "metric": "sectors", "value": 1, "size": 1, "time": "", "after_profile": false}]})");
  write_rows(c, renamed_toy);
  c.write("lessons/07-toy/c2_begin.cpp", "void mine() {}\n");
  const ProcessResult listed = c.tool({"list", "07"}, {{"COLUMNS", "200"}});
  approve("list-of-an-older-copy", listed);
  CHECK(json::parse(c.read(".ladder/state.json")) == state);
  CHECK(c.read(".ladder/history.jsonl") == "{\"step\":\"07-toy/c1_first\"}\n");
  CHECK(json::parse(c.read(".ladder/hints.json")).contains("07-toy/c1_first"));
  const json predictions = json::parse(c.read(".ladder/predictions.json"));
  CHECK(predictions["profiled"].contains("07-toy/g1_naive"));
  CHECK(predictions["predictions"][0]["step"] == "07-toy/g1_naive");
  CHECK(json::parse(c.read(".ladder/renamed.json")).size() == 3);
}
