/// @file
/// The verb check, end to end, and what every verb says of wrong words, on a checkout whose judge does as it
/// is told.
// Guards: docs/student.md#the-loop-on-one-screen

#include <regex>
#include <sstream>

#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
using ladder::test::step;
using nlohmann::json;

TEST_CASE("check: a right rung passes, by each of its names") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "correctness PASS right in all classes.");
  for (const char* name : {"07/c1", "7/c1", "07-toy/c1_first", "toy/first", "lessons/07-toy/c1_first.cpp"}) {
    const json document = c.json({"check", name, "--seed", "7"}, 0);
    CHECK(document["seed"] == 7);
    CHECK(step(document, "c1_first")["verdict"] == "PASS");
    CHECK(step(document, "c1_first")["tree"] == "lessons");
  }
}

TEST_CASE("check: feedback has the verdict, the blocks and what comes next") {
  const Checkout c;
  c.order("lessons/07-toy/g1_naive.cu", "correctness WRONG n = 64: 4 of 9 wrong, first C[0][1]");
  const ProcessResult ended = c.tool({"check", "07/g1", "--seed", "7"});
  CHECK_FALSE(has(ended, "\x1b["));
  CHECK(has(ended, "--seed 7"));
  approve("wrong", ended);
}

TEST_CASE(
    "check: a rung that nobody has begun is built plain only; one that ran all the same is judged whole") {
  const Checkout c;
  const std::filesystem::path observed = c.root() / "build/workers/lessons/07-toy/g1_naive.observed";
  c.write("build/build.ninja",
          ladder::read_text(c.root() / "build/build.ninja") +
              "build workers/lessons/07-toy/g1_naive.observed: compile ../lessons/07-toy/g1_naive.cu\n");
  const std::string skeleton = ladder::read_text(c.root() / "lessons/07-toy/g1_naive.cu");
  c.write("lessons/07-toy/g1_naive.cu", "// fake all NOT_STARTED nobody has begun\n" + skeleton);
  CHECK(step(c.json({"check", "07/g1"}, 1), "g1_naive")["verdict"] == "NOT STARTED");
  CHECK_FALSE(std::filesystem::exists(observed));
  // ladder::task() is still there, but nothing comes to it.
  c.write("lessons/07-toy/g1_naive.cu", "// fake targets MISSED too many sectors\n" + skeleton);
  CHECK(step(c.json({"check", "07/g1"}, 1), "g1_naive")["verdict"] == "MISSED");
  CHECK(std::filesystem::exists(observed));
}

TEST_CASE("check: what a kernel did not confine is said once, of one rung and of several") {
  const Checkout c;
  for (const char* file : {"c1_first.cpp", "c2_second.cpp"})
    c.order(std::string("lessons/07-toy/") + file, "correctness PASS right, unconfined");
  const ProcessResult one = c.tool({"check", "07/c1"}), both = c.tool({"check", "07/c1", "07/c2"});
  approve("not-confined", one);
  approve("not-confined-of-several", both);
  for (const std::string& text : {one.output, both.output})
    CHECK(text.find("Not confined") == text.rfind("Not confined"));
}

TEST_CASE("check: a rung that does not compile says where, the others go on, and no old program runs") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  c.order("lessons/07-toy/g1_naive.cu", "all PASS right");
  c.json({"check", "07"}, 0);
  CHECK(std::filesystem::exists(c.root() / "build/workers/lessons/07-toy/c1_first.cpu"));
  c.write("lessons/07-toy/c1_first.cpp", "// fake all PASS right\n#error broken\n");
  const json document = c.json({"check", "07"}, 1);
  CHECK(step(document, "c1_first")["verdict"] == "BUILD ERROR");
  CHECK(step(document, "c1_first")["message"] == "lessons/07-toy/c1_first.cpp:2: #error said so");
  CHECK(step(document, "g1_naive")["verdict"] == "PASS");
  CHECK_FALSE(std::filesystem::exists(c.root() / "build/workers/lessons/07-toy/c1_first.cpu"));
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  c.json({"check", "07"}, 0);
}

