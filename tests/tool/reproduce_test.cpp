/// @file
/// The verb reproduce, end to end: tables of sources and of the executor, and what is kept of them.
// Guards: docs/measuring.md#tables-of-the-sources, docs/measuring.md#the-executor-compared-with-a-gpu

#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::transcript;
using nlohmann::json;

TEST_CASE("reproduce prints the records' tables") {
  const Checkout c;
  const json document = c.json({"reproduce", "07", "--budget", "3", "--max-size", "64", "--only", "table"}, 0,
                               {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
  CHECK(document["lessons"][0]["reproductions"][0]["title"] == "Table 2");
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["cell_seconds"] == 3.0);
  CHECK(plan["size"] == 64);
  CHECK(plan["only"] == "table");
  CHECK(plan["kinds"] == json({"reproduce"}));
  approve("reproduce", c.tool({"reproduce", "07"}));
  REQUIRE(document["lessons"][0]["reproductions"].size() ==
          1);  // the later record of a table replaces the earlier one
  CHECK(plan["limits"]["call_seconds"] == 20.0);
  c.tool({"reproduce", "07", "--report", "out"});
  CHECK(json::parse(c.read("out/reproduce-07.json"))["lessons"][0]["reproductions"][0]["title"] == "Table 2");
  CHECK(c.read("out/reproduce-07.txt").find("in seconds") != std::string::npos);
}

TEST_CASE("reproduce --only: what it was is in the file; not with --report, not for the executor") {
  const Checkout c;
  CHECK(c.json({"reproduce", "07", "--only", "table"}, 0)["only"] == "table");
  CHECK_FALSE(c.json({"reproduce", "07"}, 0).contains("only"));
  std::string all;
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"reproduce", "07", "--only", "nothing"},
                                             {"reproduce", "07", "--only", "table", "--report", "out"},
                                             {"reproduce", "executor", "costs", "--only", "table"}})
    all += transcript(call, c.tool(call, {{"COLUMNS", "200"}}));
  approve("reproduce-only", all);
}

TEST_CASE("reproduce executor costs: a table with bounds, kept next to the other parts") {
  const Checkout c;
  c.write("out/executor.json", R"({"programs":[1],"findings":[2],"costs":[3],"interrupted":true})");
  const ProcessResult ended =
      c.tool({"reproduce", "executor", "costs", "--report", "out", "--seed", "5", "--json", "costs.json"},
             {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}, {"COLUMNS", "200"}});
  approve("executor-costs", ended);
  const json kept = json::parse(c.read("out/executor.json"));
  CHECK(kept == json::parse(c.read("costs.json")));
  CHECK(kept["programs"] == json({1}));
  CHECK(kept["findings"] == json({2}));
  CHECK_FALSE(kept.contains("interrupted"));
  REQUIRE(kept["costs"].size() == 2);
  const json& tiled = kept["costs"][0]["cost"];
  CHECK(tiled["processor"]["ratio"]["median"] == 2.0);
  CHECK(tiled["wall"]["ratio"]["median"] == 0.5);
  CHECK(tiled["rounds"] == 5);
  CHECK(kept["costs"][1]["cost"]["wall"]["ratio"]["median"] == 50.0);
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["kinds"] == json({"costs"}));
  CHECK(plan["seed"] == 5);
  CHECK(plan["steps"].size() == 1);
  CHECK(plan["steps"][0]["backend"] == "executor");
  CHECK(c.read("speed.arguments") == "512 9 5\n");
}

TEST_CASE(
    "reproduce executor solutions: a row for each CUDA solution, also for one that could not be counted") {
  const Checkout c;
  c.write("out/executor.json", R"({"findings":[2],"dates":{"findings":"2026-01-02"}})");
  const auto table = [&](const char* name) {
    const ProcessResult ended =
        c.tool({"reproduce", "executor", "solutions", "--report", "out"}, {{"COLUMNS", "200"}});
    CHECK(ended.status == 1);  // half of the table is not there
    approve(name, ended);
    return json::parse(c.read("out/executor.json"));
  };
  const json kept = table("executor-not-counted");
  CHECK(kept["findings"] == json({2}));
  CHECK(kept["dates"]["findings"] == "2026-01-02");
  CHECK(kept["dates"]["solutions"].get<std::string>().size() == 20);
  REQUIRE(kept["solutions"].size() == 1);
  CHECK(kept["solutions"][0]["step"] == "07-toy/g1_naive");
  CHECK(kept["solutions"][0]["kernels"][0]["counters"]["global_load_sectors"]["executor"] == 320);
  CHECK_FALSE(kept["solutions"][0].contains("reason"));
  c.order("solutions/07-toy/g1_naive.cu", "profile CRASHED it ended");
  const json crashed = table("executor-crashed");
  REQUIRE(crashed["solutions"].size() == 1);
  CHECK(crashed["solutions"][0]["reason"] == "CRASHED  it ended");
}

TEST_CASE("reproduce executor: a rung's row is renewed, with its date, and the others stay") {
  const Checkout c;
  c.write("out/executor.json", R"({"dates": {"solutions": "2026-01-02"},
                                   "solutions": [{"step": "01-other/g9_last"}, {"step": "07-toy/g1_naive"}]})");
  const ProcessResult ended =
      c.tool({"reproduce", "executor", "07/g1", "--report", "out"}, {{"COLUMNS", "200"}});
  INFO(ended.output);
  const json kept = json::parse(c.read("out/executor.json"));
  CHECK(kept["dates"]["solutions"] == "2026-01-02");
  REQUIRE(kept["solutions"].size() == 2);
  CHECK(kept["solutions"][0] == json({{"step", "01-other/g9_last"}}));
  CHECK(kept["solutions"][1]["date"].get<std::string>().size() == 20);
  CHECK(kept["solutions"][1]["kernels"].size() > 0);
  approve("executor-of-a-host-step", c.tool({"reproduce", "executor", "07/c1"}));
}

TEST_CASE("reproduce executor costs: what cannot be measured is said, with status 1; bad input is status 2") {
  const Checkout c;
  c.order("solutions/07-toy/g1_naive.cu", "costs WRONG n = 64: 3 of 4 wrong");
  const ProcessResult wrong = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  approve("costs-wrong", wrong);
  c.order("solutions/07-toy/g1_naive.cu", "costs NO RECORD");
  const ProcessResult silent = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  approve("costs-not-run", silent);
  c.order("solutions/07-toy/g1_naive.cu", "all PASS right");
  c.write("build/speed.sh", "#!/bin/sh\necho 1 1 1 1 1 1\necho WRONG\nexit 1\n");
  const ProcessResult speed = c.tool({"reproduce", "executor", "costs"}, {{"COLUMNS", "200"}});
  approve("costs-program-ended", speed);
  approve("costs-unknown-part", c.tool({"reproduce", "executor", "cost"}));
}
