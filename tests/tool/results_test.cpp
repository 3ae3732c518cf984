/// @file
/// The verb results, on the toy checkout: a run becomes the stored one, and the pages show it.
// Guards: docs/measuring.md#a-run

#include "common/report/results/test_part.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::transcript;
using nlohmann::json;

namespace {

const char* const page = "lessons/07-toy/README.md";

/// A checkout with a page, a machine, and a run of all solutions.
void stored_run(const Checkout& c) {
  c.write("docs/results/machines.json", R"([{"folder": "here", "name": "2 cores"}])");
  c.write(page, "# 07\n\n<!-- generated: ladder-table 07-toy -->\n<!-- end -->\n");
  c.json({"run", "07", "--device", "executor"}, 0, {{"LADDER_COMMIT", "abc123"}});
  c.write("run.json", c.read("results.json"));
}

}  // namespace

TEST_CASE("results add: a run is stored with its commit, and the pages are renewed") {
  const Checkout c;
  stored_run(c);
  CHECK(json::parse(c.read("run.json"))["commit"] == "abc123");
  const ProcessResult added = c.tool({"results", "add", "run.json", "--as", "here"});
  approve("added", added);
  const json stored = json::parse(c.read("docs/results/here/run.json"));
  CHECK(stored["runs"][0]["commit"] == "abc123");
  CHECK(stored["runs"][0]["tracks"] == json({"07-toy/c", "07-toy/g"}));
  CHECK(c.read(page).find("10 ms, **2x** baseline") != std::string::npos);
  CHECK(c.read(page).find("commit abc123") != std::string::npos);
  approve("pages", c.tool({"results", "pages"}));

  // One rung of two is no track; the stored one stays, and the status says so.
  c.json({"run", "07/c1"}, 0);
  const ProcessResult part = c.tool({"results", "add", "results.json", "--as", "here"}, {{"COLUMNS", "200"}});
  approve("part-of-a-track", part);
  CHECK(json::parse(c.read("docs/results/here/run.json")) == stored);
}

