#pragma once
/// @file
/// What this machine is: its devices, versions, and how fast it can be at best.

#include <functional>
#include <string>
#include <vector>

#include "common/model/machine.hpp"

namespace ladder {

/// Something that steps can run on.
struct DeviceInfo {
  std::string id;                       ///< "cpu", "executor", "opencl:0", "cuda:0"
  std::vector<std::string> aliases{};   ///< other names: "opencl:pocl"
  std::vector<std::string> backends{};  ///< "cpu", "mpi", "executor", "opencl", "cuda"
  std::string name{};                   ///< "NVIDIA H200"
  std::string platform{};               ///< OpenCL: the platform's name
  std::string kind{};                   ///< "cpu", "gpu", "accelerator"
  std::string address{};                ///< NVIDIA: on the PCI bus, "0000:17:00.0"
  int platform_index = -1;              ///< OpenCL: of LADDER_OPENCL_DEVICE
  int device_index = -1;                ///< OpenCL: as before; CUDA: of CUDA_VISIBLE_DEVICES
  unsigned compute_units = 0;           ///< cores, multiprocessors
  double memory_bytes = 0;
  bool traceable = true;  ///< OpenCL: the loader takes layers, so that transfers can be recorded
  bool available = true;
  std::string reason{};  ///< why it is not available
};

/// The devices of this machine, those that cannot be used too. Asks the drivers through child programs, so
/// that a broken one neither crashes nor hangs the tool, and remembers their answers in the build folder
/// until something changes.
std::vector<DeviceInfo> devices();

/// Called while measuring: what is measured now, and the share that is done.
using MachineProgress = std::function<void(const std::string&, double)>;

/// The machine of the results: processor, memory, system, versions, devices, and what is missing.
/// @param measure  also measures the ceilings: some seconds a device; builds the programs for it when they
/// are not there
model::Machine machine_facts(bool measure, const MachineProgress& progress = {});

}  // namespace ladder
