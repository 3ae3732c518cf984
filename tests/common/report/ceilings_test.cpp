/// @file
/// Ceilings that a rung's row names: what stored times are shown a percent of.
// Guards: docs/gpu-times.md

#include "common/model/result_json.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/results/performance.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"

using namespace ladder::report;
using namespace ladder::test;

namespace {

using ladder::GpuRates;
constexpr GpuRates h200{.vector_fp64 = 33e12, .memory = 4e12, .cache = 9e12, .cache_bytes = 60e6};

/// A lesson's table with one rung, and what its row says besides.
std::map<std::string, json> table_with(json row) {
  row["name"] = "g1_naive";
  return {{"03-dgemm", {{"steps", json::array({row})}}}};
}

/// A run in which the rung took 10 ms for 1e10 operations, of which the judge knew the tensor cores' peak.
model::Document timed(double bytes) {
  json step = result("g1_naive", "cuda", 4096, 0.05);
  step["data"] = "resident", step["device"] = "cuda:0";
  step["time"]["device"] = {{"median", 0.01}};
  step["time"]["work"] = {
      {"unit", "flop"}, {"amount", 1e10}, {"ceiling", "FP64 tensor"}, {"seconds", 1e10 / 66e12}};
  if (bytes > 0) step["time"]["work"]["bytes"] = bytes;
  return document_of(run_of({step}));
}

/// @return "1 TFLOP/s, 3 % of the FP64 peak"
std::string shown(model::Document run, const json& row, const GpuRates& rates = h200) {
  name_own_ceilings(run, table_with(row), rates);
  const auto performance = performance_of(run.lessons[0].steps[0]);
  return performance ? performance->rate + ", " + share_text(*performance) : "not timed";
}

}  // namespace

TEST_CASE("operations that are no matrix products have the vector units for a ceiling, or the bytes") {
  CHECK(shown(timed(0), {{"matrix_products", false}}) == "1 TFLOP/s, 3 % of the FP64 peak");
  CHECK(shown(timed(1e8), {{"matrix_products", false}}) == "1 TFLOP/s, 3 % of the FP64 peak");
  CHECK(shown(timed(2e10), {{"matrix_products", false}}) == "1 TFLOP/s, 50 % of the memory bandwidth");
  CHECK(shown(timed(0), {{"matrix_products", true}}) == "1 TFLOP/s, 1.5 % of the FP64 tensor peak");
  CHECK(shown(timed(0), json::object()) == "1 TFLOP/s, 1.5 % of the FP64 tensor peak");
}

TEST_CASE("a rung that says how many bytes its plan moves has the memory, or the cache, for a ceiling") {
  const json row = {{"bytes_per_flop", 2.0}};  // 2e10 bytes
  CHECK(shown(timed(100e6), row) == "1 TFLOP/s, 50 % of the memory bandwidth");
  CHECK(shown(timed(50e6), row) == "1 TFLOP/s, 22 % of the cache bandwidth");
  CHECK(shown(timed(0), row) ==
        "1 TFLOP/s, 22 % of the cache bandwidth");  // the size is not stored: never too large
}

TEST_CASE("a ceiling of a rate that is not known is no percent, and no number that belongs to another") {
  CHECK(shown(timed(0), {{"matrix_products", false}}, {}) == "1 TFLOP/s, ");
  CHECK(shown(timed(50e6), {{"bytes_per_flop", 2.0}}, {}) == "1 TFLOP/s, ");
  CHECK(shown(timed(100e6), {{"bytes_per_flop", 2.0}}, {.vector_fp64 = 33e12}) == "1 TFLOP/s, ");
}

TEST_CASE("a table without the rung, and a rung on cores, keep what was stored") {
  model::Document run = timed(0);
  name_own_ceilings(run, {}, h200);
  CHECK(to_json(run) == to_json(timed(0)));
  run.lessons[0].steps[0].backend = "cpu";
  const json before = to_json(run);
  name_own_ceilings(run, table_with({{"matrix_products", false}}), h200);
  CHECK(to_json(run) == before);
}

TEST_CASE("rungs of one problem that name other ceilings stay rungs of one problem in a figure") {
  model::Document run = timed(50e6);
  model::DocumentStep second = run.lessons[0].steps[0];
  second.name = "g2_tiles", second.time->device->median = 0.001;
  run.lessons[0].steps.push_back(second);
  name_own_ceilings(run, table_with({{"bytes_per_flop", 2.0}}), h200);
  const auto figures = ladder_figures(run.lessons[0], run);
  REQUIRE(figures.size() == 1);
  REQUIRE(figures[0].steps.size() == 2);
  CHECK(figures[0].caption.title ==
        "g2 is 10 times as fast as g1");                 // rungs of several tasks are not compared
  CHECK(figures[0].ceiling.name == "FP64 tensor peak");  // that of the fastest rung
}
