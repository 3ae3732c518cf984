// Steps that are observed: counters decide targets, findings decide what a right result cannot. Real workers.
// Guards: docs/rungs.md#what-the-words-mean

#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

namespace {

json observed(const std::string& function, const std::string& kind) {
  const json record = judged_once("g2_counted", function, kind, "executor");
  UNSCOPED_INFO(record.dump(1));
  return record;
}

std::string details_of(const json& record) {
  return record.at("details").dump();
}

}  // namespace

TEST_CASE("a target on counters is met by coalesced access, and missed by strides with the lines") {
  const json good = observed("coalesced", "targets");
  CHECK(good.at("verdict") == "PASS");
  CHECK(good.at("targets").at(0).at("measured") == 1);
  CHECK(good.at("targets").at(0).at("amount") == 512);
  const json strided = observed("strided", "targets");
  CHECK(strided.at("verdict") == "MISSED");
  CHECK(strided.at("targets").at(0).at("measured") == 4);
  CHECK(contains(details_of(strided), "32 sectors per request, ideal 8"));
  CHECK(contains(details_of(strided), "256 bytes apart, a sector each"));
  CHECK(contains(details_of(strided), "y[j] = 2 * x[j];"));
  CHECK(strided.at("points") < good.at("points"));
}

TEST_CASE("useless loads of one element make the number worse, though a request looks cheaper") {
  const json gamed = observed("broadcasts", "targets");
  CHECK(gamed.at("verdict") == "MISSED");
  CHECK(gamed.at("targets").at(0).at("measured") > 1.4);
  CHECK(contains(details_of(gamed), "all lanes read the same element"));
}

TEST_CASE("less than the necessary amount, or no launch, is for a person to look at") {
  const json none = observed("computes_on_host", "targets");
  CHECK(none.at("verdict") == "REVIEW");
  CHECK(contains(none.at("message"), "no work was seen"));
}

TEST_CASE("a size of one's own may be too large to see who has computed the results: said, and no REVIEW") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("g2_counted", "coalesced", "executor")}), {"findings"});
  plan["size"] = 20'000 * 256;
  plan["limits"] = {{"call_seconds", 20}, {"memory_bytes", 2ll << 30}};
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  REQUIRE(verdicts(scratch).size() == 1);
  INFO(verdicts(scratch)[0]);
  CHECK(verdicts(scratch)[0].at("verdict") == "PASS");
  CHECK(contains(details_of(verdicts(scratch)[0]), "at this size kernels store too many values"));
}

TEST_CASE(
    "a kernel that is still a task is NOT STARTED, whatever its rung does then; a failed assertion is not") {
  for (const std::string function :
       {"kernel_not_started", "kernel_not_started_unchecked", "kernel_not_started_aborts"})
    for (const std::string kind : {"correctness", "findings"}) {
      INFO(function << ", " << kind);
      const json record = observed(function, kind);
      CHECK(record.at("verdict") == "NOT STARTED");
      CHECK(record.at("message") ==
            "ladder::task() is still in a kernel: write the kernel, then delete that line");
    }
  CHECK(observed("kernel_asserts", "correctness").at("verdict") == "CRASHED");
}

TEST_CASE("a race is WRONG though every result is right") {
  CHECK(observed("races", "correctness").at("verdict") == "PASS");
  const json found = observed("races", "findings");
  CHECK(found.at("verdict") == "WRONG");
  CHECK(contains(found.at("message"), "race in shared memory"));
  CHECK(contains(details_of(found), "tile["));
  CHECK(contains(details_of(found), "What happened"));
  CHECK(observed("coalesced", "findings").at("verdict") == "PASS");
  const json target = observed("races", "targets");  // the observed run of the target finds it too
  CHECK(target.at("verdict") == "WRONG");
  CHECK(target.at("points") == 0);
}

TEST_CASE(
    "two targets: each is in the record with its verdict, and a race is not hidden by what was missed") {
  const json racing = judged_once("g3_two_numbers", "races", "targets", "executor");
  CHECK(racing.at("verdict") == "WRONG");
  REQUIRE(racing.at("targets").size() == 2);
  const json missed = judged_once("g3_two_numbers", "coalesced", "targets", "executor");
  INFO(missed.dump());
  CHECK(missed.at("verdict") == "MISSED");
  REQUIRE(missed.at("targets").size() == 2);
  CHECK(missed.at("targets").at(0).at("verdict") == "MISSED");
  CHECK(missed.at("targets").at(1).at("verdict") == "PASS");
  CHECK(missed.at("targets").at(1).at("points") == 2);
}

TEST_CASE("what ended the plain worker is explained by the observed one") {
  const json crashed = observed("reads_beyond", "correctness");
  CHECK(crashed.at("verdict") == "CRASHED");
  const json details = crashed.at("details");
  REQUIRE(details.size() > 0);
  CHECK(details.at(0).at(0) == "What happened");
  CHECK(contains(details.at(0).at(1), "x[i]") == false);
  const json found = observed("reads_beyond", "findings");
  CHECK(found.at("verdict") == "WRONG");
  CHECK(contains(found.at("message"), "out of bounds"));
}

