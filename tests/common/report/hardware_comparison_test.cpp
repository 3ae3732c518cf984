/// @file
/// The executor's counters next to the hardware's: what is the same, what differs, and why.
// Guards: docs/measuring.md#the-executor-compared-with-a-gpu

#include "common/report/results/hardware_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using ladder::test::Checkout;
using ladder::test::has;
using nlohmann::json;

namespace {

/// An observation of launches: kernel, blocks, counters.
struct Counted {
  std::string kernel;
  unsigned blocks;
  std::map<std::string, double> counters;
};
ladder::Observation observed(const std::vector<Counted>& launches) {
  ladder::Observation observation;
  for (const Counted& one : launches) {
    ladder::LaunchCounters launch;
    launch.kernel = one.kernel;
    launch.grid = {one.blocks, 1, 1};
    launch.counters = {one.counters.begin(), one.counters.end()};
    observation.launches.push_back(launch);
  }
  return observation;
}

json group_of_two_kernels() {
  const ladder::Observation executor = observed({{"multiply", 1, {{"sectors", 100}, {"requests", 10}}},
                                                 {"multiply", 1, {{"sectors", 100}, {"requests", 20}}},
                                                 {"add", 1, {{"sectors", 0}, {"requests", 95}}}}),
                            hardware = observed({{"multiply", 1, {{"sectors", 100}, {"requests", 20}}},
                                                 {"multiply", 1, {{"sectors", 100}, {"requests", 10}}},
                                                 {"add", 1, {{"sectors", 0}, {"requests", 100}}}});
  json row = launches_beside(executor, &hardware);
  row["step"] = "03-dgemm/g2_shared_tiles";
  return json::array({row});
}
const json groups = group_of_two_kernels();

const json explained = json::parse(R"([
  {"of": ["*"], "counters": ["branches"], "why": "branches"},
  {"of": ["03-dgemm/g2_shared_tiles"], "kernels": ["multiply"], "counters": ["requests"], "why": "wide loads"}])");

}  // namespace

TEST_CASE("launches of several streams, which begin in another order on each side, are the same") {
  const ladder::Observation executor = observed({{"multiply", 4, {{"global_load_sectors", 40}, {"fma", 4}}},
                                                 {"multiply", 4, {{"global_load_sectors", 80}, {"fma", 8}}}}),
                            hardware = observed({{"multiply", 4, {{"global_load_sectors", 80}, {"fma", 8}}},
                                                 {"multiply", 4, {{"global_load_sectors", 40}, {"fma", 4}}}});
  const json counters = launches_beside(executor, &hardware)["kernels"][0]["counters"];
  CHECK(counters["global_load_sectors"]["worst"] == 0);
  CHECK(counters["fma"]["worst"] == 0);
}

TEST_CASE("launches in one order stay in it, although one side loads once what the other loads twice") {
  const ladder::Observation executor = observed({{"find", 4, {{"global_load_sectors", 40}, {"stores", 1}}},
                                                 {"find", 4, {{"global_load_sectors", 50}, {"stores", 9}}}}),
                            hardware = observed({{"find", 4, {{"global_load_sectors", 40}, {"stores", 1}}},
                                                 {"find", 4, {{"global_load_sectors", 30}, {"stores", 9}}}});
  CHECK(launches_beside(executor, &hardware)["kernels"][0]["counters"]["stores"]["worst"] == 0);
}

TEST_CASE("launches are matched by kernel and grid, in whatever order the host's threads asked for them") {
  const ladder::Observation executor = observed({{"solve", 4, {{"sectors", 40}}},
                                                 {"solve", 9, {{"sectors", 90}}},
                                                 {"add", 2, {{"sectors", 20}}},
                                                 {"add", 2, {{"sectors", 7}}}}),
                            hardware = observed({{"void solve<64>(int)", 9, {{"sectors", 90}}},
                                                 {"gemm", 1, {{"sectors", 5}}},
                                                 {"add(int)", 132, {{"sectors", 10}}},
                                                 {"solve(int)", 4, {{"sectors", 40}}}});
  const json row = launches_beside(executor, &hardware);
  REQUIRE(row["kernels"].size() == 2);
  const json &solve = row["kernels"][0], &add = row["kernels"][1];
  CHECK(solve["launches"] == 2);
  CHECK(solve["counters"]["sectors"] == json({{"executor", 130.0}, {"hardware", 130.0}, {"worst", 0.0}}));
  // With another grid: what is left. The second launch has no partner, and is in no sum.
  CHECK(add["launches"] == 2);
  CHECK(add["compared"] == 1);
  CHECK(add["counters"]["sectors"] == json({{"executor", 20.0}, {"hardware", 10.0}, {"worst", 0.5}}));
  CHECK(row["only_hardware"] == json({{"gemm", 1}}));
  const ladder::Observation there = observed({{"void turn<true>(int)", 4, {{"sectors", 2}}},
                                              {"void turn<false>(int)", 4, {{"sectors", 1}}}}),
                            here = observed(
                                {{"turn<false>", 4, {{"sectors", 1}}}, {"turn<true>", 4, {{"sectors", 2}}}});
  const json instances = launches_beside(here, &there)["kernels"];
  REQUIRE(instances.size() == 2);
  for (const json& instance : instances) CHECK(instance["counters"]["sectors"]["worst"] == 0.0);
  const json alone = launches_beside(executor, nullptr);
  CHECK(alone["kernels"][1]["counters"]["sectors"] == json({{"executor", 27.0}}));
  CHECK_FALSE(alone.contains("only_hardware"));
}

