// Every verdict that a judge can give, reached by a step that earns it. Real workers, a real judge. Over 400 lines, since each
// verdict has its case here.
// Guards: docs/rungs.md#what-the-words-mean

#include <array>
#include <cstdio>

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

TEST_CASE("a case that a step must refuse: those behind it are judged as well") {
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

TEST_CASE("a step that cannot run here is skipped with the reason") {
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
  CHECK(counted.at("message").get<std::string>().find("this step runs on cpu") != std::string::npos);
  CHECK(counted.at("targets").at(0).at("met").is_null());
  CHECK(counted.at("targets").at(0).at("verdict") == "SKIPPED");
  CHECK(counted.at("max_points") == 0);
}

TEST_CASE("time: a size that is asked for, by its name if it has one") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c3_timed", "right")}), {"time"});
  plan["size"] = 4000;
  const json asked = judged_by(scratch, plan).at(0).at("time");
  CHECK(asked.at("problem").at("n") == 4000);
  CHECK(asked.at("size_name") == "class A");
  CHECK_FALSE(judged_once("c3_timed", "right", "time").at("time").contains("size_name"));
}

TEST_CASE("time: all rungs of a track are timed in one session, with peers that are timed once") {
  const Scratch scratch;
  json timed = planned("c3_timed", "right");
  timed["below"] = planned("c1_plain", "right")["worker"];
  json plan = plan_of(scratch, json::array({planned("c1_plain", "right"), timed}), {"time"});
  const std::vector<json> found = judged_by(scratch, plan);
  REQUIRE(found.size() == 2);
  INFO(found[0].dump() << found[1].dump());
  CHECK(found[0].at("time").at("peers").at("baseline") == found[1].at("time").at("peers").at("baseline"));
  CHECK(found[0].at("time").at("runs") == 15);         // shown only
  CHECK(found[1].at("time").at("runs") >= 8);          // until its bound is decided
  CHECK_FALSE(found[0].at("time").contains("noise"));  // no bound depends on it
  CHECK(found[1].at("time").at("noise").at("runs") == found[1].at("time").at("runs"));
  CHECK(found[1].at("ratio").contains("below"));
}

TEST_CASE("time: a step that has failed under another judge is not timed, and its record repeats why") {
  const Scratch scratch;
  json wrong = planned("c1_plain", "right");
  wrong["failed"] = {{"verdict", "WRONG"}, {"message", "n = 1: 1 of 1 wrong"}};
  const std::vector<json> found =
      judged_by(scratch, plan_of(scratch, json::array({wrong, planned("c3_timed", "right")}), {"time"}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].at("verdict") == "WRONG");
  CHECK(found[0].at("message") == "n = 1: 1 of 1 wrong");
  CHECK_FALSE(found[0].contains("time"));
  CHECK(found[0].at("max_points") == 0);
  CHECK(found[1].contains("time"));
}

TEST_CASE(
    "time: who misses a bound is timed again with a new worker, and misses it where that one does, too") {
  const json once = judged_once("c3_timed", "slow_in_its_first_worker", "time");
  const json slow = judged_once("c3_timed", "slow_in_each_worker", "time");
  INFO(once.dump(1) << slow.dump(1));
  for (const json* record : {&once, &slow})
    if (!record->contains("again"))
      CHECK(record->at("message").get<std::string>().find("open, since this machine") != std::string::npos);
  if (!once.contains("again") || !slow.contains("again"))
    LADDER_SKIP("judge: others use this machine, so no timing session finds a bound missed");
  CHECK(once.at("verdict") == "INCONCLUSIVE");
  CHECK(once.at("message").get<std::string>().find(
            "a second timing session, of workers started again, says") != std::string::npos);
  CHECK(once.at("again").at("ratio").at("baseline") > once.at("ratio").at("baseline"));
  CHECK(once.at("points") == once.at("max_points"));
  CHECK(slow.at("again").at("ratio").at("baseline") < 1);
  CHECK(slow.at("points") == 0);
}

TEST_CASE("time: run ends a timing session when its bound is decided") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c3_timed", "slow_in_each_worker")}), {"time"});
  plan["verb"] = "run";
  const json record = judged_by(scratch, plan).at(0);
  INFO(record.dump(1));
  if (record.at("verdict") != "MISSED")
    LADDER_SKIP("judge: others use this machine, so no timing session finds a bound missed");
  CHECK(record.at("time").at("runs") == 8);
}

