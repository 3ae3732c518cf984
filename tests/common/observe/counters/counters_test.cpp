/// @file
/// Every kernel's counters are the numbers that follow from its source, and that ncu shows on a GPU.
// Guards: docs/executor.md

#include <map>

#include "tests/common/observe/counters/observe.hpp"

using ladder::BranchCounters;
using ladder::LaunchCounters;
using ladder::test::observe;
using ladder::test::ObservedRun;

namespace {

/// Requests and sectors (or wavefronts) of loads and stores.
struct Expected {
  const char* kernel;
  double load_requests, loads, store_requests, stores;
};

void check(const LaunchCounters& launch, const std::string& counter, double expected) {
  INFO(launch.kernel << " " << counter);
  REQUIRE(launch.counters.contains(counter));
  CHECK(launch.counters.at(counter) == expected);
}

void check_global(const ObservedRun& run, const Expected& expected) {
  const LaunchCounters& launch = run.launch(expected.kernel);
  check(launch, "global_load_requests", expected.load_requests);
  check(launch, "global_load_sectors", expected.loads);
  check(launch, "global_store_requests", expected.store_requests);
  check(launch, "global_store_sectors", expected.stores);
}

void check_shared(const ObservedRun& run, const Expected& expected) {
  const LaunchCounters& launch = run.launch(expected.kernel);
  check(launch, "shared_load_requests", expected.load_requests);
  check(launch, "shared_load_wavefronts", expected.loads);
  check(launch, "shared_store_requests", expected.store_requests);
  check(launch, "shared_store_wavefronts", expected.stores);
}

}  // namespace

// 4 blocks of 256 threads: 32 warps, each with one request, or one for each piece of a structure.
TEST_CASE("sectors of global memory") {
  const ObservedRun& run = observe("global_access");
  CHECK(run.result.status == 0);
  CHECK(run.observation.findings.empty());
  for (const Expected& expected : {
           Expected{"copy_double", 32, 256, 32, 256},
           {"copy_float", 32, 128, 32, 128},
           {"copy_byte", 32, 32, 32, 32},
           {"copy_short", 32, 64, 32, 64},
           {"copy_float2", 32, 256, 32, 256},
           {"copy_float4", 32, 512, 32, 512},
           {"copy_double2", 32, 512, 32, 512},
           {"copy_float3", 96, 1152, 96, 1152},  // three loads of 4 bytes, 12 bytes apart
           {"scale_float4", 32, 512, 32, 512},
           {"sum_float4", 32, 512, 32, 128},
           {"swap_double2", 32, 512, 32, 512},
           {"stride_2", 32, 512, 32, 512},
           {"stride_4", 32, 1024, 32, 1024},
           {"stride_8", 32, 1024, 32, 1024},
           {"stride_16", 32, 1024, 32, 1024},
           {"stride_32", 32, 1024, 32, 1024},
           {"stride_2_float", 32, 256, 32, 256},
           {"stride_32_float", 32, 1024, 32, 1024},
           {"misaligned_double", 32, 288, 32, 288},
           {"misaligned_float", 32, 160, 32, 160},
           {"reversed", 32, 256, 32, 256},
           {"broadcast", 32, 32, 32, 256},
           {"broadcast_by_pairs", 32, 128, 32, 256},
           {"through_cache_hint", 32, 256, 32, 256},
           {"half_warp", 32, 128, 32, 128},
           {"every_second_lane", 32, 256, 32, 256},
       })
    check_global(run, expected);
}

TEST_CASE("the necessary comes from distinct bytes, not from what was asked for") {
  const ObservedRun& run = observe("global_access");
  check(run.launch("copy_double"), "necessary_sectors", 512);
  check(run.launch("stride_32"), "necessary_sectors", 512);
  check(run.launch("misaligned_double"), "necessary_sectors", 512);
  check(run.launch("broadcast"), "necessary_sectors", 32 + 256);
  check(run.launch("broadcast"), "global_bytes", 2 * 1024 * 8);
  check(run.launch("broadcast"), "distinct_global_bytes", 32 * 8 + 1024 * 8);
  check(run.launch("copy_byte"), "necessary_sectors", 64);
}

