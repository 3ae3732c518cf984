#include "common/tool/machine/placement.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/machine/machine.hpp"

namespace ladder {
std::string visible_cuda(const std::string& index) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!visible || !*visible) return index;
  std::istringstream list(visible);
  std::string entry;
  for (int i = std::atoi(index.c_str()); i >= 0 && std::getline(list, entry, ','); --i) {
  }
  return entry;
}

Placer::Placer(std::vector<Device> devices, std::string wish)
    : devices_(std::move(devices)), wish_(std::move(wish)) {
  if (wish_.empty()) return;
  std::vector<std::string> known = {"cpu", "executor"};
  for (const Device& d : devices_) {
    known.push_back(d.name);
    known.push_back(d.family);
    if (d.family == "opencl") known.push_back("opencl:" + d.selector);
    if (d.pocl) known.push_back("pocl");
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (std::find(known.begin(), known.end(), wish_) == known.end()) {
    // A GPU that is not there is near to nothing in spelling only; say what there is.
    const bool family = wish_.rfind("cuda", 0) == 0 || wish_.rfind("opencl", 0) == 0 || wish_ == "pocl";
    std::string text = unknown("device", wish_, known);
    if (family) {
      text = "device '" + wish_ + "' is not on this machine; there are: ";
      for (const std::string& name : known) text += (name == known.front() ? "" : ", ") + name;
    }
    throw UsageError{text};
  }
}

bool Placer::suits(const std::string& family) const {
  if (wish_.empty() || wish_ == "cpu") return true;
  if (is_cuda(family)) return wish_ == "executor" || wish_.rfind("cuda", 0) == 0;
  if (family == "opencl") return wish_ == "pocl" || wish_.rfind("opencl", 0) == 0;
  return false;
}

const Device* Placer::opencl_device() const {
  const Device* best = nullptr;
  for (const Device& d : devices_) {
    if (d.family != "opencl") continue;
    if (wish_ == d.name || wish_ == "opencl:" + d.selector) return &d;
    if ((wish_ == "pocl" && !d.pocl) || (wish_ == "cpu" && d.gpu)) continue;
    if (!best || (d.gpu && !best->gpu)) best = &d;
  }
  return best;
}

const Device* Placer::cuda_device() const {
  if (wish_ == "executor" || wish_ == "cpu") return nullptr;
  for (const Device& d : devices_)
    if (d.family == "cuda" && (wish_ == d.name || wish_.rfind("cuda:", 0) != 0)) return &d;
  return nullptr;
}

Placement Placer::place(const StepEntry& step, const Build& build, const std::string& worker) const {
  const std::string family = step.family();
  if (family == "cpu") return {"cpu", "cpu", "", {}};
  if (family == "mpi")
    return {"mpi",
            "cpu",
            build.knows(worker + ".mpi") ? "" : "Open MPI is not here (package libopenmpi-dev)",
            {}};
  if (family == "opencl") {
    const Device* d = opencl_device();
    if (!build.knows(worker + ".opencl"))
      return {"opencl", "none", "OpenCL is not here (package ocl-icd-opencl-dev)", {}};
    if (!d)
      return {"opencl", "none", "no OpenCL platform with a device that fits (package pocl-opencl-icd)", {}};
    Placement place{"opencl", d->name, "", {{"LADDER_OPENCL_DEVICE", d->selector}}};
    if (d->gpu)
      place.environment["LADDER_OPENCL_GPU"] = "1", place.gpu = d->address,
      place.device_bytes = d->memory_bytes;
    if (!d->traceable) place.untraceable = "the OpenCL loader takes no layers (ocl-icd 2.3 or newer does)";
    return place;
  }
  return place_cuda(step, build, worker);
}

/// Each rank has a GPU of its own, or all run on the executor.
Placement Placer::place_cuda(const StepEntry& step, const Build& build, const std::string& worker) const {
  const auto knows = [&](const char* backend) {
    return build.knows(worker + "." + worker_ending(step.name, backend));
  };
  const bool ranks = has_ranks(step.name), built = knows("cuda");
  const auto gpus = std::count_if(devices_.begin(), devices_.end(),
                                  [](const Device& device) { return device.family == "cuda"; });
  const Device* gpu = cuda_device();
  if (gpu && built && (!ranks || gpus >= step.ranks())) {
    Placement place{.backend = "cuda",
                    .device = gpu->name,
                    .skip = "",
                    .environment = {},
                    .gpu = gpu->address,
                    .device_bytes = gpu->memory_bytes};
    if (!ranks) place.environment["CUDA_VISIBLE_DEVICES"] = visible_cuda(gpu->selector);
    return place;
  }
  if (wish_.rfind("cuda", 0) == 0) {
    std::string why = "nvcc is not here (CUDA toolkit 12.2 or newer)";
    if (ranks && built)
      why = "its " + std::to_string(step.ranks()) + " ranks need a GPU each, and this machine has " +
            std::to_string(gpus);
    else if (ranks)
      why = "nvcc, NCCL or Open MPI is not here (CUDA toolkit 12.2 or newer, libnccl-dev, libopenmpi-dev)";
    return {"cuda", wish_, why, {}};
  }
  if (!knows("executor"))
    return {
        "executor",
        "executor",
        ranks ? "Open MPI is not here (package libopenmpi-dev)" : "the executor is not part of this build",
        {}};
  return {"executor", "executor", "", {}};
}

std::vector<Device> find_devices() {
  std::vector<Device> found;
  for (const DeviceInfo& info : devices()) {
    if (!info.available) continue;
    const std::string family = info.id.substr(0, info.id.find(':'));
    Device device{info.id, family, info.name, "", info.kind == "gpu", false};
    device.memory_bytes = double(info.memory_bytes);
    if (family == "opencl")
      device.selector = std::to_string(info.platform_index) + ":" + std::to_string(info.device_index);
    if (family == "cuda") device.selector = std::to_string(info.device_index);
    device.traceable = info.traceable;
    device.address = info.address;
    device.pocl = info.platform.find("Portable Computing Language") != std::string::npos;
    found.push_back(device);
  }
  return found;
}

}  // namespace ladder