TEST_CASE("launches of a kernel are one row: sums, and the largest difference of one launch") {
  const auto kernels = kernels_beside(groups, explained);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].of == "03-dgemm/g2_shared_tiles");
  CHECK(kernels[0].launches == 2);
  CHECK(kernels[0].compared == 2);
  REQUIRE(kernels[0].counters.size() == 2);
  const CounterBeside& requests = kernels[0].counters[0];
  CHECK(requests.name == "requests");
  CHECK(requests.executor == 30);
  CHECK(requests.hardware == 30);
  CHECK(requests.worst == 0.5);  // in the sums it would be lost
  CHECK(requests.why == "wide loads");
  CHECK(kernels[0].counters[1].worst == 0);
  CHECK(kernels[1].worst() == 0.05);
  CHECK(kernels[1].counters[1].worst == 0);  // 0 and 0 are the same
}

TEST_CASE("more than 10 % without a reason is named, less is not") {
  CHECK(unexplained(kernels_beside(groups, explained)).empty());
  const auto named = unexplained(kernels_beside(groups, json::array()));
  REQUIRE(named.size() == 1);
  CHECK(named[0].find("03-dgemm/g2_shared_tiles multiply: requests 30, hardware 30") == 0);
}

TEST_CASE("a reason is for its programs, kernels and counters only") {
  CHECK(explains(explained[0], "anything", "any", "branches"));
  CHECK_FALSE(explains(explained[0], "anything", "any", "requests"));
  CHECK(explains(explained[1], "03-dgemm/g2_shared_tiles", "multiply", "requests"));
  CHECK_FALSE(explains(explained[1], "03-dgemm/g3_register_tiles", "multiply", "requests"));
  CHECK_FALSE(explains(explained[1], "03-dgemm/g2_shared_tiles", "add", "requests"));
}

TEST_CASE("what was not compared says why") {
  CHECK(why_not_compared(groups[0]).empty());
  CHECK(why_not_compared({{"kernels", json::array()}}) == "it launches no kernel of its own");
  CHECK(why_not_compared({{"kernels", json::array()}, {"reason", "TIMEOUT  20 s"}}) == "TIMEOUT  20 s");
  CHECK(why_not_compared(launches_beside(observed({{"k", 1, {}}}), nullptr)) == "the hardware was not asked");
}