TEST_CASE("wavefronts of shared memory") {
  const ObservedRun& run = observe("shared_access");
  CHECK(run.result.status == 0);
  CHECK(run.observation.findings.empty());
  for (const Expected& expected : {
           Expected{"transpose_double", 32, 1024, 32, 64},
           {"transpose_double_padded", 32, 64, 32, 64},
           {"transpose_float", 32, 1024, 32, 32},
           {"transpose_float_padded", 32, 32, 32, 32},
           {"transpose_float_swizzled", 32, 32, 32, 32},
           {"read_float_stride_2", 1, 2, 2, 2},
           {"read_float_stride_8", 1, 8, 8, 8},
           {"read_float_stride_3", 1, 1, 3, 3},
           {"read_float_broadcast", 1, 1, 2, 2},
           {"read_float_two_words_of_a_bank", 1, 2, 2, 2},
           {"read_double_stride_2", 1, 4, 2, 4},
           {"read_double_broadcast", 1, 1, 2, 4},
           {"read_double_by_pairs", 1, 1, 2, 4},
           {"read_double_by_fours", 1, 1, 2, 4},
           {"read_double_alternating", 1, 1, 2, 4},
           {"read_double_by_half_warps", 1, 2, 2, 4},
           {"read_double_two_rows", 1, 2, 2, 4},
           {"read_double2", 1, 4, 2, 8},
           {"read_double2_reversed", 1, 4, 2, 8},
           {"read_float4_stride_9", 1, 4, 9, 36},
           {"read_float4_stride_2", 1, 8, 2, 8},
           {"read_float4_broadcast", 1, 2, 2, 8},
           {"read_float4_by_pairs", 1, 2, 2, 8},
           {"read_float4_by_eights", 1, 2, 2, 8},
           {"read_byte", 1, 1, 2, 2},
           {"read_dynamic", 1, 4, 4, 4},
       })
    check_shared(run, expected);
  check(run.launch("transpose_float"), "necessary_wavefronts", 64);
  check(run.launch("transpose_double"), "necessary_wavefronts", 128);
  check(run.launch("transpose_double"), "barriers", 1);
}

TEST_CASE("atomics") {
  const ObservedRun& run = observe("atomics");
  CHECK(run.result.status == 0);
  CHECK(run.observation.findings.empty());
  const std::map<std::string, double> sectors = {
      {"add_double_same", 1024},        {"add_double_spread", 256},     {"add_double_stride_4", 1024},
      {"add_double_by_pairs", 256},     {"add_float_same", 1024},       {"add_float_spread", 128},
      {"add_int_eight_counters", 128},  {"add_int_spread", 128},        {"add_int_lane_value", 512},
      {"max_int_spread", 128},          {"add_int_with_result", 128},   {"exchange_spread", 128},
      {"compare_and_swap_spread", 128}, {"add_unsigned64_spread", 256},
  };
  for (const auto& [kernel, expected] : sectors) {
    check(run.launch(kernel), "global_atomics", 1024);
    check(run.launch(kernel), "global_atomic_requests", 32);
    check(run.launch(kernel), "global_atomic_sectors", expected);
    check(run.launch(kernel), "global_load_requests", 0);  // the update itself is no load of the kernel
  }
  check(run.launch("add_int_with_result"), "global_store_requests", 32);
  for (const char* kernel :
       {"shared_int_eight_counters", "shared_int_spread", "shared_double_same", "shared_double_spread"}) {
    check(run.launch(kernel), "shared_atomics", 256);
    check(run.launch(kernel), "shared_atomic_requests", 8);
    check(run.launch(kernel), "global_atomics", 0);
  }
}

TEST_CASE("contention of atomics is counted at their line") {
  const ObservedRun& run = observe("atomics");
  const auto contention = [&](const char* kernel) {
    for (const ladder::LineCounters& line : run.launch(kernel).lines)
      if (line.operation == "atomic") return line.most_lanes_at_one_address;
    return std::uint64_t{0};
  };
  CHECK(contention("add_double_same") == 32);
  CHECK(contention("add_double_spread") == 1);
  CHECK(contention("add_double_by_pairs") == 2);
  CHECK(contention("add_int_eight_counters") == 4);
  CHECK(contention("add_int_lane_value") == 16);
  CHECK(contention("shared_double_same") == 32);
}

