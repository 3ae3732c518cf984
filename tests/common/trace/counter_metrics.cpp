// Metrics of counters against observations written by hand.
// Guards: docs/glossary.md#the-metrics

#include <cmath>
#include <functional>

#include "common/base/observation/launch_sum.hpp"
#include "common/trace/metrics.hpp"
#include "tests/common/catch.hpp"

namespace {

using namespace ladder;

LaunchCounters launch_of(const char* kernel, std::map<std::string, double> counters) {
  LaunchCounters launch;
  launch.kernel = kernel;
  launch.grid = {2, 2, 1};
  launch.observed_blocks = 4;
  launch.counters = std::move(counters);
  return launch;
}

/// Two kernels; the second one does not know about local memory.
Observation two_kernels() {
  Observation o;
  o.launches = {launch_of("update", {{"global_load_sectors", 100},
                                     {"global_store_sectors", 20},
                                     {"global_atomic_sectors", 3},
                                     {"global_load_requests", 30},
                                     {"shared_load_wavefronts", 64},
                                     {"shared_store_wavefronts", 8},
                                     {"barriers", 12},
                                     {"most_barriers", 5},
                                     {"grid_barriers", 3},
                                     {"global_atomics", 7},
                                     {"local_bytes", 0},
                                     {"instructions_lanes", 320},
                                     {"instructions_warps", 20},
                                     {"branches", 5},
                                     {"divergent_branches", 3},
                                     {"conversions", 9}}),
                launch_of("scale", {{"global_load_sectors", 1},
                                    {"global_store_sectors", 1},
                                    {"global_atomic_sectors", 0},
                                    {"global_load_requests", 1},
                                    {"shared_load_wavefronts", 0},
                                    {"shared_store_wavefronts", 0},
                                    {"barriers", 4},
                                    {"most_barriers", 1},
                                    {"grid_barriers", 1},
                                    {"global_atomics", 0},
                                    {"instructions_lanes", 32},
                                    {"instructions_warps", 1},
                                    {"branches", 0},
                                    {"divergent_branches", 1},
                                    {"conversions", 0}})};
  o.launches[1].skipped["local_bytes"] = "ptxas is not here";
  return o;
}

double of(const char* name, const Observation& observation) {
  return metric(name, {}, {.observation = &observation});
}

std::string reason(const std::function<void()>& compute) {
  try {
    compute();
    return "";
  } catch (const NotCounted& unknown) {
    return unknown.what();
  }
}

}  // namespace

TEST_CASE("counters become metrics, of all kernels or of those of a name") {
  const Observation o = two_kernels();
  CHECK(of("sectors", o) == 125);
  CHECK(of("sectors:update", o) == 123);
  CHECK(of("sectors per flop", o) == 125);  // the flops are the contract's
  CHECK(of("sweeps:scale", o) == 2);
  CHECK(of("wavefronts", o) == 72);
  CHECK(of("wavefronts per fma", o) == 72);
  CHECK(of("requests per byte", o) == 31);
  CHECK(of("barriers", o) == 12.0 / 4 + 4.0 / 4);  // a block of each launch
  CHECK(of("barriers:update", o) == 3);
  CHECK(of("most barriers", o) == 5 + 1);
  CHECK(of("grid barriers", o) == 3 + 1);
  CHECK(of("grid barriers:update", o) == 3);
  CHECK(of("atomics", o) == 7);
  CHECK(of("active lanes:update", o) == 16);
  CHECK(of("branches", o) == 5);
  CHECK(of("divergent branches", o) == 3 + 1);
  CHECK(of("divergent branches:update", o) == 3);
  CHECK(of("conversions", o) == 9);
  CHECK(of("sectors:none", o) == 0);
}

TEST_CASE("what was not counted is no number") {
  Observation o = two_kernels();
  CHECK(of("local bytes:update", o) == 0);
  CHECK(reason([&] { of("local bytes", o); }) == "ptxas is not here");
  o.launches[0].counters.erase("barriers");
  CHECK(reason([&] { of("barriers", o); }) == "this run did not count barriers");
  o.launches[0].observed_blocks = 3;
  CHECK(reason([&] { of("sectors", o); }).find("only 3 of the 4 blocks of update") != std::string::npos);
  CHECK(reason([] { metric("sectors", {}); }) == "counters need a run of the observed mode");
  CHECK(reason([] { of("active lanes", {}); }) == "no warp was seen at work");
}

TEST_CASE("no number is read from a part of the blocks, nor one of each launch from a sum") {
  Observation o = two_kernels();
  o.launches[0].observed_blocks = 3;
  for (const char* name : {"sectors", "barriers", "most barriers", "findings", "active lanes"}) {
    INFO(name);
    CHECK(reason([&] { of(name, o); }) == "only 3 of the 4 blocks of update were observed");
  }
  o.findings.resize(1);
  o.findings[0].severity = "error";
  CHECK(of("findings", o) == 1);  // one that is there counts

  Observation sum = two_kernels();
  const double sectors = of("sectors:update", sum);
  const LaunchCounters one = sum.launches[0];
  add_launch(sum.launches[0], one);
  CHECK(of("sectors:update", sum) == 2 * sectors);
  CHECK(sum.launches[0].all_blocks() == 8);
  CHECK(reason([&] { of("barriers:update", sum); }) == "the record has only the sum of 2 launches of update");
}

TEST_CASE("tail efficiency: what whole waves leave empty, on the device that was shown") {
  Observation o;
  o.launches = {launch_of("update", {}), launch_of("scale", {})};
  o.launches[0].grid = {704, 1, 1}, o.launches[0].block = {256, 1, 1};
  o.launches[1].grid = {1, 1, 1}, o.launches[1].block = {256, 1, 1};
  o.launches[0].registers = 200;  // the executor that was asked does not know them
  const auto on = [&](const char* device, const char* name) {
    return metric(name, {}, {.observation = &o, .device = find_device(device)});
  };
  CHECK(on("GTX 1660", "tail_efficiency:update") == 1);  // 8 waves of 22 x 4 blocks
  CHECK(std::abs(on("H200", "tail_efficiency:update") - 704.0 / 1056) < 1e-12);
  CHECK(std::abs(on("H200", "tail_efficiency") - 705.0 / 2112) < 1e-12);
  o.launches[0].grid = {89, 1, 1};
  CHECK(std::abs(on("GTX 1660", "tail_efficiency:update") - 89.0 / 176) < 1e-12);
  o.launches[0].dynamic_shared = 100 * 1024;
  CHECK_THROWS_AS(on("GTX 1660", "tail_efficiency:update"), Error);
  CHECK_THROWS_AS(on("H200", "tail_efficiency:none"), Error);
  CHECK(reason([] { metric("tail_efficiency", {}); }) == "waves need a run of the observed mode");
}

TEST_CASE("findings that count are the errors") {
  Observation o;
  o.findings.resize(3);
  o.findings[0].severity = o.findings[1].severity = "error";
  o.findings[2].severity = "warning";
  o.findings[0].kernel = "update";
  CHECK(of("findings", o) == 2);
  CHECK(of("findings:update", o) == 1);
}