TEST_CASE("time: a step below that is timed next to it takes no driver's cache from a step") {
  if (!fs::exists(build + "/workers/probe/kernel_coalesced.opencl")) return;
  json step = planned("g1_traced", "kernel_coalesced", "opencl");
  step["below"] = planned("g1_traced", "kernel_strided", "opencl")["worker"];
  std::array<char, 65> hash{};  // by it the step's own cache is known
  FILE* const sum = ::popen("sha256sum " LADDER_PROBE "/oclgrind_steps.cpp", "r");
  REQUIRE(std::fgets(hash.data(), hash.size(), sum));
  ::pclose(sum);
  step["source_hash"] = hash.data();
  const json record = judged(json::array({step}), {"correctness", "time"}).at(1);
  INFO(record.dump(1));
  if (record.at("message").dump().find("platform") != std::string::npos) LADDER_SKIP("no OpenCL platform");
  CHECK(record.at("verdict") == "PASS");
  if (!record.at("ratio").contains("below") && record.at("time").at("foreign_load") > 0.1)
    LADDER_SKIP("judge: others use this machine, and the step below did not answer in time");
  CHECK(record.at("ratio").contains("below"));
}

TEST_CASE("time: the rungs of a GPU have one size, a rung that takes long there a smaller one") {
  if (!fs::exists(build + "/workers/probe/copies_once.opencl")) return;
  const auto on_gpu = [](const char* step, double device_bytes) {
    const Scratch scratch;
    json planned_step = planned("g1_traced", step, "opencl");
    planned_step["device_bytes"] = device_bytes;
    json plan = plan_of(scratch, json::array({planned_step}), {"time"});
    plan["environment"]["LADDER_OPENCL_GPU"] = "1";
    return judged_by(scratch, plan).at(0);
  };
  const json quick = on_gpu("copies_once", 0);
  INFO(quick.dump());
  if (quick.at("verdict") == "SKIPPED" || quick.at("verdict") == "CRASHED") LADDER_SKIP("no OpenCL platform");
  CHECK(quick.at("time").at("problem").at("n") == 4000);
  CHECK(quick.at("further").at("time").at("problem").at("n") == 20'000);
  CHECK(quick.at("time").at("baseline").at("runs") == 3);  // alone, since it is no contender of a GPU
  CHECK_FALSE(quick.value("ratio", json::object()).contains("baseline"));
  const json slow = on_gpu("takes_long_from_4000", 0);
  INFO(slow.dump());
  CHECK(slow.at("time").at("problem").at("n") == 500);
  CHECK_FALSE(slow.contains("further"));
  const json little_memory = on_gpu("copies_once", 1e9);
  INFO(little_memory.dump());
  CHECK(little_memory.at("time").at("problem").at("n") == 500);
}

TEST_CASE("memory: what a program has for the moment in which it is started does not count twice") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c1_plain", "starts_programs")}), {"correctness"});
  plan["limits"]["call_seconds"] = 20;
  const json record = judged_by(scratch, plan).at(0);
  INFO(record.dump(1));
  CHECK(record.at("verdict") == "PASS");
}

