#include <dlfcn.h>

#include "common/base/error.hpp"
#include "common/judge/timing/energy.hpp"

namespace ladder {
namespace {

/// The few functions of nvml.h that are needed. The library comes with the driver, so it is opened, not
/// linked.
class Nvml {
 public:
  explicit Nvml(const std::string& library) : library_(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) throw Error("no NVIDIA driver to ask (" + library + ")");
    find(start_, "nvmlInit_v2");
    find(device_at_, "nvmlDeviceGetHandleByPciBusId_v2");
    find(millijoules_, "nvmlDeviceGetTotalEnergyConsumption");
    find(words_, "nvmlErrorString");
    check(start_(), "does not start");
  }
  void* device_at(const std::string& address) const {
    void* device = nullptr;
    check(device_at_(address.c_str(), &device), "does not know the GPU at " + address);
    return device;
  }
  double joules(void* device) const {
    unsigned long long since_start = 0;
    check(millijoules_(device, &since_start), "has no counter of energy for this GPU");
    return 1e-3 * static_cast<double>(since_start);
  }

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    if (!function) throw Error(std::string("the NVIDIA driver's library has no ") + name);
  }
  void check(int code, const std::string& what) const {
    if (code != 0) throw Error("the NVIDIA driver " + what + " (NVML: " + words_(code) + ")");
  }

  void* library_;  // never closed: the driver has threads and handlers in it
  int (*start_)();
  int (*device_at_)(const char*, void**);
  int (*millijoules_)(void*, unsigned long long*);
  const char* (*words_)(int);
};

class Gpu final : public EnergyCounter {
 public:
  Gpu(const std::string& library, const std::string& address)
      : nvml_(library), device_(nvml_.device_at(address)), last_(nvml_.joules(device_)) {}
  double spent() override {
    const double now = nvml_.joules(device_), before = last_;
    last_ = now;
    return now - before;
  }

 private:
  Nvml nvml_;
  void* device_;
  double last_;
};

}  // namespace

OpenedCounter gpu_energy(const std::string& library, const std::string& address) {
  if (address.empty())
    return {nullptr, "the address of this GPU is not known: only the driver of NVIDIA is asked for it"};
  try {
    return {std::make_unique<Gpu>(library, address), ""};
  } catch (const Error& error) {
    return {nullptr, error.what()};
  }
}

}  // namespace ladder