TEST_CASE("the executor next to the hardware: what is the same, what is not and why, what was left out") {
  Checkout checkout;
  const auto cell = [](double executor, double hardware) {
    return json{{"executor", executor},
                {"hardware", hardware},
                {"worst", std::abs(executor - hardware) / std::max(executor, hardware)}};
  };
  const auto kernel = [&](const std::string& name, const json& counters) {
    return json{{"kernel", name}, {"launches", 1}, {"compared", 1}, {"counters", counters}};
  };
  const auto planted = [](const std::string& name, const json& executor, const json& sanitizer) {
    return json{{"program", "p"},
                {"case", name},
                {"what", "mistake " + name},
                {"kind", "race"},
                {"wrong", {{"executor", executor}, {"sanitizer", sanitizer}}},
                {"right", {{"executor", json::array()}, {"sanitizer", json::object()}}}};
  };
  checkout.store(
      "far/executor.json",
      {{"dates", {{"programs", "2026-01-02T03:04:05Z"}, {"findings", "2025-12-24"}}},
       {"programs",
        {{{"program", "access"},
          {"kernels",
           {kernel("copy", {{"sectors", cell(1000, 1000)}, {"branches", cell(9, 1)}}),
            kernel("tile", {{"requests", cell(1, 8)}})}}}}},
       {"solutions",
        {{{"step", "03-dgemm/g1_naive"},
          {"date", "2026-01-01T10:00:00Z"},
          {"kernels", {kernel("multiply", {{"sectors", cell(2000, 1000)}})}}},
         {{"step", "03-dgemm/c1_openmp"}, {"reason", "TIMEOUT  20 s"}, {"kernels", json::array()}}}},
       {"findings",
        {planted("a", {"race"}, json::object()), planted("b", {"race"}, {{"racecheck", "hazard"}})}}});
  checkout.store("explained.json",
                 {{{"of", {"access"}}, {"counters", {"requests"}}, {"why", "nvcc predicates"}}});
  checkout.write("common/programs/planted/planted.json",
                 R"([{"program": "p", "case": "a"}, {"program": "p", "case": "c", "what": "a new one"}])");
  const std::string text = checkout.generated("<!-- generated: hardware -->\n<!-- end -->\n");
  CHECK(has(text, "### NVIDIA H200"));
  CHECK(has(text, "Small programs: 2026-01-02."));
  CHECK(has(text, "Planted mistakes: 2025-12-24."));
  CHECK(has(text, "In 1 of 2 kernels all counters of memory are within 2 %."));
  CHECK(has(text, "| access | `tile` | 0 of 1 | requests 1 : 8 (1) |"));
  CHECK_FALSE(has(text, "`copy`"));
  CHECK(has(text, "1. nvcc predicates."));
  CHECK(has(text, "| 03-dgemm/g1_naive | `multiply` | 0 of 1 | sectors 2,000 : 1,000 not explained |"));
  CHECK(has(text, "- 03-dgemm/c1_openmp: TIMEOUT  20 s."));
  CHECK(has(text, "2 planted mistakes were run by both: 1 are found by both, 1 by the executor only, 0 by"));
  CHECK(has(text, "Only the executor finds:\n\n- mistake a (race)\n"));
  CHECK(has(text, "not run on that machine yet:\n\n- a new one\n"));

  // Another GPU has counted a later version of the rung: the old row is not compared any more.
  checkout.store("there/executor.json",
                 {{"programs", json::array()},
                  {"solutions",
                   {{{"step", "03-dgemm/g1_naive"},
                     {"date", "2026-02-01"},
                     {"kernels", {kernel("multiply", {{"global_load_sectors", cell(1900, 1900)}})}}}}}});
  const std::string later = checkout.generated("<!-- generated: hardware -->\n<!-- end -->\n");
  CHECK_FALSE(has(later, "sectors 2,000 : 1,000"));
  CHECK(has(later, "- 03-dgemm/g1_naive: counted on 2026-01-01; its program or its size has changed since."));

  // What no machine has counted yet, and what none can.
  ladder::test::Tables more = ladder::test::tables;
  for (const char* const name : {"g2_tiles", "t1_tensor"})
    more["03-dgemm"]["steps"].push_back(
        {{"name", name}, {"file", std::string(name) + ".cu"}, {"kind", "S"}, {"hours", 1}, {"idea", "One."}});
  ladder::report::write_pages(checkout.root, ladder::report::generate_pages(checkout.root, more));
  CHECK(has(checkout.read(checkout.page), "- 03-dgemm/g2_tiles: *not measured yet*."));
  CHECK(has(checkout.read(checkout.page), "- 03-dgemm/t1_tensor: a GPU runs other code in it."));
}

TEST_CASE("what the executor costs: each machine that measured it, and why a number is not there") {
  Checkout checkout;
  const auto ratio = [](double low, double median, double high) {
    return json{{"low", low}, {"median", median}, {"high", high}};
  };
  CHECK(has(checkout.generated("<!-- generated: costs -->\n<!-- end -->\n"),
            "not measured yet on any machine"));
  checkout.store("far/executor.json",
                 {{"dates", {{"costs", "2026-01-02T03:04:05Z"}}},
                  {"costs",
                   {{{"name", "03-dgemm/g1_naive"},
                     {"problem", "n = 256"},
                     {"measured", "observed"},
                     {"reference", "executor"},
                     {"cost",
                      {{"bound", 40.0},
                       {"processor", {{"ratio", ratio(30.5, 31.25, 32)}, {"decision", "met"}}},
                       {"wall", {{"ratio", ratio(61, 62, 63)}, {"decision", "not met"}}}}}},
                    {{"name", "03-dgemm/c1_openmp"},
                     {"measured", "observed"},
                     {"reference", "executor"},
                     {"reason", "TIMEOUT  20 s"}}}}});
  const std::string text = checkout.generated("<!-- generated: costs -->\n<!-- end -->\n");
  CHECK(has(text, "### NVIDIA H200"));
  CHECK(has(text, "Measured: 2026-01-02."));
  CHECK(
      has(text,
          "| 03-dgemm/g1_naive | observed of executor | n = 256 | 31.2x (30.5x to 32x) | at most 40x: met | "
          "62x (61x to 63x) |"));
  CHECK(has(text, "| 03-dgemm/c1_openmp | observed of executor | not measured: TIMEOUT  20 s |"));
  CHECK_FALSE(has(text, "### 2 cores"));
}
