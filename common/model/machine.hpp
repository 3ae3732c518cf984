#pragma once
/// @file
/// The machine that results were measured on. document_json.hpp has it as documents have it.

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ladder::model {

/// A device that can run rungs.
struct Device {
  std::string id{};  ///< "cpu", "cuda:0"
  std::vector<std::string> aliases{}, backends{};
  std::string name{}, kind{};
  int compute_units = 0;
  double memory_bytes = 0;
  bool available = true;
  std::string platform{}, index{};  ///< of OpenCL: "Portable Computing Language", "0:1"
  std::string reason{};             ///< why it is not available
};

/// One ceiling of a device, as doctor has measured it.
struct MeasuredCeiling {
  std::string what{}, unit{}, how{};
  std::optional<double> median{}, low{}, high{};
  std::optional<int> runs{};
  std::optional<double> busy{};  ///< share of the cores that others used meanwhile
  std::string error{};           ///< why it is not known
};

/// The ceilings of devices, by device.
using Ceilings = std::map<std::string, std::vector<MeasuredCeiling>>;

/// Something that is not installed.
struct MissingSoftware {
  std::string name{}, cost{}, install{};
};

/// What the loader of OpenCL can do.
struct OpenclLoader {
  std::string loader{};
  bool layers = false;
  std::string reason{};
};

/// NVIDIA's driver, and the version of CUDA that it knows.
struct CudaDriver {
  std::string driver{}, cuda{}, reason{};
};

/// What the kernel refuses to a worker.
struct Confinement {
  std::optional<int> landlock{};  ///< version; 0: not there
  std::optional<std::vector<std::string>> gaps{};
  std::string problem{};  ///< why it is not known
};

/// NVIDIA's Container Toolkit, which gave a container its GPU.
struct ContainerToolkit {
  std::string version{}, warning{};
};

/// A machine; of the host alone where devices were not looked for.
struct Machine {
  std::string cpu{}, architecture{};
  int cores = 0;
  std::string os{}, kernel{};
  double load = 0;
  double memory_bytes = 0;
  std::map<std::string, std::string> versions{};
  std::optional<OpenclLoader> opencl{};
  std::optional<CudaDriver> cuda{};
  std::vector<Device> devices{};
  std::optional<std::vector<MissingSoftware>> missing{};  ///< nothing: not looked for
  std::optional<Confinement> confinement{};
  std::optional<ContainerToolkit> container_toolkit{};
  std::optional<Ceilings> ceilings{};  ///< nothing: not measured
};

}  // namespace ladder::model
