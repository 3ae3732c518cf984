// What a wrong, a printing and an endless step are told. Real workers, a real judge.
// Guards: docs/rungs.md#what-the-words-mean

#include <algorithm>
#include <fstream>

#include "common/base/clock.hpp"
#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

namespace {

/// @param size  0: the cases of the lesson
/// @param patience  seconds after which the executor ends a kernel without progress; empty: as in any plan
json told(const std::string& function, int size = 0, double call_seconds = 1.5,
          const char* kind = "correctness", const std::string& patience = "") {
  const Scratch scratch;
  json step = planned("g2_counted", function, "executor");
  step["tree"] = "attempts";  // a student's, not a mutant
  json plan = plan_of(scratch, json::array({step}), {kind});
  plan["size"] = size;
  plan["verb"] = "check";
  plan["limits"]["call_seconds"] = call_seconds;
  if (!patience.empty()) plan["environment"]["LADDER_EXECUTOR_TIMEOUT"] = patience;
  plan["limits"]["memory_bytes"] = std::size_t{4} << 30;  // what watches a loop keeps its accesses
  const std::vector<json> found = judged_by(scratch, plan);
  REQUIRE(found.size() == 1);
  UNSCOPED_INFO(found[0].dump(1));
  return found[0];
}

std::string under(const json& record, const std::string& heading) {
  std::string all;
  for (const json& detail : record.at("details"))
    if (detail.at(0) == heading) all += detail.at(1).get<std::string>() + "\n";
  return all;
}

/// What a step that is no kernel of the executor's is told.
json told_on(const std::string& backend, const std::string& function) {
  const std::string row = backend == "cpu" ? "c1_plain" : "g1_traced";
  return judged_once(row, function, "correctness", backend);
}

/// "steps.cpp:12" of the one line with that text.
std::string place(const std::string& file, const std::string& text) {
  std::ifstream in(std::string(LADDER_PROBE) + "/" + file);
  int number = 0;
  for (std::string line; std::getline(in, line);)
    if (++number; line.find(text) != line.npos) return file + ":" + std::to_string(number);
  return "no line has " + text;
}

}  // namespace

TEST_CASE(
    "an endless loop of the CPU names its line, in a function, in a team, and where it waits for threads") {
  for (const auto& [function, text] : {std::pair{"hangs", "void hangs("},
                                       {"loops_in_a_team", "turns % 1000"},
                                       {"spins_in_threads", "one.join()"}}) {
    const json record = told_on("cpu", function);
    INFO(record.dump(1));
    CHECK(record.at("verdict") == "TIMEOUT");
    std::string line = place("steps.cpp", text);
    if (std::string(function) == "hangs")
      line = line.substr(0, line.find(':'));  // the loop is the line below
    CHECK(contains(record.at("message"), "did not return within 1.5 s and was ended in " + line));
  }
}

TEST_CASE("what a rung says of its own place is no text for the verdict") {
  const json record = told_on("cpu", "forges_its_place");
  INFO(record.dump(1));
  CHECK(record.at("verdict") == "TIMEOUT");
  CHECK(std::string(record.at("message")).ends_with("and was ended"));
}

TEST_CASE("an endless kernel of OpenCL: its name, the line of its launch, and where the host waits for it") {
  if (!fs::exists(build + "/workers/probe/launches_an_endless_kernel.opencl")) LADDER_SKIP("no OpenCL");
  const json record = told_on("opencl", "launches_an_endless_kernel");
  INFO(record.dump(1));
  if (record.at("verdict") == "SKIPPED" || record.at("verdict") == "CRASHED")
    LADDER_SKIP("no OpenCL platform");
  CHECK(record.at("verdict") == "TIMEOUT");
  const std::string message = record.at("message");
  CHECK(contains(message, "was ended in " + place("opencl_steps.cpp", "sizeof(int), p.y, 0")));
  CHECK(contains(message,
                 "; launched last: kernel spins, " + place("opencl_steps.cpp", "(queue.get(), spins.get()")));
}

TEST_CASE(
    "a kernel of OpenCL that does not compile is CRASHED, since it is compiled in the call, with its line") {
  if (!fs::exists(build + "/workers/probe/has_a_kernel_that_does_not_compile.opencl"))
    LADDER_SKIP("no OpenCL");
  const json record = told_on("opencl", "has_a_kernel_that_does_not_compile");
  INFO(record.dump(1));
  CHECK(record.at("verdict") == "CRASHED");
  if (!contains(record.at("message"), "elment")) LADDER_SKIP("no OpenCL platform");
  const std::string line = place("opencl_steps.cpp", "x[0] = elment");
  CHECK(contains(record.at("message"), "line " + line.substr(line.find(':') + 1)));
}

TEST_CASE(
    "what a rung prints is shown: of the case that was asked for, of the one that is wrong, else counted") {
  const json right = told("prints");
  CHECK(right.at("verdict") == "PASS");
  CHECK(contains(under(right, "Printed"), "1008 lines in all 3 cases together"));
  CHECK(contains(under(right, "Printed"), "--size 2"));
  const json small = told("prints", 3);
  CHECK(small.at("verdict") == "PASS");
  CHECK(under(small, "Printed") == "element 0\nelement 1\nelement 2\n");
  const json wrong = told("prints_and_is_wrong", 100);
  CHECK(wrong.at("verdict") == "WRONG");
  const std::string printed = under(wrong, "Printed");  // by blocks in any order
  CHECK(std::count(printed.begin(), printed.end(), '\n') == 21);
  CHECK(contains(printed, "… 80 more lines"));
}