TEST_CASE("memory: the limit is for what a step allocates, its problem may be larger") {
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

TEST_CASE("memory: what OpenBLAS takes for each thread that calls it is nothing that a step allocates") {
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

TEST_CASE("time: a call that is shorter than its work can be is for a person to look at") {
  const auto with_ceilings = [](double bytes_a_second) {
    const Scratch scratch;
    json plan = plan_of(scratch, json::array({planned("c3_timed", "right")}), {"time"});
    plan["ceilings"] = {{"cpu", {{"memory", bytes_a_second}, {"cache", 1e15}, {"cache_bytes", 1000}}}};
    plan["size"] = 4000;
    int status = 0;
    ::waitpid(start_judge(scratch, plan), &status, 0);
    return verdicts(scratch).at(0);
  };
  const json slow = with_ceilings(62'000);  // 62,000 of its 64,000 bytes do not come from a cache: a second
  INFO(slow.dump(1));
  CHECK(slow.at("verdict") == "REVIEW");
  CHECK(slow.at("message").get<std::string>().find("faster than can be") != std::string::npos);
  CHECK(slow.at("message").get<std::string>().find("at least 900 ms") != std::string::npos);
  CHECK(slow.at("time").at("work").at("ceiling") == "memory");
  CHECK(slow.at("time").at("work").at("floor").get<double>() == Approx(0.9));

  const json honest = with_ceilings(1e12);
  INFO(honest.dump(1));
  CHECK(honest.at("verdict") != "REVIEW");
  const double time = honest.at("time").at("median");
  CHECK(honest.at("ratio").at("floor").get<double>() == Approx(64e-9 / time));
}

TEST_CASE("time: without ceilings it says why there is no floor") {
  const json none = judged_once("c3_timed", "right", "time");
  CHECK(none.at("verdict") != "REVIEW");
  CHECK(none.at("time").at("work").at("reason") == "the ceilings of this device were not measured");
  CHECK_FALSE(none.value("ratio", json::object()).contains("floor"));
}

TEST_CASE("time: what is done after the clock has stopped is seen") {
  const json late = judged_once("c3_timed", "works_late", "time");
  INFO(late.dump());
  CHECK(late.at("verdict") == "REVIEW");
  CHECK(late.at("message").get<std::string>().find("late work") != std::string::npos);
  CHECK(late.at("time").at("after") > 0.001);  // it works for 60 ms, some of it before it is stopped
}

TEST_CASE("time: the parts of a call are what the judge's clock shows") {
  const json found = judged_once("c3_timed", "right", "time");
  INFO(found.dump());
  double sum = 0;
  for (const char* part : {"wake", "step", "synchronise", "answer"}) {
    CHECK(found.at("time").at("parts").at(part) >= 0);
    sum += found.at("time").at("parts").at(part).get<double>();
  }
  CHECK(sum > 0);
}

TEST_CASE("time: while one is called all others stand still, and what they left") {
  for (const char* step : {"right", "wants_to_be_alone", "forks", "leaves_an_orphan"}) {
    CAPTURE(step);
    const Scratch scratch;
    json plan = plan_of(scratch, json::array({planned("c3_timed", step)}), {"time"});
    plan["peers"][0]["worker"] = build + "/workers/probe/wants_to_be_alone.cpu";
    int status = 0;
    ::waitpid(start_judge(scratch, plan), &status, 0);
    const json found = verdicts(scratch).at(0);
    INFO(found.dump());
    CHECK(found.contains("ratio_interval"));
  }
}

TEST_CASE("time: who does not return is not compared, and the step does not answer for it") {
  int status = 0;
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c3_timed", "right")}), {"time"});
  plan["peers"][0]["worker"] = build + "/workers/probe/hangs.cpu";
  ::waitpid(start_judge(scratch, plan), &status, 0);
  const json found = verdicts(scratch).at(0);
  INFO(found.dump());
  CHECK(found.at("verdict") == "SKIPPED");  // its bound is about the baseline
  CHECK(found.at("message").get<std::string>().find("there is no baseline here") != std::string::npos);
  CHECK(found.at("details").at(0).at(0) == "Not compared");
  CHECK(found.at("details").at(0).at(1).get<std::string>().starts_with("the baseline did not return within"));
  CHECK(found.at("time").at("median") > 0);
}

TEST_CASE("time: a library is called by its name, and is one of the step's own device") {
  const auto peer = [](const char* label, const char* backend, const char* function) {
    return json{{"name", label},
                {"label", label},
                {"backend", backend},
                {"worker", build + "/workers/probe/" + function + ".cpu"},
                {"device", backend}};
  };
  const auto raced = [&](const json& step, bool gpu) {
    const Scratch scratch;
    json plan = plan_of(scratch, json::array({step}), {"time"});
    plan["size"] = 1000, plan["cell_seconds"] = 0.1;
    plan["peers"] = {peer("baseline", "cpu", "baseline"), peer("OpenBLAS", "cpu", "right"),
                     peer("cuSOLVER (CUDA)", "cuda", "right")};
    if (gpu) plan["environment"]["LADDER_OPENCL_GPU"] = "1";
    int status = 0;
    ::waitpid(start_judge(scratch, plan), &status, 0);
    const json record = verdicts(scratch).at(0);
    INFO(record.dump());
    std::vector<std::string> names;
    const json ratios = record.value("ratio", json::object());
    for (const auto& [name, ratio] : ratios.items()) names.push_back(name);
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(raced(planned("c3_timed", "right"), false) == Names{"OpenBLAS", "baseline"});
  // On a machine with a GPU the rows of the CPU are timed with the CPU's library all the same.
  CHECK(raced(planned("c3_timed", "right"), true) == Names{"OpenBLAS", "baseline"});
  if (!fs::exists(build + "/workers/probe/copies_once.opencl")) return;
  const json opencl = planned("g1_traced", "copies_once", "opencl");
  if (raced(opencl, false).empty()) LADDER_SKIP("no OpenCL platform");
  CHECK(raced(opencl, false) == Names{"OpenBLAS", "baseline"});
  CHECK(raced(opencl, true) == Names{"cuSOLVER (CUDA)"});
}

TEST_CASE("a call with hundreds of megabytes has whole seconds more, for their copies") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c3_timed", "hangs")}), {"time"});
  plan["size"] = 40'000'000;  // x and y: 640 MB
  plan["limits"]["memory_bytes"] = 2'000'000'000;
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  const json found = verdicts(scratch).at(0);
  INFO(found.dump());
  CHECK(found.at("verdict") == "TIMEOUT");
  CHECK(found.at("message").get<std::string>().find("did not return within 2.5 s") != std::string::npos);
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

TEST_CASE("PoCL's count of what runs ends no step that runs one kernel in two queues") {
  if (!fs::exists(build + "/workers/probe/runs_in_two_queues.opencl")) LADDER_SKIP("OpenCL is not installed");
  const json record = judged_once("c1_plain", "runs_in_two_queues", "correctness", "opencl");
  INFO(record.dump());
  if (record.at("message").get<std::string>().find("no OpenCL") != std::string::npos)
    LADDER_SKIP("no OpenCL platform");
  CHECK(record.at("verdict") == "PASS");
}

TEST_CASE("when the judge is told to end, nothing of a step stays behind") {
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