TEST_CASE("check: VS Code finds the file, the line and the message in what is printed") {
  const auto tasks = json::parse(
      ladder::read_text(std::filesystem::path(RESULTS_SCHEMA).parent_path() / "../.vscode/tasks.json"));
  const auto matched = [&](std::size_t matcher, const std::string& output) {
    const json pattern = tasks["tasks"][0]["problemMatcher"][matcher]["pattern"];
    std::istringstream lines(output);
    std::smatch found;
    for (std::string line; std::getline(lines, line);)
      if (std::regex_search(line, found, std::regex(pattern["regexp"].get<std::string>()))) {
        std::string text;
        for (const char* part : {"file", "line", "message"})
          if (pattern.contains(part)) text += found[pattern[part].get<std::size_t>()].str() + "|";
        return text;
      }
    return std::string("nothing");
  };
  const Checkout c;
  c.write("lessons/07-toy/c1_first.cpp", "// fake all PASS right\n#error broken\n");
  c.order("lessons/07-toy/g1_naive.cu", "correctness WRONG first C[0][1]");
  const ProcessResult ended = c.tool({"check", "lessons/07-toy/c1_first.cpp", "lessons/07-toy/g1_naive.cu"});
  INFO(ended.output);
  CHECK(matched(0, ended.output) == "lessons/07-toy/c1_first.cpp|2|#error said so|");
  CHECK(matched(1, ended.output) == "g1_naive.cu|WRONG  first C[0][1]   3/12 points|");
}

TEST_CASE("check: for --remote, the history names the host, and a terminal elsewhere gets colour") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  const ProcessResult here = c.tool({"check", "07/c1"});
  CHECK_FALSE(has(here, "\x1b["));
  CHECK(c.read(".ladder/history.jsonl").find("\"host\"") == std::string::npos);
  const ProcessResult there =
      c.tool({"check", "07/c1"},
             {{"LADDER_HOST", "gpu"}, {"LADDER_LIVE", "1"}, {"TERM", "xterm"}, {"NO_COLOR", ""}});
  CHECK(has(there, "\x1b[32mPASS"));
  CHECK(c.read(".ladder/history.jsonl").find(R"("host":"gpu")") != std::string::npos);
  CHECK(json::parse(c.read(".ladder/state.json"))["07-toy/c1_first"]["host"] == "gpu");
  approve("remote", c.tool({"check", "07/c1", "--remote", "gpu"}));
}

TEST_CASE("check: a planned rung without a record is NOT RUN, whatever the exit status") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "targets NO RECORD");
  const json silent = c.json({"check", "07/c1"}, 1);
  CHECK(step(silent, "c1_first")["verdict"] == "NOT RUN");
  c.order("lessons/07-toy/c1_first.cpp", "targets GARBAGE");
  const json garbage = c.json({"check", "07/c1"}, 1);
  CHECK(garbage["lessons"][0]["problems"].size() == 1);
  c.order("lessons/07-toy/c1_first.cpp", "targets MISTYPED");
  const json mistyped = c.json({"check", "07/c1"}, 1);
  CHECK(
      mistyped["lessons"][0]["problems"] ==
      json::array({"3 lines of the judge's results are no records: a record.record is not verdict, progress, "
                   "reproduction or a kind of test"}));
  CHECK(step(mistyped, "c1_first")["verdict"] == "NOT RUN");
}

