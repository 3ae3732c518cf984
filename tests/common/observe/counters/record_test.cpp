/// @file
/// The record itself: the same each time, with the student's lines, within its limits.
// Guards: docs/executor.md

#include <algorithm>
#include <sstream>

#include "tests/common/observe/counters/observe.hpp"

using ladder::LaunchCounters;
using ladder::LineCounters;
using ladder::test::observe;
using ladder::test::observe_again;
using ladder::test::ObservedRun;
using ladder::test::Result;
using ladder::test::run_program;

namespace {

const LineCounters& line_of(const LaunchCounters& launch, const std::string& space,
                            const std::string& operation) {
  const auto found = std::ranges::find_if(launch.lines, [&](const LineCounters& line) {
    return line.space == space && line.operation == operation;
  });
  INFO(launch.kernel << " " << space << " " << operation);
  REQUIRE(found != launch.lines.end());
  return *found;
}

/// The text of a source line, to see that the number is right.
std::string text_of(const ladder::SourceLine& site) {
  std::istringstream source(
      ladder::test::read_file(std::string(LADDER_SOURCES) + site.file.substr(site.file.rfind('/'))));
  std::string text;
  for (int i = 0; i < site.line; ++i) std::getline(source, text);
  return text;
}

}  // namespace

TEST_CASE("the same program has the same record") {
  for (const char* program : {"programs", "shared_access", "branches"})
    CHECK(observe(program).text == observe_again(program).text);
}

TEST_CASE("the record does not depend on the number of threads that run blocks, nor on their order") {
  const std::string one = observe("programs", "LADDER_EXECUTOR_THREADS=1").text;
  CHECK(observe("programs", "LADDER_EXECUTOR_THREADS=3").text == one);
}

TEST_CASE("counters are at the student's lines, also through functions of the executor's headers") {
  const ObservedRun& transposes = observe("shared_access");
  const LaunchCounters& launch = transposes.launch("transpose_double");
  CHECK(text_of(launch.site).find("transpose_double<<<") != std::string::npos);
  CHECK(launch.site.file == "common/programs/counters/shared_access.cu");
  CHECK(text_of(line_of(launch, "shared", "load").site).find("tile[threadIdx.x][threadIdx.y]") !=
        std::string::npos);
  CHECK(text_of(line_of(launch, "shared", "store").site).find("tile[threadIdx.y][threadIdx.x] =") !=
        std::string::npos);

  const ObservedRun& atomics = observe("atomics");
  CHECK(text_of(line_of(atomics.launch("add_double_same"), "global", "atomic").site)
            .find("atomicAdd(x, 1.0)") != std::string::npos);
  const ObservedRun& global = observe("global_access");
  CHECK(text_of(line_of(global.launch("through_cache_hint"), "global", "load").site).find("__ldg") !=
        std::string::npos);

  const ObservedRun& branches = observe("branches");
  const LaunchCounters& by_lane = branches.launch("by_lane");
  const auto divergent =
      std::ranges::find_if(by_lane.branches, [](const auto& branch) { return branch.divergent > 0; });
  REQUIRE(divergent != by_lane.branches.end());
  CHECK(text_of(divergent->site).find("if (i & 1)") != std::string::npos);
  CHECK(divergent->idle > 0);  // the lanes of each side wait for those of the other
}

TEST_CASE("an unrolled loop is one line for each array") {
  const LaunchCounters& launch = observe("programs").launch("dgemm_tiled_32");
  CHECK(std::ranges::count_if(launch.lines,
                              [](const LineCounters& line) { return line.space == "shared"; }) == 4);
}

TEST_CASE("the worst request of a line, for the picture") {
  const LineCounters& line = line_of(observe("shared_access").launch("transpose_double"), "shared", "load");
  REQUIRE(line.worst);
  CHECK(line.worst->object == "tile");
  CHECK(line.worst->mask == 0xFFFFFFFFu);
  REQUIRE(line.worst->at.size() == 32);
  for (int lane = 0; lane < 32; ++lane) CHECK(line.worst->at[lane] == line.worst->at[0] + lane * 32 * 8);
}