TEST_CASE("divergent branches") {
  const ObservedRun& run = observe("branches");
  CHECK(run.result.status == 0);
  check(run.launch("by_lane"), "divergent_branches", 8);  // one a warp
  check(run.launch("by_half_warp"), "divergent_branches", 8);
  check(run.launch("by_warp"), "divergent_branches", 0);
  check(run.launch("by_data"), "divergent_branches", 8);
  check(run.launch("by_trip_count"), "divergent_branches", 24);  // lanes leave in three of four rounds
  check(run.launch("by_data_in_loop"), "divergent_branches", 10);
  check(run.launch("early_return"), "divergent_branches", 1);  // of the warp in which n lies
  check(run.launch("uniform_loop"), "divergent_branches", 0);
}

TEST_CASE("requests are those of lanes that stand together") {
  const ObservedRun& run = observe("branches");
  // Each branch loads and stores on its own.
  check_global(run, {"by_lane", 16, 128, 16, 128});
  check_global(run, {"by_half_warp", 16, 64, 16, 64});
  check_global(run, {"by_warp", 8, 64, 8, 64});
  // After the loop all lanes store together, though they left it at different times.
  check_global(run, {"by_trip_count", 8, 64, 8, 64});
  // Iteration by iteration: the lanes with bit 3, for example, read 16 doubles in two runs of 8.
  check_global(run, {"by_data_in_loop", 10, 56, 2, 16});
  // Each round begins with one load of all lanes.
  check_global(run, {"two_ways_back", 12, 96, 2, 16});
  // Four rounds of rows, each with loads of all lanes, three quarters, a half and a quarter, and one store of
  // all.
  check_global(run, {"by_trip_count_of_rows", 16, 128, 4, 32});
  check_global(run, {"early_return", 10, 75, 10, 75});
}

TEST_CASE("active lanes of a warp") {
  const ObservedRun& run = observe("branches");
  const auto active = [&](const char* kernel) {
    const auto& counters = run.launch(kernel).counters;
    return counters.at("instructions_lanes") / counters.at("instructions_warps");
  };
  CHECK(active("uniform_loop") == 32);
  CHECK(active("by_warp") == 32);
  CHECK(active("by_lane") > 16);
  CHECK(active("by_lane") < 20);
}

TEST_CASE("small programs") {
  const ObservedRun& run = observe("programs");
  CHECK(run.result.status == 0);
  CHECK(run.observation.findings.empty());
  check_global(run, {"dgemm_naive", 16384, 73728, 128, 1024});
  check_global(run, {"dgemm_uncoalesced", 16384, 270336, 128, 4096});
  check_global(run, {"dgemm_tiled_32", 512, 4096, 128, 1024});
  check_shared(run, {"dgemm_tiled_32", 16384, 24576, 512, 1024});
  check(run.launch("dgemm_tiled_32"), "barriers", 4 * 4);
  check_global(run, {"dgemm_tiled_16", 1024, 8192, 128, 1024});
  check_global(run, {"transpose_naive", 128, 1024, 128, 4096});
  check_global(run, {"transpose_tiled", 128, 1024, 128, 1024});
  check_shared(run, {"transpose_tiled", 128, 256, 128, 256});
  check_global(run, {"axpy_grid_stride", 256, 2048, 128, 1024});
  check_global(run, {"reduce_tree", 128, 1024, 16, 16});
  check(run.launch("reduce_tree"), "barriers", 16 * 9);
  check(run.launch("reduce_tree"), "most_barriers", 9);
  check_global(run, {"reduce_shuffle", 128, 1024, 16, 16});
  check_shared(run, {"reduce_shuffle", 16, 16, 128, 128});
  check(run.launch("reduce_shuffle"), "barriers", 16);
  check(run.launch("histogram_shared"), "shared_atomics", 8192);
  check(run.launch("histogram_shared"), "global_atomics", 8 * 64);
  check(run.launch("histogram_global"), "global_atomics", 8192);
  check(run.launch("stencil"), "global_load_requests", 3 * 128);  // weights are constant memory
  check(run.launch("device_variable"), "global_load_requests", 2 * 128);
}

