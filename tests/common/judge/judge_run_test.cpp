/// @file
/// A run of the judge as a whole: plans and tables that it refuses, how it ends, and the tables that it
/// reproduces. Real workers, a real judge.
// Guards: docs/design.md#the-life-of-a-check

#include <cstdio>

#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

TEST_CASE("a plan of another version is refused, with what to do") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c1_plain", "right")}), {"correctness"});
  plan["schema"] = "gpu-ladder-plan/1";
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  CHECK(status != 0);
  CHECK(verdicts(scratch).empty());
}

TEST_CASE("a plan that asks for an unknown kind of test is refused") {
  const Scratch scratch;
  int status = 0;
  ::waitpid(start_judge(scratch, plan_of(scratch, json::array({planned("c1_plain", "right")}), {"speed"})),
            &status, 0);
  CHECK(status != 0);
  CHECK(verdicts(scratch).empty());
}

TEST_CASE("when the judge is told to end, nothing of a rung stays behind") {
  const Scratch scratch;
  const pid_t judge =
      start_judge(scratch, plan_of(scratch, json::array({planned("c1_plain", "hangs")}), {"correctness"}));
  for (int i = 0; i < 500 && processes_with("/workers/probe/hangs") == 0; ++i) ::usleep(10'000);
  REQUIRE(processes_with("/workers/probe/hangs") > 0);
  ::kill(judge, SIGHUP);
  int status = 0;
  ::waitpid(judge, &status, 0);
  CHECK(processes_with("/workers/probe/hangs") == 0);
}

TEST_CASE("a folder for temporary files may have a longer name than the address of a socket") {
  const Scratch outer;
  const fs::path deep = outer.path / std::string(60, 'a') / std::string(60, 'b');
  fs::create_directories(deep);
  const Scratch scratch(deep);
  const auto found = judged_by(
      scratch, plan_of(scratch, json::array({planned("c1_plain", "right"), planned("c1_plain", "wrong")}),
                       {"correctness"}));
  REQUIRE(found.size() == 2);
  CHECK(found[0]["verdict"] == "PASS");
  CHECK(found[1]["verdict"] == "WRONG");
}

TEST_CASE("a full disk is an error of the run, never a verdict") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c1_plain", "right")}), {"correctness"});
  plan["results"] = "/dev/full";
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) != 0);
  CHECK(processes_with("/workers/probe/right") == 0);
}

TEST_CASE("a reproduction writes the tables that were asked for, and why there is none") {
  const auto titles = [](const char* only) {
    const Scratch scratch;
    json plan = plan_of(scratch, json::array(), {"reproduce"});
    plan["only"] = only;
    int status = 0;
    ::waitpid(start_judge(scratch, plan), &status, 0);
    CHECK(status == 0);
    std::vector<std::string> all;
    std::ifstream file(scratch.path / "results.jsonl");
    for (std::string line; std::getline(file, line);) all.push_back(json::parse(line).value("title", ""));
    return all;
  };
  using Titles = std::vector<std::string>;
  CHECK(titles("") == Titles{"Table 1: Speed", "Table 2: memory", "Table 3", "Table 4: calls"});
  CHECK(titles("speed") == Titles{"Table 1: Speed", "Table 3"});
  CHECK(titles("MEMORY") == Titles{"Table 2: memory", "Table 3"});
  CHECK(titles("heat") == Titles{"Table 3"});
}

TEST_CASE("a table that does not fit the lesson's tests is NOT RUN, with both files and the nearest name") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c4_counted", "right")}), {"targets"});
  for (json& row : plan["table"]["steps"])
    if (row["file"] == "c4_counted.cpp")
      row["targets"][0] = {{"metric", "balance"}, {"amount", "sector"}, {"size", 1000}};
  const std::vector<json> found = judged_by(scratch, plan);
  REQUIRE(found.size() == 1);
  CHECK(found[0]["verdict"] == "NOT RUN");
  CHECK(found[0]["message"] ==
        "lessons/99-probe/rungs.toml names an amount that tests/99-probe/amounts.hpp does not have: "
        "unknown amount 'sector'; nearest: sectors");
}

namespace {

/// The rows of a table that the probe reproduces.
json rows_of_table(const std::string& title, const json& steps) {
  const Scratch scratch;
  json plan = plan_of(scratch, steps, {"reproduce"});
  plan["only"] = title.substr(title.find(": ") + 2);
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  CHECK(status == 0);
  std::ifstream file(scratch.path / "results.jsonl");
  json rows;
  for (std::string line; std::getline(file, line);)
    if (const json record = json::parse(line); record.value("title", "") == title) rows = record.at("rows");
  return rows;
}

}  // namespace

TEST_CASE("a reproduction's library has made its plan before its first call that counts") {
  CHECK(rows_of_table("Table 4: calls", json::array()) == json::parse("[[3, 3], [4, 3]]"));
}

TEST_CASE("outputs that nobody reads stay on the device, and the next call's are its own") {
  const json steps = json::array({planned("g4_resident", "right_resident", "executor")});
  CHECK(rows_of_table("Table 5: outputs", steps) == json::parse("[[1], [0], [1], [0]]"));
}

TEST_CASE("an output that stays on the device comes to the judge after the call, from a step on host data") {
  const json steps = json::array({planned("g4_resident", "leaves_on_device", "executor")});
  CHECK(rows_of_table("Table 6: results that stay", steps) == json::parse("[[1], [0], [1], [0]]"));
}