TEST_CASE("a small case is shown whole: numbers, and which thread accessed what") {
  const json wrong = told("prints_and_is_wrong", 3);
  CHECK(under(wrong, "x").size() > 5);
  CHECK(contains(under(wrong, "y computed"), "7*"));
  CHECK(contains(under(wrong, "thread 1"), "reads x[1]"));
  CHECK(contains(under(wrong, "thread 1"), "writes y[1]"));
  CHECK(contains(under(wrong, "Next"), "--size 3"));
  CHECK(contains(under(told("coalesced", 2), "thread 0"), "reads x[0]"));
  CHECK(under(told("coalesced", 9), "thread 0").empty());
}

TEST_CASE("bytes for elements: an eighth is right, and the question is about bytes") {
  const json record = told("copies_elements");
  CHECK(record.at("verdict") == "WRONG");
  const json larger = told("copies_elements", 64);
  CHECK(contains(under(larger, "Where it is"), "Exactly 1/8 of y is right"));
  CHECK(contains(under(larger, "Think"), "count in bytes"));
}

TEST_CASE("an endless loop names its line, its thread and the values of its condition, in seconds") {
  for (const auto& [function, patience] : {std::pair{"halves_for_ever", ""}, {"counts_for_ever", "1"}}) {
    const ladder::Stopwatch watch;
    const json record = told(function, 0, 20, "correctness", patience);
    INFO(function << " " << watch.seconds() << " s");
    CHECK(record.at("verdict") == "TIMEOUT");
    CHECK(contains(record.at("message"), "loop that does not end, "));
    CHECK(contains(under(record, "What happened"),
                   "Thread (0,0,0) of block (0,0,0) is in a loop that does not end"));
    CHECK(contains(under(record, ""), !*patience ? "compares 0 with " : "compares 0 with 1,"));
    CHECK(contains(under(record, "Think"), "What would end the loop"));
  }
}

TEST_CASE("an endless loop with a barrier names its line, too, in seconds") {
  for (const std::string function : {"waits_for_ever", "meets_for_ever"}) {
    const ladder::Stopwatch watch;
    const json record = told(function, 0, 20, "correctness", "1");
    INFO(function << " " << watch.seconds() << " s");
    CHECK(record.at("verdict") == "TIMEOUT");
    CHECK(contains(record.at("message"), "loop that does not end, "));
    CHECK(contains(under(record, "What happened"), " is in a loop that does not end"));
    CHECK(contains(under(record, "Think"), "What would end the loop"));
    CHECK(watch.seconds() < 60);
  }
}

// A size that only a target has, or only a time: nothing is known of the loop before.
TEST_CASE("an endless loop with a barrier ends by itself in the other kinds of test, too") {
  const json record = told("waits_for_ever", 0, 60, "targets", "1");
  CHECK(record.at("verdict") != "PASS");
  const std::string message = record.at("message");
  CHECK((contains(message, "loop that does not end") ||
         contains(message, "the same barriers were passed again and again")));
  CHECK(contains(message, "cuda_steps.cu:"));
}

TEST_CASE("a note is shown where the result is wrong: lanes of a warp that write one place") {
  const json record = told("lets_all_lanes_write", 40);
  CHECK(record.at("verdict") == "WRONG");
  CHECK(contains(under(record, "Note"), "in one instruction of their warp"));
  CHECK(contains(under(record, "Think"), "Whose value must stay"));
}

TEST_CASE("a mutant whose words are known needs no cause and no further case; one whose words are not does") {
  struct Told {
    std::string note;
    bool further_case;
  };
  const auto told_of = [](const json& words) {
    const Scratch scratch;
    json step = planned("g2_counted", "lets_all_lanes_write", "executor");
    if (!words.is_null()) step["words"] = words;
    const std::vector<json> found =
        judged_by(scratch, plan_of(scratch, json::array({step}), {"correctness"}));
    REQUIRE(found.size() == 1);
    UNSCOPED_INFO(found[0].dump(1));
    CHECK(found[0].at("verdict") == "WRONG");
    CHECK(contains(found[0].at("message"), "n = 1: first y[0]"));
    std::ostringstream all;
    all << std::ifstream(scratch.path / "results.jsonl").rdbuf();
    return Told{under(found[0], "Note"), contains(all.str(), "n = 1000 (large)")};
  };
  const std::string of_cause = "in one instruction of their warp";
  const Told whole = told_of(nullptr), verdict = told_of(json::array()), message = told_of({"first y[0]"});
  CHECK(contains(whole.note, of_cause));
  CHECK(whole.further_case);
  for (const Told& known : {verdict, message}) {
    CHECK(known.note == "");
    CHECK_FALSE(known.further_case);
  }
  const Told cause = told_of({of_cause}), never = told_of({"no report says this"});
  CHECK(cause.note == whole.note);
  CHECK_FALSE(cause.further_case);
  CHECK(never.note == whole.note);
  CHECK(never.further_case);
}

TEST_CASE("a launch that was refused and that nobody asked about is named") {
  const json record = told("launches_too_much");
  CHECK(record.at("verdict") == "CRASHED");
  CHECK(contains(under(record, "What happened"), "never ran: a block of (2048,1,1)"));
}
