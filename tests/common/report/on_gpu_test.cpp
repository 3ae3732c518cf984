/// @file
/// The commands by which a GPU's own tools show a rung's numbers.
// Guards: docs/measuring.md#a-rung-under-a-tool-of-your-own

#include <set>
#include <sstream>

#include "common/trace/metrics.hpp"
#include "common/trace/ncu.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder;
using namespace ladder::test;
using report::check_pages;

namespace {

Tables rungs() {
  const auto row = [](const char* name, const char* ending, const std::vector<std::string>& metrics) {
    json targets = json::array();
    for (const std::string& metric : metrics) targets.push_back({{"metric", metric}});
    return json{{"name", name},
                {"file", std::string(name) + ending},
                {"kind", "R"},
                {"targets", targets},
                {"ranks", 3}};
  };
  return {{"03-dgemm",
           {{"steps",
             {row("c1_openmp", ".cpp", {"balance"}), row("m1_mpi", ".cpp", {"bytes_sent"}),
              row("g1_naive", ".cu", {}), row("g2_tiles", ".cu", {"sectors", "findings"}),
              row("g3_once", ".cu", {"barriers", "launches", "chain"}),
              row("g4_queue", ".cpp", {"branches"})}}}}};
}

std::string block(const Checkout& checkout, const std::string& step) {
  std::ofstream(checkout.root / checkout.page) << "<!-- generated: on-your-gpu 03-dgemm " + step + " -->\n";
  const Pages pages = report::generate_pages(checkout.root, rungs());
  for (const auto& problem : pages.problems) FAIL_CHECK(problem.sentence());
  return pages.files.at(checkout.page);
}

}  // namespace

TEST_CASE("on your GPU: counters by ncu, findings by compute-sanitizer, traces by nsys") {
  Checkout checkout;
  checkout.write(checkout.page, "");
  const std::string tiles = block(checkout, "g2_tiles");
  CHECK(has(
      tiles,
      "**On your GPU.**\n```sh\n# sectors, of each launch\n./ladder profile 03/g2 --under \"ncu --metrics "
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,"));
  CHECK(has(tiles, "./ladder profile 03/g2 --under \"compute-sanitizer --tool memcheck\"\n"));
  CHECK(has(tiles, "--tool racecheck\"\n```\n"));
  CHECK_FALSE(has(tiles, "nsys"));

  const std::string once = block(checkout, "g3_once");
  CHECK(has(once, "--metrics sass__inst_executed_per_opcode --print-metric-instances details\""));
  CHECK(has(once, "launches (its table cuda_api_sum, the calls that launch); chain (the timeline"));
  CHECK(has(once, "--under \"nsys profile --stats=true --force-overwrite=true -o /tmp/03-g3\"\n"));

  CHECK(has(block(checkout, "g1"),
            "--under \"ncu --section SpeedOfLight --section Occupancy\""));  // without targets
}

TEST_CASE("rungs that no CUDA tool can see have the tools of what they run on") {
  Checkout checkout;
  checkout.write(checkout.page, "");
  CHECK(
      has(block(checkout, "c1"),
          "**With your tools.**\n```sh\n# processor time of all threads, and cache misses\n./ladder profile "
          "03/c1 --under \"perf stat -d\"\n"));
  CHECK(has(block(checkout, "m1"), "each of the 3 processes"));
  CHECK(has(block(checkout, "g4"), "./ladder profile 03/g4 --under \"oclgrind --inst-counts\""));
}

TEST_CASE("what a metric says that ncu counts is a counter of ncu's table, or a name that ncu has itself") {
  std::set<std::string> counters;
  for (const NcuMetric& metric : ncu_metrics()) counters.insert(metric.counter);
  for (const Metric& metric : all_metrics()) {
    INFO(metric.name);
    const bool not_there =
        std::set<std::string>{"findings", "grid_barriers", "most_barriers"}.contains(metric.name);
    CHECK((*metric.counted != 0) ==
          ((metric.source == Source::counters && !not_there) || metric.source == Source::instructions));
    CHECK(*metric.field != 0);
    std::istringstream words(metric.counted);
    for (std::string word; words >> word;) {
      INFO(word);
      CHECK((counters.contains(word) || word.find("__") != word.npos));
    }
  }
  CHECK(ncu_names("shared_load_wavefronts launch__waves_per_multiprocessor") ==
        std::vector<std::string>{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                 "launch__waves_per_multiprocessor"});
}
