/// @file
/// What is too large is observed in part; what cannot be judged in part, not at all. A right program stays
/// right.
// Guards: docs/executor.md#launches-too-large-to-observe-in-full

#include <set>

#include "common/executor/observe/counters/block_sample.hpp"
#include "common/trace/metrics.hpp"
#include "tests/common/observe/counters/observe.hpp"

using ladder::LaunchCounters;
using ladder::Observation;
using ladder::executor::BlockSample;
using ladder::test::observe;
using ladder::test::observe_again;
using ladder::test::ObservedRun;

namespace {

/// The blocks that are observed when each makes the accesses that @p cost says.
template <class Cost>
std::vector<std::uint64_t> sampled(std::uint64_t blocks, std::uint64_t columns, std::uint64_t limit,
                                   Cost cost, std::uint64_t wanted = 0) {
  BlockSample sample;
  sample.begin(blocks, columns, limit, wanted);
  std::vector<std::uint64_t> observed;
  std::uint64_t accesses = 0;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    if (!sample.includes(block)) continue;
    observed.push_back(block);
    accesses += cost(block);
    sample.ended(accesses);
  }
  return observed;
}

constexpr auto even = [](std::uint64_t) { return std::uint64_t{1000}; };

/// The run of part.cu with little that may be observed.
const ObservedRun& in_part(const std::string& what) {
  return observe("../../tests/counters/part " + what, "LADDER_EXECUTOR_OBSERVE_LIMIT=200000");
}

}  // namespace

TEST_CASE("all blocks are observed when the limit allows it") {
  CHECK(sampled(100, 10, 100'000, even).size() == 100);
  CHECK(sampled(1, 1, 10, even).size() == 1);
}

TEST_CASE(
    "of a launch that is too large the first block, the last one and others evenly between are observed") {
  const auto blocks = sampled(1024, 32, 800'000, even);
  REQUIRE(blocks.size() > 50);
  CHECK(blocks.size() <= 110);  // an eighth of the limit: 100 blocks
  CHECK(blocks.front() == 0);
  CHECK(blocks.back() == 1023);
  const std::uint64_t step = blocks[1] - blocks[0];
  for (std::size_t i = 1; i + 1 < blocks.size(); ++i) CHECK(blocks[i] - blocks[i - 1] == step);
  std::set<std::uint64_t> columns;
  for (const std::uint64_t block : blocks) columns.insert(block % 32);
  CHECK(columns.size() == 32);  // not the same few columns of the grid in each row
}

TEST_CASE("blocks that become larger are observed more sparsely, up to the last one") {
  const auto growing = [](std::uint64_t block) { return 10 * block; };
  const auto blocks = sampled(10'000, 100, 1'000'000, growing);
  std::uint64_t accesses = 0;
  for (const std::uint64_t block : blocks) accesses += growing(block);
  CHECK(accesses <= 1'100'000);
  CHECK(blocks.back() == 9'999);
}

TEST_CASE("blocks that somebody asked for are spread over the grid") {
  const auto blocks = sampled(1000, 10, 1'000'000'000, even, 8);
  CHECK(blocks.size() >= 8);
  CHECK(blocks.size() <= 10);
  CHECK(blocks.front() == 0);
  CHECK(blocks.back() == 999);
}

TEST_CASE(
    "a right program that is too large ends well, without findings, and the record says what was seen") {
  const ObservedRun& run = in_part("product");
  INFO(run.result.err << run.text);
  CHECK(run.result.status == 0);
  CHECK(run.observation.findings.empty());
  CHECK(run.observation.incomplete.find(
            " of 256 blocks were observed; all of them make more than 200000 accesses") != std::string::npos);
  CHECK(run.observation.incomplete.find("part.cu:") != std::string::npos);
  const LaunchCounters& product = run.observation.launches.back();
  CHECK(product.observed_blocks >= 2);
  CHECK(product.observed_blocks < 10);  // each makes 16,448 accesses
  CHECK(run.text ==
        observe_again("../../tests/counters/part product", "LADDER_EXECUTOR_OBSERVE_LIMIT=200000").text);
}

TEST_CASE("a race is found in the part, too") {
  const ObservedRun& run = in_part("race");
  CHECK(run.result.status == 87);
  REQUIRE(!run.observation.findings.empty());
  for (const ladder::Finding& finding : run.observation.findings) CHECK(finding.kind == "global-race");
}

TEST_CASE("no number is read from a part") {
  const ObservedRun& run = in_part("product");
  for (const char* name : {"sectors", "barriers", "findings"}) {
    INFO(name);
    CHECK_THROWS_AS(ladder::metric(name, {}, {.observation = &run.observation}), ladder::NotCounted);
  }
  CHECK(ladder::metric("sectors:set", {}, {.observation = &run.observation}) > 0);
}

TEST_CASE("blocks that wait for each other are observed all or not at all") {
  const ObservedRun& whole = observe("../../tests/counters/part turns");
  CHECK(whole.observation.findings.empty());
  CHECK(whole.launch("add_in_turn").observed_blocks == 100);
  const ObservedRun part =
      observe_again("../../tests/counters/part turns", "LADDER_EXECUTOR_OBSERVE_LIMIT=20000");
  INFO(part.text);
  CHECK(part.result.status == 0);
  CHECK(part.observation.findings.empty());
  CHECK(part.launch("add_in_turn").observed_blocks == 0);
  CHECK(part.observation.incomplete.find("its blocks wait for each other") != std::string::npos);

  const ObservedRun grid = observe_again("awkward", "LADDER_EXECUTOR_OBSERVE_LIMIT=500");
  CHECK(grid.result.status == 0);
  CHECK(grid.observation.findings_of("error") == 0);
  CHECK(grid.launch("rotate_over_grid").observed_blocks == 0);
}

TEST_CASE("a block that is too large is observed up to the limit") {
  const ObservedRun& run = in_part("one");
  INFO(run.result.err << run.text);
  CHECK(run.result.status == 0);
  CHECK(run.observation.findings.empty());
  CHECK(run.launch("one_works").observed_blocks < 4);
  CHECK(run.launch("one_works").counters.at("global_load_requests") > 1000);
}

TEST_CASE("the record of many launches stays short, and its sums are right") {
  const ObservedRun run = observe_again("../../tests/counters/part many");
  CHECK(run.result.status == 0);
  CHECK(run.text.size() < 16'000'000);
  const auto& launches = run.observation.launches;
  CHECK(launches.size() < 6'000);
  CHECK(run.observation.summed.find(" more are summed by kernel and line") != std::string::npos);
  CHECK(run.observation.incomplete.empty());
  // 20,000 launches of one, two and three blocks in turn, after two of 128 blocks of 4 warps
  CHECK(run.observation.sum("global_store_requests") == 6667 + 2 * 6667 + 3 * 6666 + 2 * 128 * 4);
  CHECK(run.observation.blocks().all == 6667 + 2 * 6667 + 3 * 6666 + 2 * 128);
  CHECK(run.observation.blocks().observed == run.observation.blocks().all);
  CHECK_THROWS_AS(ladder::metric("barriers", {}, {.observation = &run.observation}), ladder::NotCounted);
}
