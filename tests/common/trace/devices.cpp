/// @file
/// Occupancy, waves and bounds, against answers worked out by hand from NVIDIA's rules.
// Guards: docs/glossary.md#the-machine

#include "common/trace/devices.hpp"

#include <cmath>

#include "common/trace/bound.hpp"
#include "common/trace/occupancy.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

const DeviceLimits& device(const char* name) {
  const DeviceLimits* found = find_device(name);
  REQUIRE(found != nullptr);
  return *found;
}

bool close(double a, double b) {
  return std::abs(a - b) <= 1e-3 * std::abs(b);
}

LaunchCounters launch_of(std::uint32_t blocks, std::uint32_t threads) {
  LaunchCounters launch;
  launch.grid = {blocks, 1, 1}, launch.block = {threads, 1, 1};
  return launch;
}

}  // namespace

TEST_CASE("devices: names as people and drivers say them") {
  CHECK(device("gtx1660").name == "GTX 1660");
  CHECK(device("NVIDIA GeForce RTX 4060").name == "RTX 4060");
  CHECK(device("1660").name == "GTX 1660");
  CHECK(find_device("GTX 1080") == nullptr);
  CHECK(find_device("60") == nullptr);
  CHECK(find_device("") == nullptr);
  REQUIRE(device_called("NVIDIA A100-SXM4-80GB", 108) != nullptr);
  CHECK(device_called("NVIDIA H100 80GB HBM3", 132)->name == "H100");
  CHECK(device_called("NVIDIA GeForce GTX 1660 Ti", 24) == nullptr);
  CHECK(device_called("NVIDIA GeForce GTX 1660 SUPER", 22) == nullptr);
  CHECK(device_called("NVIDIA H100 PCIe", 114) == nullptr);
}

TEST_CASE("devices: peaks are the published ones") {
  CHECK(close(device("GTX 1660").fp64_peak(), 157.1e9));
  CHECK(close(device("A100").fp64_peak(), 9.746e12));  // 9.7 TFLOP/s
  CHECK(close(device("H100").fp64_peak(), 33.45e12));  // 34 TFLOP/s
  CHECK(close(device("H200").fp64_peak(), 33.45e12));
  CHECK(close(device("RTX 3060").fp64_peak(), 199.0e9));
  CHECK(close(device("RTX 4060").fp64_peak(), 236.2e9));
  CHECK(close(device("GTX 1660").link_bandwidth, 15.754e9));
  CHECK(close(device("RTX 4060").link_bandwidth, 15.754e9));  // twice as fast a lane, half as many
  CHECK(close(device("H200").link_bandwidth, 63.015e9));
}

TEST_CASE("occupancy: threads") {
  // 1024 threads are all that an SM of 7.5 holds, half of what one of 9.0 holds.
  const LaunchShape tiles{64, 1024, 16384, 32};
  const Occupancy small = occupancy(tiles, device("GTX 1660"));
  CHECK(small.blocks == 1);
  CHECK(small.by_registers == 2);  // 32 * 32 = 1024 registers per warp, 64 warps
  CHECK(small.by_shared == 4);     // 64 KiB / 16 KiB
  CHECK(small.limited_by == "threads");
  CHECK(small.share == 1.0);
  const Occupancy large = occupancy(tiles, device("H200"));
  CHECK(large.blocks == 2);
  CHECK(large.by_shared == 13);  // 228 KiB / (16 KiB + 1 KiB)
  CHECK(large.limited_by == "threads and registers");
  // 1.5 blocks of 1024 would fit into the 1536 threads of 8.6: one does.
  CHECK(occupancy(tiles, device("RTX 3060")).blocks == 1);
  CHECK(close(occupancy(tiles, device("RTX 3060")).share, 32.0 / 48));
}

TEST_CASE("occupancy: registers are given out to warps in 256, to four parts of an SM") {
  // 40 * 32 = 1280 a warp; 65536 / 1280 = 51.2, so 51 warps, of which 48 in four equal parts: 6 blocks of 8.
  const Occupancy o = occupancy({1000, 256, 0, 40}, device("H100"));
  CHECK(o.by_registers == 6);
  CHECK(o.blocks == 6);
  CHECK(o.share == 0.75);
  CHECK(o.limited_by == "registers");
  // 33 registers: 1056, rounded up to 1280.
  CHECK(occupancy({1000, 256, 0, 33}, device("H100")).by_registers == 6);
  CHECK(occupancy({1000, 256, 0, 32}, device("H100")).by_registers == 8);
  // ncu on an H200: 16 registers, 64 threads: 64 blocks by registers, 32 by warps and by blocks.
  const Occupancy seen = occupancy({32, 64, 512, 16}, device("H200"));
  CHECK(seen.by_registers == 64);
  CHECK(seen.by_threads == 32);
  CHECK(seen.by_blocks == 32);
}

TEST_CASE("occupancy: shared memory, with what the system takes of each block") {
  const LaunchShape half{100, 128, 49152, {}};
  CHECK(occupancy(half, device("GTX 1660")).blocks == 1);  // 64 / 48
  CHECK(occupancy(half, device("RTX 3060")).blocks == 2);  // 100 / 49
  CHECK(occupancy(half, device("A100")).blocks == 3);      // 164 / 49
  CHECK(occupancy(half, device("H100")).blocks == 4);      // 228 / 49
  CHECK(occupancy(half, device("H100")).limited_by == "shared memory");
  CHECK_FALSE(occupancy(half, device("H100")).by_registers.has_value());
  // 1 byte takes a unit: 1152 bytes with the reserved ones, 202 blocks; 32 is the limit of blocks.
  const Occupancy one = occupancy({100, 32, 1, {}}, device("H100"));
  CHECK(one.by_shared == 202);
  CHECK(one.limited_by == "blocks");
  CHECK(one.share == 0.5);
}