TEST_CASE("arrays on the device have their names in the contract, also where the harness allocated them") {
  const json beyond = judged_once("g4_resident", "reads_beyond_resident", "correctness", "executor");
  INFO(beyond.dump(1));
  CHECK(contains(beyond.at("message"), "n = 1000: access out of bounds, cuda_steps.cu:"));
  CHECK(contains(details_of(beyond), "reads x + 1000 (of 1000)"));
  CHECK_FALSE(contains(beyond.dump(), "backend_cuda"));
  const json copied = judged_once("g4_resident", "copies_too_much", "correctness", "executor");
  INFO(copied.dump(1));
  CHECK(contains(copied.at("message"), "n = 1: threw cudaErrorInvalidValue: access out of bounds"));
  CHECK(contains(details_of(copied), "has 8 bytes from there on, of y (1 double); the copy has 16"));
  CHECK_FALSE(contains(copied.at("message"), "before that"));
  json plain = planned("g4_resident", "reads_beyond_resident", "executor");
  plain["observed"] = "";  // nothing explains the end
  const json end = judged(json::array({plain}), {"correctness"}).at(0);
  CHECK(contains(end.at("message"), "the kernel accesses the element past the end of x (1000 doubles)"));
}

TEST_CASE("how a rung ended stands first, and then what was found before") {
  for (const auto& [function, end] : {std::pair{"races_and_aborts", "signal 6 (Aborted)"},
                                      std::pair{"races_and_throws", "threw: the rung gives up"}})
    for (const char* kind : {"correctness", "findings", "targets"}) {
      const json crashed = observed(function, kind);
      INFO(kind << " " << crashed.dump());
      CHECK(crashed.at("verdict") == "CRASHED");
      const std::string message = crashed.at("message");
      CHECK(contains(message, end));
      CHECK(contains(message, "; before that: race in shared memory, cuda_steps.cu:"));
      CHECK(message.find(end) < message.find("before that"));
      CHECK(contains(details_of(crashed), "tile["));
    }
}

TEST_CASE("what was found before a rung's time was up is told") {
  const json late = observed("races_and_hangs", "findings");
  CHECK(late.at("verdict") == "TIMEOUT");
  CHECK(contains(late.at("message"), "of an observed run and was ended; before that: race in shared memory"));
}

TEST_CASE("a kind that could only repeat a failure says the same and runs nothing") {
  const std::vector<json> found = judged(json::array({planned("g2_counted", "reads_beyond", "executor")}),
                                         {"correctness", "targets", "findings"});
  REQUIRE(found.size() == 3);
  for (const json& record : found) {
    CHECK(record.at("verdict") == "CRASHED");
    CHECK(record.at("message") == found[0].at("message"));
  }
}

TEST_CASE("without an observed worker a target and the findings are skipped with the reason") {
  json step = planned("g2_counted", "coalesced", "executor");
  step["observed"] = "";
  step["no_observed"] = "its observed worker could not be built";
  const std::vector<json> found = judged(json::array({step}), {"targets", "findings"});
  REQUIRE(found.size() == 2);
  for (const json& record : found) {
    CHECK(record.at("verdict") == "SKIPPED");
    CHECK(contains(record.at("message"), "could not be built"));
  }
  CHECK(found[0].at("max_points") == 0);
}

TEST_CASE("a profile hands over observation, trace and necessary amount") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("g2_counted", "strided", "executor")}), {"profile"});
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  std::ifstream results(scratch.path / "results.jsonl");
  json profile;
  for (std::string line; std::getline(results, line);)
    if (json record = json::parse(line); record.at("record") == "profile") profile = record;
  REQUIRE(profile.is_object());
  CHECK(profile.at("size") == 1024);
  CHECK(profile.at("array_bytes") == 16 * 1024);
  CHECK(profile.at("target").at("measured") == 4);
  std::ifstream observation(profile.at("observation").get<std::string>());
  CHECK(json::parse(observation).at("launches").size() == 1);
  std::ifstream trace(profile.at("trace").get<std::string>());
  CHECK(json::parse(trace).at("traceEvents").size() > 0);
}

TEST_CASE(
    "a worker under a program of the user's own ends as programs do: what is written at the end is shown") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c1_plain", "writes_at_the_end")}), {"hardware"});
  plan["under"] = {"env"};
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  std::ifstream results(scratch.path / "results.jsonl");
  std::string printed;
  for (std::string line; std::getline(results, line);)
    if (json record = json::parse(line); record.contains("printed")) printed = record["printed"];
  CHECK(contains(printed, "written at the end"));
}

TEST_CASE("costs: plain and observed calls in turns, with their spread") {
  const Scratch scratch;
  const json plan =
      plan_of(scratch, json::array({planned("g2_counted", "coalesced", "executor")}), {"costs"});
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  std::ifstream results(scratch.path / "results.jsonl");
  json costs;
  for (std::string line; std::getline(results, line);)
    if (json record = json::parse(line); record.at("record") == "costs") costs = record;
  REQUIRE(costs.is_object());
  CHECK(verdicts(scratch).at(0).at("verdict") == "PASS");
  CHECK(costs.at("step") == "g2_counted");
  CHECK(costs.at("problem") == "n = 1024");
  const json& cost = costs.at("cost");
  CHECK(cost.at("bound") == 40);
  CHECK(cost.at("rounds") >= 5);
  for (const char* measure : {"processor", "wall"})
    for (const char* of : {"reference", "measured", "ratio", "noise"}) {
      const json& interval = cost.at(measure).at(of);
      INFO(measure << " " << of << " " << interval);
      CHECK(interval.at("low") > 0);
      CHECK(interval.at("low") <= interval.at("median"));
      CHECK(interval.at("median") <= interval.at("high"));
      CHECK(interval.at("runs") == cost.at("rounds"));
    }
}

TEST_CASE("a rung that crashes has no costs") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("g2_counted", "reads_beyond", "executor")}), {"costs"});
  plan["size"] = 1000;  // no multiple of a block: a thread too many reads
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  REQUIRE(verdicts(scratch).size() == 1);
  CHECK(verdicts(scratch)[0].at("verdict") == "CRASHED");
  std::ifstream results(scratch.path / "results.jsonl");
  for (std::string line; std::getline(results, line);) CHECK(json::parse(line).at("record") != "costs");
}
