#include "common/trace/devices.hpp"

#include <array>
#include <cctype>

#include "common/base/observation/device_model.hpp"

namespace ladder {
namespace {

constexpr double giga = 1e9, mega = 1e6;
constexpr int KiB = 1024;

// A lane of PCIe carries 8, 16 or 32 Gbit/s in generations 3, 4 and 5, of which 128/130 are data.
constexpr double pcie(int generation, int lanes) {
  return lanes * 1e9 * (1 << (generation - 3)) * 128 / 130;
}

// Threads, blocks and shared memory of a multiprocessor: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability". Reserved shared memory and its unit: CUDA occupancy calculator
// (Nsight Compute), tuning guides of Ampere, Ada and Hopper. Operations in a clock: CUDA C++ Programming
// Guide, "Throughput of Native Arithmetic Instructions". L1 and shared memory together: the same table and
// the white papers of the generations. Bytes of L1 in a clock: 64 for Turing and 128 after it (NVIDIA Ampere
// GA102 white paper; 128 for A100: its white paper).
constexpr auto turing = [](DeviceLimits d) {  // 7.5
  d.capability = "7.5", d.threads_per_multiprocessor = 1024, d.blocks_per_multiprocessor = 16;
  d.shared_per_multiprocessor = 64 * KiB, d.shared_per_block_optin = 64 * KiB, d.shared_unit = 256;
  d.l1_bytes = 96 * KiB, d.l1_bytes_per_clock = 64, d.fp64_per_clock = 2;
  return d;
};
constexpr auto ampere_8_0 = [](DeviceLimits d) {
  d.capability = "8.0", d.threads_per_multiprocessor = 2048, d.blocks_per_multiprocessor = 32;
  d.shared_per_multiprocessor = 164 * KiB, d.shared_per_block_optin = 163 * KiB;
  d.reserved_shared_per_block = KiB, d.l1_bytes = 192 * KiB, d.l1_bytes_per_clock = 128,
  d.fp64_per_clock = 32;
  return d;
};
constexpr auto ampere_8_6 = [](DeviceLimits d) {
  d.capability = "8.6", d.threads_per_multiprocessor = 1536, d.blocks_per_multiprocessor = 16;
  d.shared_per_multiprocessor = 100 * KiB, d.shared_per_block_optin = 99 * KiB;
  d.reserved_shared_per_block = KiB, d.l1_bytes = 128 * KiB, d.l1_bytes_per_clock = 128, d.fp64_per_clock = 2;
  return d;
};
constexpr auto ada = [](DeviceLimits d) {  // 8.9
  d = ampere_8_6(d);
  d.capability = "8.9", d.blocks_per_multiprocessor = 24;
  return d;
};
constexpr auto hopper = [](DeviceLimits d) {  // 9.0
  d.capability = "9.0", d.threads_per_multiprocessor = 2048, d.blocks_per_multiprocessor = 32;
  d.shared_per_multiprocessor = 228 * KiB, d.shared_per_block_optin = 227 * KiB;
  d.reserved_shared_per_block = KiB, d.l1_bytes = 256 * KiB, d.l1_bytes_per_clock = 128,
  d.fp64_per_clock = 64;
  return d;
};

DeviceLimits product(std::string name, int multiprocessors, double clock, double bandwidth, double l2,
                     double link, double memory = 0) {
  DeviceLimits d;
  d.name = std::move(name), d.multiprocessors = multiprocessors, d.clock = clock;
  d.memory_bandwidth = bandwidth, d.l2_bytes = l2, d.link_bandwidth = link, d.memory_bytes = memory;
  return d;
}

// Name, SMs, highest boost clock, memory bandwidth, L2, link to the host.
const std::array models = {
    // nvidia.com, GeForce GTX 1660: 1408 cores (22 SMs of 64), 1785 MHz, 192 bits of 8 Gbit/s; TU116: 1536
    // KiB of L2.
    turing(product("GTX 1660", 22, 1785 * mega, 192 * giga, 1536 * KiB, pcie(3, 16))),
    // nvidia.com, GeForce RTX 3060 (12 GB): 3584 cores (28 SMs of 128), 1777 MHz, 192 bits of 15 Gbit/s;
    // GA106: 3 MiB of L2.
    ampere_8_6(product("RTX 3060", 28, 1777 * mega, 360 * giga, 3072 * KiB, pcie(4, 16))),
    // nvidia.com and the Ada white paper, GeForce RTX 4060: 3072 cores (24 SMs), 2460 MHz, 128 bits of 17
    // Gbit/s, 24 MiB of L2, 8 GB; its link has 8 lanes.
    ada(product("RTX 4060", 24, 2460 * mega, 272 * giga, 24576 * KiB, pcie(4, 8), 8 * giga)),
    // NVIDIA A100 data sheet (SXM, 80 GB) and white paper: 108 SMs, 1410 MHz, 2039 GB/s, 40 MiB of L2.
    ampere_8_0(product("A100", 108, 1410 * mega, 2039 * giga, 40960 * KiB, pcie(4, 16))),
    // NVIDIA H100 data sheet (SXM5, 80 GB) and white paper: 132 SMs, 3.35 TB/s, 50 MiB of L2; 1980 MHz:
    // nvidia-smi.
    hopper(product("H100", 132, 1980 * mega, 3350 * giga, 51200 * KiB, pcie(5, 16))),
    // NVIDIA H200 data sheet (SXM): 132 SMs, 141 GB of 4.8 TB/s; 1980 MHz and 60 MiB of L2: read from the
    // driver of one.
    hopper(product("H200", 132, 1980 * mega, 4800 * giga, 61440 * KiB, pcie(5, 16), 141 * giga)),
};

/// Letters and digits in lower case, without what is the same for all.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view word : {"nvidia", "geforce", "tesla"})
    if (const auto at = out.find(word); at != std::string::npos) out.erase(at, word.size());
  return out;
}

}  // namespace

