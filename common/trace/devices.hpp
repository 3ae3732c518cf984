#pragma once
/// @file
/// Published limits of devices: what a launch would meet there, without having one.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// The limits of one device, for occupancy, waves, rooflines and bounds. 0: not published, or not known.
struct DeviceLimits {
  std::string name;                    ///< "GTX 1660"
  std::string capability;              ///< compute capability, "7.5"
  int multiprocessors = 0;             ///< SMs
  double clock = 0;                    ///< Hz, the highest that it boosts to
  int threads_per_multiprocessor = 0;  ///< resident
  int blocks_per_multiprocessor = 0;   ///< resident
  int threads_per_block = 1024;
  int registers_per_multiprocessor = 65536;  ///< of 32 bits
  int registers_per_thread = 255;
  int shared_per_multiprocessor = 0;  ///< bytes, at the largest split between shared memory and L1
  int shared_per_block = 49152;       ///< bytes, without asking
  int shared_per_block_optin = 0;     ///< bytes, after cudaFuncSetAttribute
  int reserved_shared_per_block = 0;  ///< bytes of each block that the system takes
  int shared_unit = 128;              ///< bytes: shared memory is given out in multiples of it
  int l1_bytes = 0;                   ///< each SM: L1 and shared memory together
  double l1_bytes_per_clock = 0;      ///< each SM, at most
  double l2_bytes = 0;
  double memory_bandwidth = 0;  ///< bytes per second
  double memory_bytes = 0;      ///< where pages show it
  double fp64_per_clock = 0;    ///< additions or multiply-adds of an SM in a clock
  double link_bandwidth = 0;    ///< bytes per second to or from the host, each way

  int warps_per_multiprocessor() const { return threads_per_multiprocessor / 32; }
  /// Floating-point operations per second in double precision; a multiply-add is two.
  double fp64_peak() const { return 2 * fp64_per_clock * multiprocessors * clock; }
  /// Bytes a second that the L1 caches of all SMs deliver at most.
  double l1_bandwidth() const { return l1_bytes_per_clock * multiprocessors * clock; }
};

/// The devices whose limits are published.
std::span<const DeviceLimits> known_devices();

/// A device by a name as people type it: "GTX 1660", "gtx1660", "NVIDIA H200". @return null when it is not in
/// the table
const DeviceLimits* find_device(std::string_view name);

/// The row of a GPU that calls itself so ("NVIDIA A100-SXM4-80GB"); null when a different product only begins
/// alike ("GTX 1660 Ti", "H100 PCIe").
const DeviceLimits* device_called(std::string_view driver_name, int multiprocessors);

/// The names of the table, for messages.
std::vector<std::string> device_names();

/// The device that the executor shows to programs. It has no bandwidth and no peak: times on it mean nothing.
DeviceLimits executor_limits();

}  // namespace ladder
