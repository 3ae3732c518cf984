/// @file
/// The executor's counters next to the hardware's: what is the same, what differs, and why.
// Guards: docs/measuring.md#the-executor-compared-with-a-gpu

#include "common/report/results/hardware_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "common/sitegen/counted_code.hpp"
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

namespace {

json cell(double executor, double hardware) {
  return {{"executor", executor},
          {"hardware", hardware},
          {"worst", std::abs(executor - hardware) / std::max(executor, hardware)}};
}

json kernel(const std::string& name, const json& counters) {
  return {{"kernel", name}, {"launches", 1}, {"compared", 1}, {"counters", counters}};
}

json planted(const std::string& name, const std::string& kind, const json& executor, const json& sanitizer) {
  return {{"program", "p"},
          {"case", name},
          {"kind", kind},
          {"wrong", {{"executor", executor}, {"sanitizer", sanitizer}}},
          {"right", {{"executor", json::array()}, {"sanitizer", json::object()}}}};
}

/// A checkout in which a GPU has counted two small programs and a solution, and ran two planted mistakes.
struct ComparedCheckout : Checkout {
  ComparedCheckout() {
    write("common/programs/counters/access.cu", "__global__ void copy() {}\n");
    write("common/programs/planted/p.cu", "void a(bool right) {\n}\nvoid b(bool right) {\n}\n");
    write("common/programs/planted/planted.json",
          R"([{"program": "p", "case": "a", "kind": "global-race"},
                {"program": "p", "case": "c", "kind": "shuffle"}])");
    write("solutions/03-dgemm/g1_naive.cu", "#include \"given.cuh\"\n__global__ void multiply() {}\n");
    write("lessons/03-dgemm/given.cuh", "__device__ void add() {}\n");
    store("explained.json", {{{"of", {"access"}}, {"counters", {"requests"}}, {"why", "nvcc predicates"}}});
    json programs = {{{"program", "access"},
                      {"kernels",
                       {kernel("copy", {{"sectors", cell(1000, 1000)}, {"branches", cell(9, 1)}}),
                        kernel("tile", {{"requests", cell(1, 8)}})}}}},
         solutions = {{{"step", "03-dgemm/g1_naive"},
                       {"kernels",
                        {kernel("multiply", {{"sectors", cell(2000, 1000)}}),
                         kernel("add", {{"sectors", cell(5, 5)}})}}}},
         findings = {planted("a", "global-race", {"global-race"}, json::object()),
                     planted("b", "shared-race", {"shared-race"}, {{"racecheck", "hazard"}})};
    add_hashes(root, "programs", programs);
    add_hashes(root, "solutions", solutions);
    add_hashes(root, "findings", findings);
    this->store(
        "far/executor.json",
        {{"dates",
          {{"programs", "2026-01-02T03:04:05Z"}, {"solutions", "2026-01-03"}, {"findings", "2025-12-24"}}},
         {"programs", programs},
         {"solutions", solutions},
         {"findings", findings}});
  }
};

}  // namespace

