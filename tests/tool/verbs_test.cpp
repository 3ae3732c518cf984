/// @file
/// The other verbs, end to end, on a checkout whose judge does as it is told: a few cases for each.
// Guards: README.md

#include <algorithm>

#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
using ladder::test::transcript;
using nlohmann::json;

TEST_CASE("run: solutions with time, a table a lesson, a report") {
  const Checkout c;
  const json document = c.json({"run", "--device", "executor", "--report", "out"}, 0,
                               {{"FAKE_PLAN_COPY", (c.root() / "plan").string()}});
  CHECK(document["machine"].is_object());
  CHECK(step(document, "g1_naive")["time"]["median"] == 0.01);
  CHECK(step(document, "g1_naive")["energy"]["joules"] == 0.0123);
  CHECK(step(document, "g1_naive")["tree"] == "solutions");
  CHECK(c.read("out/07-toy.svg").find("<svg") == 0);
  CHECK(c.read("out/07-toy.txt").find("10 ms ±10 %") != std::string::npos);
  const json plan = json::parse(c.read("plan"));
  CHECK(plan["kinds"] == json({"time"}));  // the others were judged before: phases_test.cpp
  CHECK(plan["steps"].size() == 3);
  CHECK(plan["steps"][1]["below"] == (c.root() / "build/workers/solutions/07-toy/c1_first.cpu").string());
  CHECK(plan["steps"][0]["below"] == "");
  CHECK(plan["steps"][0]["gpu"] == "");  // none runs it
  CHECK(plan["steps"][0]["source_hash"].get<std::string>().size() == 64);
  const ProcessResult shown = c.tool({"run", "07"});
  approve("run", shown);
}

TEST_CASE("SKIPPED is no failure, unless --strict") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "all SKIPPED no such library");
  approve("skipped", c.tool({"run", "07/c1"}));
  c.json({"run", "07/c1", "--strict"}, 1);
}

TEST_CASE("INCONCLUSIVE is shown, counted and explained by run and bench, and no failure unless --strict") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "time INCONCLUSIVE open, busy 45 %");
  c.order("lessons/07-toy/c1_first.cpp", "time INCONCLUSIVE open");
  const ProcessResult busy = c.tool({"run", "07"});
  approve("inconclusive-busy", busy);
  c.json({"run", "07/c1", "--strict"}, 1);
  const ProcessResult benched = c.tool({"bench", "07/c1"});
  approve("inconclusive-bench", benched);
  CHECK(c.tool({"bench", "07/c1", "--strict"}).status == 1);
  // check has no clock: a number that it cannot decide is for its student to look at.
  c.order("lessons/07-toy/c1_first.cpp", "targets INCONCLUSIVE balance");
  CHECK(c.tool({"check", "07/c1"}).status == 1);
  c.order("solutions/07-toy/c1_first.cpp", "time MISSED too slow");
  CHECK(c.tool({"run", "07/c1"}).status == 1);
}

TEST_CASE(
    "right with a number that cannot be measured here: PASS with a remark, and done; --strict fails it") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "targets SKIPPED sectors not measured: Oclgrind is not installed");
  c.order("lessons/07-toy/g1_naive.cu", "all WRONG first C[0][1]");
  const ProcessResult ended = c.tool({"check", "07/c1", "07/g1"});
  approve("not-measured", ended);
  CHECK(c.tool({"check", "07/c1"}).status == 0);
  CHECK(c.tool({"check", "07/c1", "--strict"}).status == 1);
  approve("not-measured-alone", c.tool({"check", "07/c1"}));
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "SKIPPED");
  approve("not-measured-list", c.tool({"list"}));
  approve("not-measured-hint", c.tool({"hint", "07/c1"}));
}

