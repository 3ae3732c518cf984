#include "common/tool/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "common/base/process/process.hpp"
#include "common/tool/machine/ceilings.hpp"
#include "common/tool/machine/container_toolkit.hpp"
#include "common/tool/machine/software.hpp"

namespace ladder {
using nlohmann::json;
namespace {

/// The short name that people know a platform by: "pocl".
std::string short_name(const std::string& platform) {
  if (platform == "Portable Computing Language") return "pocl";
  std::string word = platform.substr(0, platform.find_first_of(" ("));
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

void add_opencl(const json& opencl, std::vector<DeviceInfo>& all) {
  int number = 0, platform_index = 0;
  for (const json& platform : opencl.value("platforms", json::array())) {
    const std::string family = "opencl:" + short_name(platform["name"]);
    int device_index = 0;
    for (const json& found : platform["devices"]) {
      DeviceInfo d{.id = fmt::format("opencl:{}", number++),
                   .backends = {"opencl"},
                   .name = found["name"],
                   .platform = platform["name"],
                   .kind = found["kind"],
                   .address = found.value("address", ""),
                   .platform_index = platform_index,
                   .device_index = device_index++,
                   .compute_units = found["compute_units"],
                   .memory_bytes = found["memory_bytes"],
                   .traceable = opencl.value("layers", false)};
      const bool taken = std::any_of(all.begin(), all.end(), [&](const DeviceInfo& other) {
        return std::count(other.aliases.begin(), other.aliases.end(), family) > 0;
      });
      if (!taken) d.aliases.push_back(family);
      if (!found.value("available", true))
        d.reason = "the driver says that the device is not available";
      else if (!found.value("compiler", true))
        d.reason = "the driver has no compiler for kernels";
      else if (!found.value("double", true))
        d.reason = "no double precision (cl_khr_fp64)";
      d.available = d.reason.empty();
      all.push_back(d);
    }
    ++platform_index;
  }
}

/// "12.4" as 1204, so that versions compare.
int ordered(const std::string& version) {
  int major = 0, minor = 0;
  std::sscanf(version.c_str(), "%d.%d", &major, &minor);
  return 100 * major + minor;
}

/// Why this toolkit and driver cannot use a GPU; empty when they can.
std::string cuda_obstacle(const json& facts, const json& gpu) {
  const std::string toolkit = facts["versions"].value("nvcc", ""), driver = facts["cuda"].value("cuda", "");
  if (toolkit.empty()) return "nvcc is not here: CUDA toolkit 12.2 or newer";
  if (ordered(toolkit) < 1202) return fmt::format("the CUDA toolkit is {}: 12.2 or newer is needed", toolkit);
  if (ordered(driver) / 100 < ordered(toolkit) / 100) {
    return fmt::format("the driver knows CUDA {}, the toolkit is {}: a newer driver or an older toolkit",
                       driver, toolkit);
  }
  if (ordered(toolkit) >= 1300 && ordered(gpu.value("capability", "")) < 705) {
    return fmt::format("compute capability {}: CUDA toolkit 13 begins at 7.5; 12.x is needed",
                       gpu.value("capability", ""));
  }
  return "";
}

void add_cuda(const json& facts, std::vector<DeviceInfo>& all) {
  int number = 0;
  for (const json& found : facts["cuda"].value("devices", json::array())) {
    DeviceInfo d{.id = fmt::format("cuda:{}", number),
                 .backends = {"cuda"},
                 .name = found["name"],
                 .kind = "gpu",
                 .address = found.value("address", ""),
                 .device_index = number,
                 .compute_units = found["compute_units"],
                 .memory_bytes = found["memory_bytes"]};
    d.reason = cuda_obstacle(facts, found);
    d.available = d.reason.empty();
    all.push_back(d);
    ++number;
  }
}

std::vector<DeviceInfo> devices_of(const json& facts) {
  const model::Machine host = host_facts();
  const auto cores = static_cast<unsigned>(host.cores);
  DeviceInfo cpu{.id = "cpu",
                 .backends = {"cpu"},
                 .name = host.cpu,
                 .kind = "cpu",
                 .compute_units = cores,
                 .memory_bytes = host.memory_bytes};
  if (facts["versions"].contains("mpirun")) cpu.backends.push_back("mpi");
  std::vector<DeviceInfo> all{cpu};
  all.push_back({.id = "executor",
                 .backends = {"executor"},
                 .name = "CUDA source on the cores",
                 .kind = "cpu",
                 .compute_units = cores,
                 .memory_bytes = host.memory_bytes});
  add_opencl(facts["opencl"], all);
  add_cuda(facts, all);
  return all;
}

/// As results have it.
model::Device in_results(const DeviceInfo& d) {
  model::Device device{.id = d.id,
                       .aliases = d.aliases,
                       .backends = d.backends,
                       .name = d.name,
                       .kind = d.kind,
                       .compute_units = static_cast<int>(d.compute_units),
                       .memory_bytes = d.memory_bytes,
                       .available = d.available,
                       .platform = d.platform};
  if (!d.platform.empty()) device.index = fmt::format("{}:{}", d.platform_index, d.device_index);
  if (!d.available) device.reason = d.reason;
  return device;
}

/// What is missing: programs, and what the probes found out about the drivers.
std::vector<model::MissingSoftware> missing(const json& facts, const std::vector<DeviceInfo>& all) {
  const auto any = [&](const std::string& backend) {
    return std::any_of(all.begin(), all.end(),
                       [&](const DeviceInfo& d) { return d.available && d.backends[0] == backend; });
  };
  std::vector<model::MissingSoftware> list = missing_software(any("cuda"));
  const json &opencl = facts["opencl"], &cuda = facts["cuda"];
  if (opencl.contains("problem"))
    list.push_back({"OpenCL", opencl["problem"].get<std::string>() + "; OpenCL rungs are SKIPPED",
                    "take that driver out: OCL_ICD_VENDORS=FOLDER with the .icd files of the others"});
  else if (!any("opencl"))
    list.push_back({"an OpenCL device", "OpenCL rungs are SKIPPED", "apt-get install pocl-opencl-icd"});
  else if (!opencl.value("layers", false))
    list.push_back({"layers of the OpenCL loader",
                    "targets on bytes, launches and waits of OpenCL rungs are SKIPPED",
                    "apt-get install ocl-icd-libopencl1 (2.3 or newer)"});
  if (cuda.contains("problem"))
    list.push_back(
        {"CUDA",
         "the NVIDIA driver " + cuda["problem"].get<std::string>() + "; CUDA rungs run on the executor",
         "look at nvidia-smi and dmesg"});
  return list;
}

/// Why a driver is of no use, as its probe says; empty: it is.
std::string reason_in(const json& probe) {
  return probe.value("reason", probe.value("problem", ""));
}

model::Confinement confinement_in(const json& probe) {
  model::Confinement found{.problem = probe.value("problem", "")};
  if (probe.contains("landlock")) found.landlock = probe["landlock"].get<int>();
  if (probe.contains("gaps")) found.gaps = probe["gaps"].get<std::vector<std::string>>();
  return found;
}

}  // namespace

std::vector<DeviceInfo> devices() {
  return devices_of(software(false));
}

model::Machine machine_facts(bool measure, const MachineProgress& progress) {
  const json facts = software(false);
  const std::vector<DeviceInfo> all = devices_of(facts);
  const json &opencl = facts["opencl"], &cuda = facts["cuda"];
  model::Machine machine = host_facts();
  machine.versions = facts["versions"].get<std::map<std::string, std::string>>();
  machine.opencl = {opencl.value("loader", ""), opencl.value("layers", false), reason_in(opencl)};
  machine.cuda = {cuda.value("driver", ""), cuda.value("cuda", ""), reason_in(cuda)};
  for (const DeviceInfo& d : all) machine.devices.push_back(in_results(d));
  machine.missing = missing(facts, all);
  machine.confinement = confinement_in(facts.value("confinement", json::object()));
  machine.container_toolkit = container_toolkit();
  if (measure) machine.ceilings = measure_ceilings(all, progress);
  return machine;
}

}  // namespace ladder