TEST_CASE("a run has git's commit, unless LADDER_COMMIT names another: a copy may be in a checkout of one") {
  const Checkout c;
  const auto git = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-C", c.root().string()});
    return ladder::run_process({.arguments = arguments, .seconds = 20});
  };
  REQUIRE(git({"init", "-q"}).ok());
  REQUIRE(git({"add", "lessons"}).ok());
  REQUIRE(git({"-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "a checkout"}).ok());
  const std::string commit = git({"rev-parse", "--short=10", "HEAD"}).output.substr(0, 10);
  CHECK(c.json({"run", "07/c1"}, 0)["commit"] == commit);
  CHECK(c.json({"run", "07/c1"}, 0, {{"LADDER_COMMIT", "abc123"}})["commit"] == "abc123");
}

TEST_CASE("results add: a run of one size is a file of its own, a reproduction one of its lesson") {
  const Checkout c;
  stored_run(c);
  c.json({"run", "07/c1", "--size", "128"}, 0);
  CHECK(c.tool({"results", "add", "results.json", "--as", "here"}).status == 0);
  CHECK(json::parse(c.read("docs/results/here/run-128.json"))["size"] == 128);
  c.json({"reproduce", "07"}, 0);
  CHECK(c.tool({"results", "add", "results.json", "--as", "here"}).status == 0);
  CHECK(json::parse(c.read("docs/results/here/reproduce-07.json"))["lessons"].size() == 1);
  json interrupted = c.json({"reproduce", "07"}, 0);
  interrupted["interrupted"] = true;
  interrupted["lessons"].push_back(interrupted["lessons"][0]);
  c.write("results.json", interrupted.dump());
  const auto added = c.tool({"results", "add", "results.json", "--as", "here"});
  CHECK(added.status == 0);
  CHECK(added.output.find("was interrupted") != std::string::npos);
  CHECK(json::parse(c.read("docs/results/here/reproduce-07.json"))["lessons"].size() == 1);
  interrupted["lessons"].erase(1);
  c.write("results.json", interrupted.dump());
  CHECK(c.tool({"results", "add", "results.json", "--as", "here"}).status != 0);
  c.json({"reproduce", "07", "--only", "table"}, 0);
  approve("part-of-a-reproduction", c.tool({"results", "add", "results.json", "--as", "here"}));
}

TEST_CASE("results add: a new machine gets its name; another GPU's run is refused") {
  const Checkout c;
  stored_run(c);
  approve("unknown-machine", c.tool({"results", "add", "run.json", "--as", "heer"}));
  CHECK(c.tool({"results", "add", "run.json", "--as", "there=The \"other\" one"}).status == 0);
  CHECK(json::parse(c.read("docs/results/machines.json"))[1] ==
        json({{"folder", "there"}, {"name", "The \"other\" one"}}));
  CHECK(c.read(page).find("The \"other\" one") != std::string::npos);
  c.tool({"results", "add", "run.json", "--as", "here"});
  json other = json::parse(c.read("run.json"));
  other["machine"]["devices"] = json::array({{{"id", "cuda:0"}, {"name", "GPU of tomorrow"}}});
  c.write("other.json", other.dump());
  const ProcessResult refused =
      c.tool({"results", "add", "other.json", "--as", "here"}, {{"COLUMNS", "200"}});
  CHECK(refused.status == 2);
  CHECK(has(refused, "this one is of GPU of tomorrow: another machine has another name"));
}

TEST_CASE(
    "results add: what doctor measured is stored next to the runs, and a doctor that measured nothing is "
    "not") {
  const Checkout c;
  stored_run(c);
  json doctor = {{"schema", "gpu-ladder/3"}, {"verb", "doctor"}, {"lessons", json::array()}};
  doctor["machine"] = json::parse(c.read("run.json"))["machine"];
  c.write("empty.json", doctor.dump());
  approve("doctor-without-measurements", c.tool({"results", "add", "empty.json", "--as", "here"}));
  doctor["machine"]["ceilings"] = {{"cpu", {{{"what", "copy"}, {"unit", "byte/s"}, {"median", 1e10}}}}};
  c.write("doctor.json", doctor.dump());
  const ProcessResult added = c.tool({"results", "add", "doctor.json", "--as", "here"});
  INFO(added.output);
  CHECK(added.status == 0);
  CHECK(json::parse(c.read("docs/results/here/doctor.json"))["machine"]["ceilings"]["cpu"][0]["median"] ==
        1e10);
}

TEST_CASE(
    "results add: top rungs next to a library go to docs/top, a processor's and what ncu counted apart") {
  const Checkout c;
  stored_run(c);
  c.write("docs/top.md", "# Top\n\n<!-- generated: leaderboard 07-toy -->\n<!-- end -->\n");
  json top = {
      {"schema", "gpu-ladder-top/1"}, {"lesson", "07-toy"}, {"device", "a GPU"}, {"library", "library"}};
  top["ceiling"] = {{"name", "peak"}, {"rate", 1e12}};
  top["rows"] = json::array();
  c.write("top.json", top.dump());
  const auto add = [&](const char* file) {
    const ProcessResult ended = c.tool({"results", "add", file, "--as", "here"}, {{"COLUMNS", "200"}});
    UNSCOPED_INFO(ended.output);
    return ended;
  };
  CHECK(add("top.json").status == 0);
  CHECK(json::parse(c.read("docs/top/07-toy-here.json")) == top);
  CHECK(c.read("docs/top.md").find("### 07-toy on a GPU") != std::string::npos);
  top["host"] = true, top["device"] = "a processor";
  c.write("host.json", top.dump());
  CHECK(add("host.json").status == 0);
  CHECK(json::parse(c.read("docs/top/07-toy-here-cpu.json")) == top);
  CHECK(json::parse(c.read("docs/top/07-toy-here.json")).at("device") == "a GPU");
  CHECK(c.read("docs/top.md").find("### 07-toy on a processor") != std::string::npos);

  // What a bench called for ncu, with ncu's table next to it.
  const json calls = {{"schema", "gpu-ladder-top-profile/1"},
                      {"lesson", "07-toy"},
                      {"calls", {{{"rung", "g1"}, {"shape", "8"}}}}};
  c.write("profile.json", calls.dump());
  approve("without-ncu-table", add("profile.json"));
  const char* const columns =
      R"("ID","Process ID","Kernel Name","gpu__time_duration.sum","dram__throughput.avg.pct_of_peak_sustained_elapsed")";
  c.write("profile.csv", std::string(columns) + R"csv(
"","","","ns","%"
"0","9","profiled_call()","1,000","0"
"1","9","multiply(int)","2,000","40"
)csv");
  CHECK(add("profile.json").status == 0);
  const json counted = json::parse(c.read("docs/top/counters/07-toy-here.json"));
  REQUIRE(counted.at("rows").size() == 1);
  CHECK(counted["rows"][0]["counted"]["dram"] == 40.0);
  c.write("profile.csv", "Kernel Name\n");
  approve("broken-ncu-table", add("profile.json"));
  CHECK(json::parse(c.read("docs/top/counters/07-toy-here.json")) == counted);
}

TEST_CASE("results: bad input is one line, status 2, and nothing is stored") {
  const Checkout c;
  stored_run(c);
  c.write("broken.json", "{");
  c.write("list.json", R"({"schema": "gpu-ladder/3", "verb": "list", "lessons": []})");
  c.write("machineless.json", R"({"schema": "gpu-ladder/3", "verb": "run", "machine": null, "lessons": []})");
  const std::vector<std::vector<std::string>> calls = {
      {"results"},
      {"results", "add", "run.json"},
      {"results", "add", "gone.json", "--as", "here"},
      {"results", "add", "broken.json", "--as", "here"},
      {"results", "add", "list.json", "--as", "here"},
      {"results", "add", "machineless.json", "--as", "here"},
      {"results", "add", "run.json", "--as", "../up=Up"},
      {"results", "add", "run.json", "--as", "here=There"},
  };
  approve("bad-input", refusals(c, calls, {{"COLUMNS", "200"}}));
  CHECK_FALSE(std::filesystem::exists(c.root() / "docs/results/here"));
}

TEST_CASE("results convert: a file of the schema before becomes one of this schema, and only that is read") {
  const Checkout c;
  stored_run(c);
  json old = json::parse(c.read("run.json"));
  old["schema"] = "gpu-ladder/2";
  old["times"] = {{"parts", {{{"part", "units"}, {"seconds", 1.0}, {"building", 2.0}}}}};
  c.write("old.json", old.dump());
  c.write("docs/results/here/run.json", old.dump());
  std::string refused;
  for (const auto& call : std::vector<std::vector<std::string>>{
           {"results", "add", "old.json", "--as", "here"},
           {"results", "compare", "old.json", "run.json"},
           {"results", "pages"},
           {"results", "convert"},
           {"results", "convert", "run.json"},
           {"results", "convert", "gone.json"},
       })
    refused += transcript(call, c.tool(call, {{"COLUMNS", "200"}}));
  approve("earlier-schema", refused);

  old["lessons"][0]["steps"][0]["verdicts"] = 1;
  c.write("unknown.json", old.dump());
  approve("convert-unknown-field", c.tool({"results", "convert", "old.json", "unknown.json"}));
  CHECK(json::parse(c.read("old.json"))["schema"] == "gpu-ladder/2");  // all or none

  approve("convert", c.tool({"results", "convert", "old.json", "docs/results/here/run.json"}));
  const json converted = json::parse(c.read("old.json"));
  CHECK(converted["lessons"] == json::parse(c.read("run.json"))["lessons"]);
  CHECK_FALSE(converted["times"]["parts"][0].contains("building"));
  CHECK(c.tool({"results", "compare", "old.json", "run.json"}).status == 0);
  CHECK(c.tool({"results", "pages"}).status == 0);
}

TEST_CASE("results add: of the tests only what they took is stored, and only of all of them") {
  const Checkout c;
  stored_run(c);
  json document = {{"schema", "gpu-ladder/3"},
                   {"verb", "test"},
                   {"date", "2026-01-02T03:04:05Z"},
                   {"machine", json::parse(c.read("run.json"))["machine"]},
                   {"lessons", {{{"name", "07-toy"}, {"steps", json::array()}}}},
                   {"tests", {{"passed", 1}, {"failed", 0}, {"skipped", 0}}},
                   {"times", {{"parts", json::array()}, {"compiler_seconds", json::object()}}}};
  const auto add = [&] {
    c.write("test.json", document.dump());
    return c.tool({"results", "add", "test.json", "--as", "here"}, {{"COLUMNS", "200"}});
  };
  for (const auto& part : ladder::report::test_part_table())
    if (part.plain && part.name != "nobody" && part.name != "mutants")
      document["times"]["parts"].push_back({{"part", part.title}, {"seconds", 1}});
  approve("part-of-a-test", add());
  document["times"]["parts"].push_back({{"part", "mutants"}, {"seconds", 1}});
  const ProcessResult whole = add();
  approve("whole-test", whole);
  const json stored = json::parse(c.read("docs/results/here/tests.json"));
  CHECK(stored["lessons"].empty());
  CHECK(stored["times"]["parts"].size() == document["times"]["parts"].size());
}