TEST_CASE("a verb takes the options that it uses, and its parts have their own") {
  const Checkout c;
  approve("unknown-options", refusals(c, {{"list", "--strict"},
                                          {"hint", "07/g1", "--seed", "3"},
                                          {"hint", "07/g1", "--size", "64"},
                                          {"predict", "07/g1", "--device", "executor"},
                                          {"diff", "07/g1", "--tree", "solutions"},
                                          {"watch", "07", "--strict"},
                                          {"profile", "07/g1", "--strict"},
                                          {"reproduce", "07", "--strict"},
                                          {"test", "07", "--tree", "lessons"},
                                          {"validate", "findings", "--size", "64"},
                                          {"handout", "--seed", "1"},
                                          {"grade", "key", "class.key", "--rungs", "07"},
                                          {"grade", "work", "--semicolon"},
                                          {"grade", "work", "--groups", "groups.txt"},
                                          {"grade", "export", "grades", "--json", "points.json"},
                                          {"--json", "points.json", "grade", "export", "grades"},
                                          {"course", "new", "--apply"},
                                          {"results", "pages", "--as", "h100"},
                                          {"course"},
                                          {"course", "chek"}}));
  const ProcessResult parts = c.tool({"grade", "--help"}), key = c.tool({"grade", "key", "--help"});
  CHECK(has(parts, "calibrate"));  // CLI11 lays the options out, and its versions differ
  CHECK(has(key, "./ladder grade key class.key"));
  CHECK_FALSE(has(key, "--sandbox"));
  CHECK(c.tool({"grade", "key", "class.key"}).status == 0);
}

TEST_CASE("an option that this call would ignore is refused, although the verb has it") {
  const Checkout c;
  c.write("sum.cu", "int main() {}\n");
  const std::string file = (c.root() / "sum.cu").string();
  approve("ignored-options", refusals(c, {{"check", file, "--seed", "3"},
                                          {"check", file, "--device", "cuda"},
                                          {"profile", file, "--under", "perf stat"},
                                          {"check", "07/c1", "-D", "N=3"},
                                          {"profile", "07/g1", "--std", "c++20"},
                                          {"profile", "07/g1", "--under", "perf stat", "--html", "a.html"},
                                          {"reproduce", "executor", "costs", "--max-size", "64"},
                                          {"docs", "--port", "8001"},
                                          {"grade", "work", "--out", "grades", "--budget", "3"},
                                          {"grade", "work", "--out", "grades", "--received", "times.csv"},
                                          {"grade", "--phase", "final", "--into", "grades", "--shard", "1/2"},
                                          {"grade", "export", "grades", "--column", "HW 1"},
                                          {"grade", "export", "grades", "--as", "moodle", "--names"}}));
}

TEST_CASE("list and the bare call say what there is and what comes next") {
  const Checkout c;
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "not started");
  CHECK(step(c.json({"list"}, 0), "c2_second")["state"] == "given");
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "not checked");
  c.json({"check", "07/c1"}, 0);
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "PASS");
  approve("where-am-i", c.tool({}));
  c.write("lessons/07-toy/c1_first.cpp", "// fake all PASS right\n// edited\n");
  CHECK(step(c.json({"list"}, 0), "c1_first")["state"] == "changed since PASS");
}

TEST_CASE("mistakes in a table are named, a line each, before anything is configured or compiled") {
  const Checkout c;
  const std::string table = c.read("lessons/07-toy/rungs.toml");
  std::string all;
  for (const std::string& mistake : {std::string("houres = 2\n"), std::string("matrix_products = 1\n"),
                                     std::string("ranks = \"two\"\nkind = \"optional\"\n")}) {
    c.write("lessons/07-toy/rungs.toml", table + mistake);
    const ProcessResult ended = c.tool({"check", "07/c1"}, {{"COLUMNS", "200"}});
    CHECK(ended.status == 2);
    all += transcript({"check", "07/c1"}, ended);
  }
  approve("mistakes-in-a-table", all);
  CHECK_FALSE(std::filesystem::exists(c.root() / "build/.ninja_log"));
  CHECK_FALSE(std::filesystem::exists(c.root() / "build/workers"));
  c.write("lessons/07-toy/rungs.toml", table);
  c.tool({"check", "07/c1"});
  CHECK(std::filesystem::exists(c.root() / "build/.ninja_log"));
  CHECK(std::filesystem::exists(c.root() / "build/workers"));
}

TEST_CASE("a table with a mistake is named with line and column; nothing else is said to be wrong") {
  const Checkout c;
  c.write("lessons/07-toy/rungs.toml", c.read("lessons/07-toy/rungs.toml") + "houres = 2\n");
  const json document = c.json({"list"}, 1);
  CHECK(document["lessons"][0]["problems"][0].get<std::string>().find(
            "lessons/07-toy/rungs.toml:22:1: [[rungs]]: unknown entry 'houres'; nearest: hours") == 0);
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  CHECK(c.tool({"check", "07/c1"}).status == 2);
}