TEST_CASE("occupancy: what a device refuses") {
  CHECK(occupancy({1, 2048, 0, {}}, device("H100")).impossible ==
        "a block has 2048 threads, the device allows 1024");
  CHECK(occupancy({1, 32, 100 * 1024, {}}, device("GTX 1660")).impossible.find("65536") != std::string::npos);
  CHECK(occupancy({1, 32, 100 * 1024, {}}, device("A100")).impossible.empty());
  CHECK(occupancy({1, 1024, 0, 168}, device("A100")).impossible.find("registers") != std::string::npos);
  CHECK(occupancy({0, 32, 0, {}}, device("A100")).impossible == "the grid is empty");
  CHECK(waves({1, 2048, 0, {}}, device("H100")).waves == 0);
}

TEST_CASE("waves: what the last one leaves idle") {
  // 64 blocks of 1024 threads on 22 SMs: 22 + 22 + 20.
  const Waves small = waves({64, 1024, 0, {}}, device("GTX 1660"));
  CHECK(small.capacity == 22);
  CHECK(close(small.waves, 64 / 22.0));
  CHECK(small.last == 20);
  CHECK(close(small.tail_efficiency, 64 / 66.0));
  const Waves large = waves({64, 1024, 0, {}}, device("H200"));  // two a SM: 264 places
  CHECK(large.last == 64);
  CHECK(close(large.tail_efficiency, 64 / 264.0));
  const Waves whole = waves({528, 1024, 0, {}}, device("H200"));
  CHECK(whole.tail_efficiency == 1.0);
  CHECK(whole.last == 264);
}

TEST_CASE("bounds: the slowest unit, on the SMs that have blocks") {
  DeviceLimits d;
  d.multiprocessors = 10, d.clock = 1e9, d.l1_bytes_per_clock = 64, d.fp64_per_clock = 2;
  d.memory_bandwidth = 1e11, d.l2_bytes = 1e6, d.link_bandwidth = 1e10;
  LaunchCounters launch = launch_of(5, 32);
  launch.counters = {
      {"global_load_sectors", 800}, {"global_store_sectors", 200}, {"shared_load_wavefronts", 100}};
  // 1000 sectors, 2 a clock on each of 5 SMs: 100 clocks.
  LowerBound bound = bound_of(launch, d);
  CHECK(close(bound.seconds, 1e-7));
  CHECK(bound.limited_by == "sectors through L1");
  CHECK(bound.parts.size() == 2);
  CHECK(close(bound.parts[1].seconds, 100 / 5e9));
  launch.grid = {100, 1, 1};
  CHECK(close(bound_of(launch, d).seconds, 0.5e-7));
  // Known operations count, 2 * 2 a clock on each of 10 SMs.
  bound = bound_of(launch, d, {.operations = 40000.0, .array_bytes = {}});
  CHECK(bound.limited_by == "FP64 operations");
  CHECK(close(bound.seconds, 1e-6));
  CHECK(bound_of(launch, executor_limits()).parts.empty());
}

TEST_CASE("bounds: a run in one stream is the sum of its launches, in several the share of each unit") {
  DeviceLimits d;
  d.multiprocessors = 10, d.clock = 1e9, d.l1_bytes_per_clock = 32, d.link_bandwidth = 1e10;
  d.memory_bandwidth = 1e11, d.l2_bytes = 1e6;
  Observation run;
  run.launches = {launch_of(10, 32), launch_of(10, 32)};
  run.launches[0].counters["global_load_sectors"] = 1e7;     // 1 ms
  run.launches[1].counters["shared_load_wavefronts"] = 2e7;  // 2 ms
  Trace trace;
  trace.events.resize(6);
  trace.events[0].kind = LADDER_H2D, trace.events[0].bytes = 5e6;  // 0.5 ms
  trace.events[1].kind = trace.events[2].kind = LADDER_LAUNCH;
  trace.events[3].kind = trace.events[4].kind = LADDER_KERNEL;
  trace.events[5].kind = LADDER_D2H, trace.events[5].bytes = 4e7;  // 4 ms
  const auto part = [](const LowerBound& bound, const char* what) {
    for (const BoundPart& p : bound.parts)
      if (p.what == what) return p.seconds;
    return -1.0;
  };
  LowerBound bound = bound_of(run, &trace, d);
  CHECK(close(part(bound, "kernels"), 3e-3));
  CHECK(close(part(bound, "copies to the device"), 0.5e-3));
  CHECK(close(part(bound, "launch calls"), 2e-6));
  CHECK(bound.limited_by == "copies to the host");
  trace.events[4].stream = 7;
  CHECK(close(part(bound_of(run, &trace, d), "kernels"), 2e-3));
  // 101 MB in arrays: 1 MB of it may still be in L2.
  bound = bound_of(run, nullptr, d, {.operations = {}, .array_bytes = 101e6});
  CHECK(close(part(bound, "arrays beyond L2, once"), 1e-3));
  CHECK(part(bound_of(run, nullptr, d, {.operations = {}, .array_bytes = 0.5e6}), "arrays beyond L2, once") <
        0);
}
