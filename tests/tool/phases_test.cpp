/// @file
/// The two phases of run: first what needs no clock, lesson by lesson, then the times, the shortest lesson
/// first.
// Guards: docs/measuring.md#a-run

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <sstream>

#include "common/tool/judging/phases.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::step;
using ladder::test::within;
using nlohmann::json;

namespace {

/// Adds lesson 08-short: one step.
void add_short_lesson(const Checkout& c) {
  c.write("lessons/08-short/rungs.toml",
          ladder::test::table_text("Short", {ladder::test::row_text("c1_only.cpp", "Begin.")}));
  c.write("solutions/08-short/c1_only.cpp", "// fake all PASS right\n");
  c.write("lessons/08-short/c1_only.cpp", "// as handed out\n");
  std::string ninja = c.read("build/build.ninja");
  ninja +=
      "build judges/08-short: copy judge.sh\n"
      "build workers/solutions/08-short/c1_only.cpu: compile ../solutions/08-short/c1_only.cpp\n";
  c.write("build/build.ninja", ninja);
}

/// The plans that judges got, in their order.
std::vector<json> plans(const Checkout& c) {
  std::vector<json> all;
  std::istringstream lines(c.read("plans"));
  for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
  return all;
}

std::map<std::string, std::string> with_plans(const Checkout& c) {
  return {{"FAKE_PLANS", (c.root() / "plans").string()}};
}

json kind_of(const json& result, const std::string& kind) {
  for (const json& one : result["kinds"])
    if (one["kind"] == kind) return one;
  return nullptr;
}

}  // namespace

TEST_CASE("run: what needs no clock of all lessons first, then the times, the shortest lesson first") {
  const Checkout c;
  add_short_lesson(c);
  const ProcessResult ended = c.tool({"run", "--json", "results.json"}, with_plans(c));
  CHECK(ended.status == 0);
  // The lessons of the first phase end in any order: from the times of the shortest on.
  const auto times = ended.output.rfind("08-short  Short");
  REQUIRE(times != std::string::npos);
  approve("times", ended.output.substr(times));
  std::vector<std::string> order;
  std::set<std::string> first;
  for (const json& plan : plans(c))
    if (plan["kinds"] == json({"time"})) {
      order.push_back(plan["lesson"]);
      CHECK(plan["threads_of_judge"] == "");  // alone: all cores
    } else {
      CHECK(plan["threads_of_judge"] == plan["environment"]["OMP_NUM_THREADS"]);  // next to others
      CHECK(plan["kinds"] == json({"correctness", "targets", "findings"}));
      CHECK(order.empty());
      first.insert(plan["lesson"].get<std::string>());
    }
  CHECK(first == std::set<std::string>{"07-toy", "08-short"});
  CHECK(order == std::vector<std::string>{"08-short", "07-toy"});
  // The plan of the first phase has the rung below, too: its targets show that rung's numbers.
  CHECK(plans(c).front()["steps"][0].contains("below"));
  // The document has the lessons in their own order, each step with all its kinds.
  const json document = json::parse(c.read("results.json"));
  REQUIRE(document["lessons"].size() == 2);
  CHECK(document["lessons"][0]["name"] == "07-toy");
  for (const json& lesson : document["lessons"])
    for (const json& result : lesson["steps"]) {
      CHECK(result["kinds"].size() == 4);
      CHECK(result["time"]["median"] == 0.01);
      CHECK(result["points"] == 4.0);
      CHECK(result["max_points"] == 16.0);
      CHECK(result["message"] == "right");
    }
}

TEST_CASE("run: on many cores one lesson is judged in more parts, on few in halves") {
  const auto sizes = [](std::size_t steps, std::size_t cores) {
    ladder::Task task;
    task.jobs.resize(steps);
    std::vector<std::size_t> all;
    for (const ladder::Task& part : parts_of(task, ladder::steps_of_part({task}, cores)))
      all.push_back(part.jobs.size());
    return all;
  };
  CHECK(sizes(16, 2) == std::vector<std::size_t>{8, 8});
  CHECK(sizes(23, 1) == std::vector<std::size_t>{7, 8, 8});
  CHECK(sizes(23, 16) == std::vector<std::size_t>{3, 4, 4, 4, 4, 4});
  CHECK(sizes(1, 16) == std::vector<std::size_t>{1});
}

TEST_CASE("run: a rung that failed is not timed, and its record says so; the others are") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "findings WRONG a race");
  c.write("solutions/07-toy/g1_naive.cu", "#error broken\n");
  const json document = c.json({"run", "07"}, 1, with_plans(c));
  const json last = plans(c).back();
  REQUIRE(last["kinds"] == json({"time"}));
  REQUIRE(last["steps"].size() == 2);  // what does not compile has no place in a plan
  CHECK(last["steps"][0]["failed"] == json{{"verdict", "WRONG"}, {"message", "a race"}});
  CHECK_FALSE(last["steps"][1].contains("failed"));
  const json wrong = step(document, "c1_first");
  CHECK(wrong["verdict"] == "WRONG");
  CHECK(wrong["message"] == "a race");
  CHECK_FALSE(wrong.contains("time"));
  CHECK(kind_of(wrong, "time")["verdict"] == "WRONG");
  CHECK(step(document, "c2_second")["verdict"] == "PASS");
  CHECK(step(document, "g1_naive")["verdict"] == "BUILD ERROR");
}

TEST_CASE("run: a judge that dies over a time loses that rung only") {
  const Checkout c;
  c.order("solutions/07-toy/c1_first.cpp", "time DIE");
  const json document = c.json({"run", "07"}, 1);
  CHECK(step(document, "c1_first")["verdict"] == "NOT RUN");
  CHECK(step(document, "c2_second")["time"]["median"] == 0.01);
  CHECK(step(document, "g1_naive")["verdict"] == "PASS");
}