TEST_CASE("shared memory of a launch") {
  const ObservedRun& run = observe("shared_access");
  CHECK(run.launch("transpose_double").static_shared == 32 * 32 * 8);
  CHECK(run.launch("transpose_double").dynamic_shared == 0);
  CHECK(run.launch("read_dynamic").static_shared == 0);
  CHECK(run.launch("read_dynamic").dynamic_shared == 512);
  CHECK(run.launch("transpose_double").observed_blocks == 1);
}

TEST_CASE("some blocks only") {
  const ObservedRun& run = observe("global_access", "LADDER_EXECUTOR_OBSERVE_BLOCKS=1");
  CHECK(run.launch("copy_double").observed_blocks == 2);  // the first and the last
  CHECK(run.launch("copy_double").counters.at("global_load_requests") == 16);
  CHECK(run.observation.incomplete.find("LADDER_EXECUTOR_OBSERVE_BLOCKS") != std::string::npos);
}

TEST_CASE("a setting that is no number") {
  const Result result = run_program("global_access", "LADDER_EXECUTOR_OBSERVE_LIMIT=many");
  CHECK(result.status == 86);
  CHECK(result.err.find("LADDER_EXECUTOR_OBSERVE_LIMIT=many is not a number") != std::string::npos);
}

TEST_CASE("a record that cannot be written is said so") {
  const Result result = run_program("atomics", "LADDER_EXECUTOR_OBSERVE=/nowhere/record.json");
  CHECK(result.err.find("LADDER_EXECUTOR_OBSERVE=/nowhere/record.json") != std::string::npos);
  CHECK(result.status != 0);
}

TEST_CASE("a program that asks for its records itself") {
  const Result result = run_program("../../tests/counters/asked");
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  std::istringstream out(result.out);
  std::string first, second;
  std::getline(out, first);
  std::getline(out, second);
  const ladder::Observation observation = ladder::parse_observation(first);
  REQUIRE(observation.launches.size() == 2);
  CHECK(observation.launches[0].kernel == "copy");
  CHECK(observation.sum("global_load_requests") == 2);
  CHECK(ladder::parse_observation(second).launches.empty());
}

TEST_CASE("registers and local memory are known where nvcc is") {
  const LaunchCounters& launch = observe("awkward").launch("local_array");
  if (launch.skipped.contains("local_bytes"))
    LADDER_SKIP("registers of kernels: " + launch.skipped.at("local_bytes"));
  CHECK(launch.registers > 4);
  CHECK(launch.counters.at("local_bytes") == 8 * 8 * 32);  // bins[8] of 32 threads
  CHECK(observe("awkward").launch("calls").counters.at("local_bytes") == 0);
  CHECK(observe("programs").launch("dgemm_naive").counters.at("local_bytes") == 0);
}

TEST_CASE("what is not known here says why") {
  const LaunchCounters& launch = observe("programs").launch("dgemm_naive");
  for (const char* counter : {"local_bytes", "fp64_operations", "fp64_instructions", "conversions"}) {
    INFO(counter);
    const bool known = launch.counters.contains(counter);
    CHECK(known != launch.skipped.contains(counter));
    if (!known) CHECK(!launch.skipped.at(counter).empty());
  }
}

TEST_CASE(
    "accesses one by one: all of a thread that touches device memory, whatever the others of its block do") {
  constexpr std::size_t of_a_thread = 2 + 8 + 1;  // A[t] into part[t], the sum, B[t]
  const auto listed = [](const char* limit) {
    return observe("../../tests/counters/listed", std::string("LADDER_EXECUTOR_OBSERVE_ACCESSES=") + limit)
        .observation.accesses;
  };
  const auto all = listed("100");
  REQUIRE(all.size() == 2 * of_a_thread);
  for (std::uint32_t t = 0; t < 2; ++t) {
    std::vector<const ladder::ThreadAccess*> own;
    for (const auto& access : all)
      if (access.thread[0] == t) own.push_back(&access);
    REQUIRE(own.size() == of_a_thread);
    CHECK(own.front()->operation == "read");
    CHECK(own.front()->global);
    CHECK(own[5]->operation == "read");
    CHECK_FALSE(own[5]->global);
    CHECK(own.back()->operation == "write");
    CHECK(own.back()->global);
  }
  CHECK(listed("5").size() == 5);
}