TEST_CASE("arithmetic in double precision") {
  const ObservedRun& run = observe("programs");
  for (const char* product : {"dgemm_naive", "dgemm_uncoalesced", "dgemm_tiled_32", "dgemm_tiled_16"})
    check(run.launch(product), "fp64_operations", 2.0 * 64 * 64 * 64);
  check(run.launch("axpy_grid_stride"), "fp64_operations", 2 * 4096);
  check(run.launch("reduce_tree"), "fp64_operations", 16 * 255);
  check(run.launch("stencil"), "fp64_operations", 5 * 4094);
  check(run.launch("transpose_naive"), "fp64_operations", 0);
  check(run.launch("histogram_global"), "fp64_operations", 0);
  check(observe("branches").launch("by_trip_count"), "fp64_operations", 8 * 8 * (0 + 1 + 2 + 3) * 2);
}

TEST_CASE(
    "instructions of FP64 units: a division, a root and a logarithm are many, a fused operation is one") {
  const ObservedRun& run = observe("../../tests/counters/functions");
  if (const auto& skipped = run.launch("divided").skipped; skipped.contains("fp64_instructions"))
    LADDER_SKIP("FP64 instructions: " + skipped.at("fp64_instructions"));
  check(run.launch("divided"), "fp64_instructions", 64 * 8);
  check(run.launch("rooted"), "fp64_instructions", 64 * 8);
  check(run.launch("reciprocal_root"), "fp64_instructions", 64 * 5);
  check(run.launch("reciprocal_root"), "fp64_operations", 64 * 2);
  check(run.launch("logarithm"), "fp64_instructions", 64 * 28);
  check(run.launch("fused"), "fp64_instructions", 64);
  check(run.launch("larger"), "fp64_instructions", 0);
  check(run.launch("single_logarithm"), "fp64_instructions", 0);
  check(observe("programs").launch("stencil"), "fp64_instructions", 5 * 4094);
}

TEST_CASE("conversions: of a double to another type and back; reading its bits is none") {
  const ObservedRun& run = observe("../../tests/counters/functions");
  check(run.launch("rounded"), "conversions", 64 * 2);
  check(run.launch("to_single"), "conversions", 64);
  check(run.launch("bits_of"), "conversions", 0);
  check(run.launch("larger"), "conversions", 0);
  check(run.launch("single_logarithm"), "conversions", 0);
}

TEST_CASE("what is awkward to observe") {
  const ObservedRun& run = observe("awkward");
  CHECK(run.result.status == 0);
  CHECK(run.observation.findings_of("error") == 0);
  CHECK(run.observation.incomplete.empty());
  check_global(run, {"rotate_over_grid", 48, 192, 48, 192});
  check(run.launch("rotate_over_grid"), "grid_barriers", 3 * 2);
  check(run.launch("rotate_over_grid"), "barriers", 0);
  check_global(run, {"tiles_of_16", 4, 32, 2, 2});  // half-warps meet on their own, and load together
  check(run.launch("last_block_sums"), "global_atomics", 8);
  check_shared(run, {"early_exit", 3, 5, 3, 5});
  check(run.launch("wait_for_flag"), "global_store_requests", 1);
  check_global(run, {"local_array", 16, 16, 1, 8});
  check_global(run, {"long_loop", 200000, 1600000, 1, 8});
  check_global(run, {"calls", 2, 16, 1, 8});
  // 32 bytes per lane in pieces of 16; the sum reads and writes one double of four.
  check_global(run, {"library_functions", 3, 96, 3, 96});
  check(run.launch("library_functions"), "shared_store_requests", 16);
  int launches = 0;
  for (const LaunchCounters& launch : run.observation.launches) {
    if (launch.kernel != "add_one") continue;
    ++launches;
    check(launch, "global_load_sectors", 32);
  }
  CHECK(launches == 3);
}