TEST_CASE("run: what other programs may have caused is judged once more, alone, and the second time counts") {
  const Checkout c;
  add_short_lesson(c);
  c.order("solutions/07-toy/c1_first.cpp", "correctness TIMEOUT after 20 s");
  const ProcessResult ended = c.tool({"run", "--json", "results.json"}, with_plans(c));
  INFO(ended.output);
  CHECK(ended.status == 1);
  std::vector<std::size_t> steps;  // of the judges of 07 without times
  for (const json& plan : plans(c))
    if (plan["lesson"] == "07-toy" && plan["kinds"] != json({"time"})) steps.push_back(plan["steps"].size());
  CHECK(steps == std::vector<std::size_t>{3, 1});
  const json document = json::parse(c.read("results.json"));
  REQUIRE(document["lessons"][0]["steps"].size() == 3);
  CHECK(step(document, "c1_first")["verdict"] == "TIMEOUT");
  CHECK_FALSE(step(document, "c1_first").contains("time"));
  CHECK(step(document, "c2_second")["time"]["median"] == 0.01);
}

TEST_CASE("run: a job's process that dies leaves its rungs NOT RUN, with a reason") {
  const Checkout c;
  add_short_lesson(c);
  c.write("build/judge.sh", "#!/bin/sh\nkill -9 $PPID\n");  // the process that started the judge
  const json document = c.json({"run"}, 1);
  REQUIRE(document["lessons"].size() == 2);
  for (const json& lesson : document["lessons"]) {
    CHECK(lesson["steps"][0]["verdict"] == "NOT RUN");
    CHECK(lesson["problems"][0].get<std::string>().find("was not judged to its end") != std::string::npos);
  }
}

TEST_CASE("run: what a judge had finished when it died in the first phase is timed in the second") {
  const Checkout c;
  c.order("solutions/07-toy/c2_second.cpp", "findings DIE");
  const json document = c.json({"run", "07"}, 1);
  CHECK(step(document, "c1_first")["verdict"] == "PASS");
  CHECK(step(document, "c1_first")["time"]["median"] == 0.01);
  CHECK(step(document, "c2_second")["verdict"] == "NOT RUN");
  CHECK_FALSE(step(document, "c2_second").contains("time"));
  CHECK(step(document, "g1_naive")["time"]["median"] == 0.01);
}

TEST_CASE("run: Ctrl-C in the second phase keeps the first") {
  const Checkout c;
  std::filesystem::create_directories(c.root() / "tmp");
  for (const char* file : {"c1_first.cpp", "c2_second.cpp"})
    c.order(std::string("lessons/07-toy/") + file, "time SLEEP");
  c.order("lessons/07-toy/g1_naive.cu", "targets MISSED 3x");
  const pid_t tool = c.start({"run", "07", "--tree", "lessons", "--json", "results.json"});
  REQUIRE(within(60, [&] { return c.read("output").find("Now the times") != std::string::npos; }));
  kill(tool, SIGINT);
  int status = 0;
  waitpid(tool, &status, 0);
  INFO(c.read("output"));
  CHECK(WEXITSTATUS(status) == 1);
  const json document = json::parse(c.read("results.json"), nullptr, false);
  REQUIRE(document.is_object());
  CHECK(document["interrupted"] == true);
  const json right = step(document, "c1_first"), missed = step(document, "g1_naive");
  CHECK(right["verdict"] == "SKIPPED");  // right, and a number is missing
  CHECK(kind_of(right, "correctness")["verdict"] == "PASS");
  CHECK(kind_of(right, "time")["message"] == "time not measured: interrupted");
  CHECK_FALSE(right.contains("time"));
  CHECK(missed["verdict"] == "MISSED");
  CHECK(missed["message"].get<std::string>().find("3x") != std::string::npos);
  const std::string output = c.read("output");
  CHECK(output.find("(times follow)") != std::string::npos);
  CHECK(output.find("PASS, time not measured (interrupted): 07/c1, 07/c2.") != std::string::npos);
  CHECK(output.find("interrupted: what was finished is above and in the JSON") != std::string::npos);
  // How far the student is does not depend on the times.
  CHECK(json::parse(c.read(".ladder/state.json"))["07-toy/c1_first"]["verdict"] == "PASS");
}

TEST_CASE("run: Ctrl-C in the first phase leaves what was not judged NOT RUN, and takes no times") {
  const Checkout c;
  std::filesystem::create_directories(c.root() / "tmp");
  c.order("solutions/07-toy/g1_naive.cu", "correctness SLEEP");
  const pid_t tool = c.start({"run", "07", "--json", "results.json"});
  const auto c2_is_judged = [&] {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(c.root() / "tmp", ignored))
      if (entry.path().filename() == "results.jsonl" &&
          ladder::read_text(entry.path()).find(R"("step":"g1_naive")") != std::string::npos)
        return true;
    return false;
  };
  REQUIRE(within(60, c2_is_judged));
  kill(tool, SIGINT);
  int status = 0;
  waitpid(tool, &status, 0);
  CHECK(WEXITSTATUS(status) == 1);
  const json document = json::parse(c.read("results.json"), nullptr, false);
  REQUIRE(document.is_object());
  CHECK(step(document, "g1_naive")["verdict"] == "NOT RUN");
  CHECK(step(document, "c1_first")["verdict"] == "SKIPPED");
  CHECK(c.read("output").find("Now the times") == std::string::npos);
}
