#include "common/trace/occupancy.hpp"

#include <algorithm>
#include <cmath>

namespace ladder {
namespace {

constexpr int warp = 32;
constexpr int register_unit = 256;  // registers are given out to a warp in multiples of it
constexpr int warp_unit = 4;        // a multiprocessor has four parts, each with its share of the registers

int rounded_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

/// Blocks whose registers fit, or 0.
int blocks_by_registers(int warps, unsigned registers, const DeviceLimits& device) {
  const int a_warp = rounded_up(static_cast<int>(registers) * warp, register_unit);
  const int resident = device.registers_per_multiprocessor / a_warp / warp_unit * warp_unit;
  return resident / warps;
}

int blocks_by_shared(std::uint64_t bytes, const DeviceLimits& device) {
  const auto own = static_cast<int>(std::min<std::uint64_t>(bytes, 1 << 30));
  const int a_block = rounded_up(own + device.reserved_shared_per_block, device.shared_unit);
  return a_block == 0 ? device.blocks_per_multiprocessor : device.shared_per_multiprocessor / a_block;
}

std::string why_impossible(const LaunchShape& launch, const DeviceLimits& device) {
  if (launch.threads == 0 || launch.blocks < 1) return "the grid is empty";
  if (launch.threads > static_cast<unsigned>(device.threads_per_block))
    return "a block has " + std::to_string(launch.threads) + " threads, the device allows " +
           std::to_string(device.threads_per_block);
  if (launch.shared_bytes > static_cast<std::uint64_t>(device.shared_per_block_optin))
    return "a block needs " + std::to_string(launch.shared_bytes) +
           " bytes of shared memory, the device has " + std::to_string(device.shared_per_block_optin);
  if (launch.registers && *launch.registers > static_cast<unsigned>(device.registers_per_thread))
    return "a thread needs " + std::to_string(*launch.registers) + " registers, the device has " +
           std::to_string(device.registers_per_thread);
  return "";
}

}  // namespace

LaunchShape shape_of(const LaunchCounters& launch) {
  return {.blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2],
          .threads = launch.block[0] * launch.block[1] * launch.block[2],
          .shared_bytes = launch.static_shared + launch.dynamic_shared,
          .registers = launch.registers};
}

LaunchShape shape_as_asked(const LaunchCounters& launch) {
  LaunchShape shape = shape_of(launch);
  shape.registers.reset();
  return shape;
}

Occupancy occupancy(const LaunchShape& launch, const DeviceLimits& device) {
  Occupancy o;
  o.impossible = why_impossible(launch, device);
  if (!o.impossible.empty()) return o;
  const int warps = rounded_up(static_cast<int>(launch.threads), warp) / warp;
  o.by_threads = device.warps_per_multiprocessor() / warps;
  o.by_blocks = device.blocks_per_multiprocessor;
  o.by_shared = blocks_by_shared(launch.shared_bytes, device);
  o.blocks = std::min({o.by_threads, o.by_blocks, o.by_shared});
  if (launch.registers && *launch.registers > 0) {
    o.by_registers = blocks_by_registers(warps, *launch.registers, device);
    o.blocks = std::min(o.blocks, *o.by_registers);
  }
  if (o.blocks == 0) {
    o.impossible = "the registers of one block are more than a multiprocessor has";
    return o;
  }
  const auto add_limit = [&](bool limits, const char* what) {
    if (limits) o.limited_by += (o.limited_by.empty() ? "" : " and ") + std::string(what);
  };
  add_limit(o.by_threads == o.blocks, "threads");
  add_limit(o.by_blocks == o.blocks, "blocks");
  add_limit(o.by_registers && *o.by_registers == o.blocks, "registers");
  add_limit(o.by_shared == o.blocks, "shared memory");
  o.warps = o.blocks * warps;
  o.share = static_cast<double>(o.warps) / device.warps_per_multiprocessor();
  return o;
}

Waves waves(const LaunchShape& launch, const DeviceLimits& device) {
  Waves w;
  const Occupancy o = occupancy(launch, device);
  if (!o.impossible.empty()) return w;
  w.capacity = static_cast<double>(o.blocks) * device.multiprocessors;
  w.waves = launch.blocks / w.capacity;
  const double whole = std::ceil(w.waves);
  w.last = launch.blocks - (whole - 1) * w.capacity;
  w.tail_efficiency = w.waves / whole;
  return w;
}

}  // namespace ladder
