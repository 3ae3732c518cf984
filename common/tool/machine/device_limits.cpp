#include "common/tool/machine/device_limits.hpp"

#include <nlohmann/json.hpp>

#include "common/base/usage_error.hpp"
#include "common/tool/machine/software.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// What the driver says of a GPU that is not in the table; what it does not say comes from a known device of
/// the same compute capability.
DeviceLimits limits_from(const json& gpu) {
  const std::string capability = gpu.value("capability", "");
  DeviceLimits limits;
  for (const DeviceLimits& known : known_devices())
    if (known.capability == capability) limits = known;
  const auto number = [&](const char* field) { return gpu.value(field, 0.0); };
  const auto take = [&](auto& to, const char* field) {
    if (const double value = number(field); value > 0)
      to = static_cast<std::remove_reference_t<decltype(to)>>(value);
  };
  limits.name = gpu.value("name", "this GPU"), limits.capability = capability;
  limits.memory_bandwidth = limits.l2_bytes = limits.link_bandwidth = 0;
  limits.multiprocessors = gpu.value("compute_units", 0);
  limits.clock = number("clock_mhz") * 1e6;
  take(limits.threads_per_multiprocessor, "threads_per_multiprocessor");
  take(limits.blocks_per_multiprocessor, "blocks_per_multiprocessor");
  take(limits.registers_per_multiprocessor, "registers_per_multiprocessor");
  take(limits.shared_per_multiprocessor, "shared_per_multiprocessor");
  take(limits.shared_per_block_optin, "local_bytes");
  take(limits.reserved_shared_per_block, "reserved_shared_per_block");
  take(limits.l2_bytes, "l2_bytes");
  // Two transfers in a clock of the memory.
  limits.memory_bandwidth = 2 * number("memory_clock_mhz") * 1e6 * number("bus_bits") / 8;
  return limits;
}

}  // namespace

DeviceLimits device_limits(const std::string& name) {
  if (!name.empty() && name != "this") {
    if (const DeviceLimits* found = find_device(name)) return *found;
    if (name == "executor") return executor_limits();
    auto names = device_names();
    names.insert(names.end(), {"this", "executor"});
    throw UsageError{unknown("device", name, names)};
  }
  const json cuda = software(false).value("cuda", json::object());
  for (const json& gpu : cuda.value("devices", json::array())) {
    const DeviceLimits* known = device_called(gpu.value("name", ""), gpu.value("compute_units", 0));
    return known ? *known : limits_from(gpu);
  }
  return executor_limits();
}

}  // namespace ladder