TEST_CASE("check: when a judge dies the running rung is NOT RUN, and another one judges the rest") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  c.order("lessons/07-toy/c2_second.cpp", "targets DIE");
  c.order("lessons/07-toy/g1_naive.cu", "all PASS right");
  const json dead = c.json({"check", "07"}, 1);
  CHECK(step(dead, "c1_first")["verdict"] == "PASS");
  CHECK(step(dead, "c2_second")["verdict"] == "NOT RUN");
  CHECK(step(dead, "c2_second")["message"] ==
        "the judge died of signal 11 (Segmentation fault) while it judged this rung: targets, n = 64");
  CHECK(step(dead, "c2_second")["details"][0] == json::array({"Last words", "the judge's last words"}));
  CHECK(step(dead, "g1_naive")["verdict"] == "PASS");
}

TEST_CASE("check: a judge that stands still counts as dead") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all SLEEP");
  c.order("lessons/07-toy/g1_naive.cu", "all PASS right");
  const json silent = c.json({"check", "07"}, 1, {{"LADDER_JUDGE_SILENCE", "1"}});
  CHECK(step(silent, "c1_first")["message"] ==
        "the judge stood still for 1 s and was ended while it judged this rung: correctness, n = 64");
  CHECK(step(silent, "g1_naive")["verdict"] == "PASS");
}

TEST_CASE("check: a range is its rungs") {
  const Checkout c;
  CHECK(c.json({"check", "07/c1-c2"}, 0)["lessons"][0]["steps"].size() == 2);
}

TEST_CASE("check: a judge that dies before it has begun is not started forever") {
  const Checkout c;
  c.write("build/judge.sh", "#!/bin/sh\necho >> starts\nkill -9 $$\n");
  const json document = c.json({"check", "07"}, 1);
  CHECK(step(document, "c1_first")["message"].get<std::string>().find("the judge died of signal 9") == 0);
  CHECK(c.read("starts") == "\n\n");
}

TEST_CASE("check: a judge that contradicts its records is a problem") {
  const Checkout c;
  c.write("build/judge.sh", "#!/bin/sh\n'" FAKE_JUDGE "'\nexit 5\n");
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  const json document = c.json({"check", "07/c1"}, 1);
  CHECK(document["lessons"][0]["problems"][0].get<std::string>().find("ended with status 5 though") !=
        std::string::npos);
}

TEST_CASE("wrong names, devices and numbers are one line and status 2") {
  const Checkout c;
  approve("wrong-words", refusals(c, {{"chek"},
                                      {"check", "08"},
                                      {"check", "toi"},
                                      {"check", "07/c9"},
                                      {"check", "07/c1-c9"},
                                      {"check", "07/c2-c1"},
                                      {"check", "07/frist"},
                                      {"check", "07", "--seed", "abc"},
                                      {"check", "07", "--seed", "-1"},
                                      {"check", "07", "--size", "1e3"},
                                      {"check", "07", "--device", "excutor"},
                                      {"check", "07/c1", "--device", "executor"},
                                      {"check", "07", "--tree", "lesson"},
                                      {"check", "07", "--sede", "3"},
                                      {"check"},
                                      {"test", "--part", "unit"}}));
}

TEST_CASE("a JSON that cannot be written is said, status 2") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  approve("json-cannot-be-written", c.tool({"check", "07/c1", "--json", "/dev/full"}));
}

TEST_CASE("--json - leaves standard output to the JSON") {
  const Checkout c;
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  const ProcessResult ended =
      ladder::run_process({.arguments = {c.program(), "check", "07/c1", "--json", "-"},
                           .environment = c.environment(),
                           .output_only = true});
  CHECK(json::parse(ended.output, nullptr, false).value("schema", "") == "gpu-ladder/3");
}

TEST_CASE("every verb has --help with an example") {
  const Checkout c;
  for (const char* verb : {"run", "check", "list", "doctor", "test", "reset", "reproduce"}) {
    const ProcessResult ended = c.tool({verb, "--help"});
    CHECK(ended.status == 0);
    CHECK(has(ended, std::string("Example:\n  ./ladder ") + verb));
    CHECK(has(ended, "--json"));  // CLI11 lays the options out, and its versions differ
  }
}