TEST_CASE("reset: the skeleton comes back, the old file is kept") {
  const Checkout c;
  const std::string skeleton = c.read("lessons/07-toy/g1_naive.cu");
  c.write("lessons/07-toy/g1_naive.cu", "my work\n");
  const json document = c.json({"reset", "07/g1"}, 0);
  CHECK(c.read("lessons/07-toy/g1_naive.cu") == skeleton);
  CHECK(ladder::read_text(step(document, "g1_naive")["kept"].get<std::string>()) == "my work\n");
  CHECK(step(document, "g1_naive")["from"] == "cut from the solution");
  approve("reset-of-a-skeleton", c.tool({"reset", "07/g1"}));
}

TEST_CASE("reset: as handed out, else as cloned") {
  const Checkout c;
  const auto git = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-c", "user.name=x", "-c", "user.email=x@x"});
    return ladder::run_process({.arguments = std::move(arguments), .folder = c.root()});
  };
  if (!git({"init", "-q"}).ok()) LADDER_SKIP("git is not here");
  c.write("lessons/07-toy/c1_first.cpp", "as handed out\n");
  git({"add", "-A"});
  REQUIRE(git({"commit", "-q", "-m", "x"}).ok());
  git({"tag", "handout"});
  c.write("lessons/07-toy/c1_first.cpp", "as committed later\n");
  git({"commit", "-q", "-a", "-m", "y"});
  c.tool({"reset", "07/c1"});
  CHECK(c.read("lessons/07-toy/c1_first.cpp") == "as handed out\n");
  git({"tag", "-d", "handout"});
  c.tool({"reset", "07/c1"});
  CHECK(c.read("lessons/07-toy/c1_first.cpp") == "as committed later\n");
}

TEST_CASE("where results cannot be written is said before the work") {
  const Checkout c;
  c.write("taken", "a file\n");
  c.write("folder/inside", "a file in a folder\n");
  const std::vector<std::vector<std::string>> calls = {
      {"run", "07", "--json", "taken/results.json"},
      {"check", "07/c1", "--json", "folder"},
      {"run", "07", "--report", "taken"},
      {"reproduce", "07", "--report", "taken/deeper"},
      {"profile", "07/g1", "--html", "taken/g1.html"},
      {"profile", "07/g1", "--trace", "folder"},
      {"check", "mine.cu", "-o", "taken/mine"},
      {"doctor", "--json", "taken/doctor.json"},
  };
  const std::string plan = (c.root() / "plan").string();
  approve("results-cannot-be-written", refusals(c, calls, {{"FAKE_PLAN_COPY", plan}, {"COLUMNS", "200"}}));
  CHECK_FALSE(std::filesystem::exists(plan));  // no judge was started
  CHECK(c.read("taken") == "a file\n");
  // A file that is there stays until there is something new, and nothing stays of the trial.
  c.write("results.json", "old\n");
  CHECK(c.tool({"check", "07/none", "--json", "results.json"}).status == 2);
  CHECK(c.read("results.json") == "old\n");
  for (const auto& entry : std::filesystem::directory_iterator(c.root()))
    CHECK(entry.path().string().find(".part") == std::string::npos);
}

TEST_CASE("doctor writes the same schema") {
  const Checkout c;
  const json document = c.json({"doctor", "--no-measure"}, 0);
  CHECK(document["machine"].is_object());
}

TEST_CASE("doctor tells what lessons need that is missing, from lists of their own") {
  const Checkout c;
  c.write("common/tool/packages.txt", "by-hand  no-such-thing  -  every lesson; SKIPPED\n");
  c.write("lessons/07-toy/given/packages.txt",
          "# a comment\nlessons  no-such-toy  toy-tools  the play of 07; SKIPPED\n");
  c.write("lessons/08-plain/given/nothing.txt", "");
  const json missing = c.json({"doctor", "--no-measure"}, 0)["machine"]["missing"];
  CHECK(missing.size() >= 2);
  CHECK(std::count(missing.begin(), missing.end(),
                   json{{"name", "no-such-toy"},
                        {"cost", "the play of 07; SKIPPED"},
                        {"install", "apt-get install toy-tools"}}) == 1);
  CHECK(std::any_of(missing.begin(), missing.end(),
                    [](const json& m) { return m["name"] == "no-such-thing"; }));
}

TEST_CASE("similarity without sim_c++: one line that names its package, and no failure unless --strict") {
  const Checkout c;
  const std::map<std::string, std::string> without = {{"PATH", "/nowhere"}};
  c.write("grades/records/.keep", "");
  const ProcessResult ended = c.tool({"similarity", "grades"}, without);
  approve("similarity-without-its-program", ended);
  CHECK(c.tool({"similarity", "grades", "--strict"}, without).status == 1);
}
