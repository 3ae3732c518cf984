#pragma once
/// @file
/// Where a step runs: its back end and device, or why there is none.

#include <map>
#include <string>
#include <vector>

#include "common/tool/build/build.hpp"
#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// A device as the verbs name it.
struct Device {
  std::string name;         ///< cpu, executor, cuda:0, opencl:0
  std::string family;       ///< cpu, executor, cuda, opencl
  std::string description;  ///< "NVIDIA H200"
  std::string selector;     ///< what its run-time wants to hear: "0:1" for OpenCL, "0" for CUDA
  bool gpu = false;
  bool pocl = false;
  bool traceable = true;  ///< its transfers can be recorded
  std::string address{};  ///< on the PCI bus, where it is known
  double memory_bytes = 0;
};

/// What one step gets.
struct Placement {
  std::string backend;  ///< cpu, mpi, opencl, executor, cuda
  std::string device;
  std::string skip;  ///< why it cannot run; empty when it can
  std::map<std::string, std::string> environment;
  std::string untraceable{};  ///< why no recorder can be used; empty when one can
  std::string gpu{};          ///< the PCI address of its GPU; empty: none, or not known
  double device_bytes = 0;    ///< memory of its GPU; 0: none
};

/// Chooses devices for steps.
class Placer {
 public:
  /// @param wish  the option --device; empty: the best there is
  /// @throws UsageError for a device that is not there, with the nearest names
  Placer(std::vector<Device> devices, std::string wish);

  /// @param worker_without_backend  "workers/solutions/03-dgemm/g2_shared_tiles"
  Placement place(const StepEntry& step, const Build& build, const std::string& worker_without_backend) const;

  /// Whether the wished device can run steps of this family (cpu, mpi, opencl, cuda, mpi+cuda).
  bool suits(const std::string& family) const;

  const std::vector<Device>& devices() const { return devices_; }

 private:
  const Device* opencl_device() const;
  const Device* cuda_device() const;
  Placement place_cuda(const StepEntry& step, const Build& build, const std::string& worker) const;
  std::vector<Device> devices_;
  std::string wish_;
};

/// The devices of this machine.
std::vector<Device> find_devices();

/// What CUDA_VISIBLE_DEVICES has to say for this device: with the variable set, device i is the i-th of its
/// list.
std::string visible_cuda(const std::string& index);

}  // namespace ladder
