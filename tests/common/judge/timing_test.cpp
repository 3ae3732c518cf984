/// @file
/// What a judge measures: which sizes, next to whom, with which peers, and what no clock decides. Real
/// workers, a real judge.
// Guards: docs/measuring.md#what-a-number-means

#include <array>
#include <cstdio>

#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

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

TEST_CASE("time: a rung that has failed under another judge is not timed, and its record repeats why") {
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

TEST_CASE("time: a rung below that is timed next to it takes no driver's cache from a rung") {
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
    LADDER_SKIP("judge: others use this machine, and the rung below did not answer in time");
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

TEST_CASE("time: who waits sees how far the whole track is, which is timed together") {
  const Scratch scratch;
  const json two = json::array({planned("c1_plain", "right"), planned("c3_timed", "right")});
  judged_by(scratch, plan_of(scratch, two, {"time"}));
  double furthest = 0;
  std::ifstream file(scratch.path / "results.jsonl");
  for (std::string line; std::getline(file, line);)
    if (const json record = json::parse(line); record.at("record") == "progress")
      furthest = std::max(furthest, record["done"].get<double>() / record["of"].get<double>());
  CHECK(furthest > 1);  // in rungs
  CHECK(furthest <= 2);
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

TEST_CASE("time: who does not return is not compared, and the rung does not answer for it") {
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

TEST_CASE("time: a library is called by its name, and is one of the rung's own device") {
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
