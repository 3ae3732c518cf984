/// @file
/// Every verdict that a judge can give, reached by a step that earns it. Real workers, a real judge.
// Guards: docs/rungs.md#what-the-words-mean

#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

TEST_CASE("correctness: each misbehaviour gets its verdict and words that help") {
  struct Expected {
    const char* function;
    const char* verdict;
    const char* words;
  };
  const Expected all[] = {
      {"right", "PASS", ""},
      {"wrong", "WRONG", "first y[2]: expected"},
      {"leaves_nan", "WRONG", "n = 1: y is as before the call: no result came back"},
      {"adds_to_what_was_there", "WRONG", "nan"},
      {"not_started", "NOT STARTED", "ladder::task()"},
      {"throws", "CRASHED", "the device is not in the mood"},
      {"throws_a_number", "CRASHED", "not a std::exception"},
      {"crashes", "CRASHED", "signal 11"},
      {"aborts", "CRASHED", "signal 6"},
      {"exits", "CRASHED", "exit code 0 before it had returned"},
      {"hangs", "TIMEOUT", "did not return within 1.5 s"},
      {"forges_its_place", "TIMEOUT", "did not return within 1.5 s and was ended"},
      {"spins_in_threads", "TIMEOUT", "did not return within 1.5 s"},
      {"writes_input", "CRASHED", "inputs are read-only"},
      {"writes_behind", "WRONG", "wrote next to y, which has 1 element:"},
      {"writes_far_behind", "CRASHED", "an index is out of range"},
      {"frees_input", "CRASHED", ""},  // in words of the C library, or of a signal
      {"prints_megabytes", "PASS", ""},
      {"allocates", "CRASHED", "bad_alloc"},
      {"maps", "CRASHED", "used more than 256 MiB"},
      {"forks", "PASS", ""},
      {"leaves_a_thread", "WRONG", "y is as before the call"},
      {"remembers", "WRONG", "expected"},
      {"answers_for_the_harness", "REJECTED", "talks to the judge"},
      {"says_synchronised_early", "REJECTED", "talks to the judge"},
      {"sends_nonsense", "REJECTED", "talks to the judge"},
      {"reads_the_message", "PASS", ""},
  };
  json steps = json::array();
  for (const Expected& e : all) steps.push_back(planned("c1_plain", e.function));
  const std::vector<json> found = judged(steps, {"correctness"});
  REQUIRE(found.size() == std::size(all));  // one step's end is not the others'
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(all[i].function << ": " << found[i].dump());
    CHECK(found[i].at("mutant") == all[i].function);
    CHECK(found[i].at("verdict") == all[i].verdict);
    const std::string message = found[i].at("message");
    CHECK(message.find(all[i].words) != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
  }
  CHECK(processes_with("/workers/probe/") == 0);
}

TEST_CASE("a case that a rung must refuse: those behind it are judged as well") {
  const json refuses = judged_once("c5_refusing", "refuses_seven", "correctness");
  INFO(refuses.dump());
  CHECK(refuses.at("verdict") == "PASS");
  const json takes_all = judged_once("c5_refusing", "right", "correctness");
  CHECK(takes_all.at("verdict") == "WRONG");
  CHECK(takes_all.at("message").get<std::string>().find("seven was not refused") != std::string::npos);
}

TEST_CASE("outputs that only look untouched: what is added to NaN is NaN") {
  const json record = judged_once("c1_plain", "adds_to_what_was_there", "correctness");
  INFO(record.dump());
  CHECK(record.at("message").get<std::string>().find("no result came back") == std::string::npos);
  CHECK(record.at("details").dump().find("With zeros instead of NaN the result differs") !=
        std::string::npos);
}

TEST_CASE("a wrong result without a known cause gets the experiment, with the command that repeats it") {
  json step = planned("c1_plain", "wrong");
  step["tree"] = "attempts";  // as for a student; nobody works on a mutant
  const json record = judged(json::array({step}), {"correctness"}).at(0);
  const std::string details = record.at("details").dump();
  INFO(details);
  CHECK(record.at("verdict") == "WRONG");
  CHECK(details.find("n = 3 goes wrong, too. Sizes 1, 2 are right") != std::string::npos);
  CHECK(details.find("./ladder check 99/c1 --seed 7 --size 3") != std::string::npos);

  const Scratch scratch;
  json again = plan_of(scratch, json::array({step}), {"correctness"});
  again["size"] = 3;
  int status = 0;
  ::waitpid(start_judge(scratch, again), &status, 0);
  CHECK(verdicts(scratch).at(0).at("verdict") == "WRONG");
}

TEST_CASE(
    "a record cannot be forged: where the results lie cannot be read, and nothing can be written there") {
  const std::vector<json> found =
      judged(json::array({planned("c1_plain", "forges_a_record")}), {"correctness"});
  REQUIRE(found.size() == 1);
  CHECK(found.back().at("verdict") == "WRONG");
}

TEST_CASE("a worker that was not built from the source is rejected") {
  json step = planned("c1_plain", "right");
  step["source_hash"] = std::string(64, '0');
  const std::vector<json> found = judged(json::array({step}), {"correctness"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].at("verdict") == "REJECTED");
}