std::span<const DeviceLimits> known_devices() {
  return models;
}

const DeviceLimits* find_device(std::string_view name) {
  const std::string wanted = plain(name);
  for (const DeviceLimits& d : models) {
    const std::string known = plain(d.name);
    // "1660" is clear enough, a letter or a digit is not.
    if (wanted == known || (wanted.size() >= 4 && known.ends_with(wanted))) return &d;
  }
  return nullptr;
}

const DeviceLimits* device_called(std::string_view driver_name, int multiprocessors) {
  const std::string called = plain(driver_name);
  for (const DeviceLimits& d : models) {
    const std::string known = plain(d.name);
    if (!called.starts_with(known) || d.multiprocessors != multiprocessors) continue;
    const std::string_view rest = std::string_view(called).substr(known.size());
    const bool other = rest.starts_with("ti") || rest.starts_with("super") || rest.starts_with("laptop") ||
                       rest.starts_with("pcie") || rest.starts_with("nvl") || rest.starts_with("mobile");
    if (!other) return &d;
  }
  return nullptr;
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const DeviceLimits& d : models) names.push_back(d.name);
  return names;
}

DeviceLimits executor_limits() {
  DeviceLimits d;
  d.name = "executor", d.capability = "9.0", d.multiprocessors = model::multiprocessors;
  d.threads_per_multiprocessor = model::threads_per_multiprocessor;
  d.blocks_per_multiprocessor = model::blocks_per_multiprocessor;
  d.registers_per_multiprocessor = model::registers_per_multiprocessor;
  d.shared_per_multiprocessor = static_cast<int>(model::shared_per_multiprocessor);
  d.shared_per_block = static_cast<int>(model::shared_per_block);
  d.shared_per_block_optin = static_cast<int>(model::shared_per_block_optin);
  d.reserved_shared_per_block = static_cast<int>(model::reserved_shared_per_block);
  return d;
}

}  // namespace ladder