TEST_CASE("the executor next to the hardware: what is the same, what is not and why, what was left out") {
  ComparedCheckout checkout;
  const std::string text = checkout.generated("<!-- generated: hardware -->\n<!-- end -->\n");
  CHECK(has(text, "### NVIDIA H200"));
  CHECK(has(text, "Small programs: 2026-01-02. Solutions: 2026-01-03."));
  CHECK(has(text, "In 1 of 2 kernels all counters of memory are within 2 %."));
  CHECK(has(text, "| access | `tile` | 0 of 1 | requests 1 : 8 (1) |"));
  CHECK_FALSE(has(text, "`copy`"));
  CHECK(has(text, "1. nvcc predicates."));
  CHECK(has(text, "**1 solution**, each at the size of its target. In 1 of 2 kernels"));
  CHECK(has(text, "| 03-dgemm/g1_naive | `multiply` | 0 of 1 | sectors 2,000 : 1,000 not explained |"));
  CHECK_FALSE(has(text, "`add`"));
  CHECK(has(text, "2 planted mistakes were run by both: 1 are found by both, 1 by the executor only, 0 by"));
  CHECK(has(text, "At least 1 of the 1 are outside what compute-sanitizer looks for"));
  CHECK(has(text, "| global-race * | 0 | 1 | 0 | 0 |"));
  CHECK(has(text, "| shared-race | 1 | 0 | 0 | 0 |"));
  CHECK(has(text, "| shuffle | 0 | 0 | 0 | 1 |"));

  // What no machine has counted yet, and what none can.
  ladder::test::Tables more = ladder::test::tables;
  for (const char* const name : {"g2_tiles", "g3_more", "t1_tensor"})
    more["03-dgemm"]["steps"].push_back(
        {{"name", name}, {"file", std::string(name) + ".cu"}, {"kind", "S"}, {"hours", 1}, {"idea", "One."}});
  ladder::report::write_pages(checkout.root, ladder::report::generate_pages(checkout.root, more));
  CHECK(has(checkout.read(checkout.page), "- Not counted on that GPU yet (2): 03/g2, 03/g3."));
  CHECK(has(checkout.read(checkout.page), "- A GPU runs other code in it (1): 03/t1."));
}

TEST_CASE("counts of code that has changed since are not shown, in no table; another layout is no change") {
  ComparedCheckout checkout;
  const std::string marks =
      "<!-- generated: hardware -->\n<!-- end -->\n<!-- generated: paper hardware -->\n<!-- end -->\n"
      "<!-- generated: paper planted -->\n<!-- end -->\n<!-- generated: compared -->\n<!-- end -->\n";
  checkout.write("solutions/03-dgemm/g1_naive.cu",
                 "// The naive product.\n#include \"given.cuh\"\n__global__ void  multiply()\n{}\n");
  const std::string before = checkout.generated(marks);
  CHECK(has(before,
            "The counts of 1 of the 1 reference programs in CUDA, and what is found in 2 planted mistakes"));
  CHECK(has(before, "| NVIDIA H200 | solutions | 2 | 1 |  |"));
  const auto checks_that_it_is_gone = [&] {
    const std::string text = checkout.generated(marks);
    CHECK_FALSE(has(text, "`multiply`"));
    CHECK(has(text, "1 rung, stored on 2026-01-03, has changed since: left out."));
    CHECK(has(text, "- Changed since they were counted (1): 03/g1."));
    CHECK(has(text, "| NVIDIA H200 | solutions | 0 | 0 | 1 rung |"));
    CHECK(has(text, "The counts of 0 of the 1 reference programs in CUDA"));
  };
  SECTION("the solution") {
    checkout.write("solutions/03-dgemm/g1_naive.cu", "__global__ void multiply() { int more; }\n");
    checks_that_it_is_gone();
  }
  SECTION("a CUDA header of its lesson") {
    checkout.write("lessons/03-dgemm/given.cuh", "__device__ void add() { int more; }\n");
    checks_that_it_is_gone();
  }
  SECTION("a planted mistake, and not its neighbour") {
    checkout.write("common/programs/planted/p.cu",
                   "void a(bool right) {\n  wrong();\n}\nvoid b(bool right) {\n}\n");
    const std::string text = checkout.generated(marks);
    CHECK(has(text, "1 planted mistakes were run by both: 1 are found by both, 0 by the executor only"));
    CHECK(has(text, "1 mistake, stored on 2025-12-24, has changed since: left out."));
    CHECK(has(text, "| global-race * | 0 | 0 | 0 | 1 |"));
  }
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
  CHECK(has(text, "Measured: 2026-01-02. 2 of the 2 programs have changed since."));
  CHECK(has(text, "| 03-dgemm/g1_naive | n = 256 | 31.2x (30.5x to 32x) | 62x (61x to 63x) |"));
  CHECK(has(text, "| 03-dgemm/c1_openmp | not measured: TIMEOUT  20 s |"));
  CHECK_FALSE(has(text, "### 2 cores"));
}