TEST_CASE("a rung that cannot run here is skipped with the reason") {
  json step = planned("c1_plain", "right");
  step["skip"] = "no GPU on this machine";
  const std::vector<json> found = judged(json::array({step}), {"correctness"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].at("verdict") == "SKIPPED");
  CHECK(found[0].at("message") == "no GPU on this machine");
}

TEST_CASE("targets: met, missed, and not measurable") {
  const json idle = judged_once("c2_balanced", "one_thread_works", "targets");
  CHECK(idle.at("verdict") == "MISSED");
  CHECK(idle.at("targets").at(0).at("measured") == Approx(2).margin(0.1));
  CHECK(idle.at("points") < idle.at("max_points"));
  const json wrong = judged_once("c2_balanced", "wrong", "targets");
  CHECK(wrong.at("verdict") == "WRONG");
  const json counted = judged_once("c4_counted", "right", "targets");
  CHECK(counted.at("verdict") == "SKIPPED");
  CHECK(counted.at("message").get<std::string>().find("this rung runs on cpu") != std::string::npos);
  CHECK(counted.at("targets").at(0).at("met").is_null());
  CHECK(counted.at("targets").at(0).at("verdict") == "SKIPPED");
  CHECK(counted.at("max_points") == 0);
}

TEST_CASE("memory: what a program has for the moment in which it is started does not count twice") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c1_plain", "starts_programs")}), {"correctness"});
  plan["limits"]["call_seconds"] = 20;
  const json record = judged_by(scratch, plan).at(0);
  INFO(record.dump(1));
  CHECK(record.at("verdict") == "PASS");
}

TEST_CASE("memory: the limit is for what a rung allocates, its problem may be larger") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c3_timed", "right")}), {"time"});
  plan["limits"]["memory_bytes"] = 24 << 20;
  plan["size"] = 4'000'000;  // an output of 32 MB
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  const json large = verdicts(scratch).at(0);
  INFO(large.dump());
  CHECK(large.at("verdict") != "CRASHED");
  CHECK(large.at("time").at("problem").at("n") == 4'000'000);
}

TEST_CASE("OpenBLAS uses what the processor can do, also one that is younger than the library") {
  if (!fs::exists(build + "/workers/probe/has_vector_kernels.cpu")) LADDER_SKIP("no OpenBLAS");
  const Scratch scratch;
  const json plan =
      plan_of(scratch, json::array({planned("c1_plain", "has_vector_kernels")}), {"correctness"});
  const json record = judged_by(scratch, plan).at(0);
  INFO(record.dump(1));
  CHECK(record["verdict"] == "PASS");
}

TEST_CASE("memory: what OpenBLAS takes for each thread that calls it is nothing that a rung allocates") {
  if (!fs::exists(build + "/workers/probe/multiplies_in_all_threads.cpu")) LADDER_SKIP("no OpenBLAS");
  const Scratch scratch;
  json plan =
      plan_of(scratch, json::array({planned("c1_plain", "multiplies_in_all_threads")}), {"correctness"});
  plan["environment"]["OMP_NUM_THREADS"] = "8";  // 1 GiB of buffers at a limit of 256 MiB
  plan["limits"]["call_seconds"] = 10;
  const json record = judged_by(scratch, plan).at(0);
  INFO(record.dump(1));
  CHECK(record.at("verdict") == "PASS");
}

TEST_CASE("the recorder is there, or no metric is given") {
  if (!fs::exists(build + "/workers/probe/copies_once.opencl") ||
      !fs::exists(build + "/lib/libladder-trace-opencl.so"))
    LADDER_SKIP("no OpenCL headers: the recorder's tests were not built");
  const json once = judged_once("g1_traced", "copies_once", "targets", "opencl");
  if (once.at("message").get<std::string>().find("no OpenCL") != std::string::npos)
    LADDER_SKIP("no OpenCL platform");
  INFO(once.dump());
  CHECK(once.at("verdict") == "PASS");
  CHECK(once.at("targets").at(0).at("amount") == 16 * 1000);
  const json twice = judged_once("g1_traced", "copies_twice", "targets", "opencl");
  CHECK(twice.at("verdict") == "MISSED");
  CHECK(twice.at("targets").at(0).at("measured") == 2);
  CHECK(judged_once("g1_traced", "unloads_the_recorder", "targets", "opencl").at("verdict") == "REVIEW");
  // What does not come again speaks against no step.
  CHECK(judged_once("g1_traced", "unloads_the_recorder_once", "targets", "opencl").at("verdict") == "PASS");
}

TEST_CASE("PoCL's count of what runs ends no rung that runs one kernel in two queues") {
  if (!fs::exists(build + "/workers/probe/runs_in_two_queues.opencl")) LADDER_SKIP("OpenCL is not installed");
  const json record = judged_once("c1_plain", "runs_in_two_queues", "correctness", "opencl");
  INFO(record.dump());
  if (record.at("message").get<std::string>().find("no OpenCL") != std::string::npos)
    LADDER_SKIP("no OpenCL platform");
  CHECK(record.at("verdict") == "PASS");
}
