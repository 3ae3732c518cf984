/// @file
/// probe-cuda: prints the CUDA GPUs that the driver offers, as JSON. It opens the driver itself, so it works
/// without a toolkit.

#include <dlfcn.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "common/probe/sample.hpp"

using ladder::probe::quoted;

namespace {

// The few things of cuda.h that are needed; the driver's interface is stable.
constexpr int multiprocessors = 16, clock_khz = 13, major = 75, minor = 76, shared_optin = 97,
              threads_of_multiprocessor = 39, blocks_of_multiprocessor = 106,
              registers_of_multiprocessor = 82, shared_of_multiprocessor = 81, reserved_shared = 111,
              l2_bytes = 38, memory_clock_khz = 36, bus_bits = 37;

template <class Function>
Function find(void* driver, const char* name) {
  return reinterpret_cast<Function>(dlsym(driver, name));
}

int fail(const std::string& why) {
  std::printf("{\"devices\":[],\"reason\":%s}\n", quoted(why).c_str());
  return 0;
}

/// "580.65.06" from "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  …".
std::string kernel_module() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
      return word;
  }
  return "";
}

}  // namespace

int main() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return fail("no NVIDIA driver (libcuda.so.1)");
  const auto init = find<int (*)(unsigned)>(driver, "cuInit");
  const auto version_of = find<int (*)(int*)>(driver, "cuDriverGetVersion");
  const auto count_of = find<int (*)(int*)>(driver, "cuDeviceGetCount");
  const auto device_of = find<int (*)(int*, int)>(driver, "cuDeviceGet");
  const auto name_of = find<int (*)(char*, int, int)>(driver, "cuDeviceGetName");
  const auto memory_of = find<int (*)(std::size_t*, int)>(driver, "cuDeviceTotalMem_v2");
  const auto attribute_of = find<int (*)(int*, int, int)>(driver, "cuDeviceGetAttribute");
  const auto address_of = find<int (*)(char*, int, int)>(driver, "cuDeviceGetPCIBusId");
  const auto error_of = find<int (*)(int, const char**)>(driver, "cuGetErrorString");
  if (!init || !version_of || !count_of || !device_of || !name_of || !memory_of || !attribute_of)
    return fail("libcuda.so.1 lacks functions");

  int count = 0, version = 0;
  if (const int code = init(0)) {
    const char* why = nullptr;
    if (error_of) error_of(code, &why);
    return fail("the NVIDIA driver does not start: " +
                std::string(why ? why : "error " + std::to_string(code)));
  }
  version_of(&version);
  if (count_of(&count) != 0 || count == 0) return fail("the NVIDIA driver offers no GPU");
  std::printf("{\"driver\":%s,\"cuda\":\"%d.%d\",\"devices\":[", quoted(kernel_module()).c_str(),
              version / 1000, version % 1000 / 10);
  for (int i = 0; i < count; ++i) {
    char name[256] = "", address[32] = "";
    std::size_t memory = 0;
    int device = 0;
    device_of(&device, i);
    name_of(name, sizeof name, device);
    if (address_of) address_of(address, sizeof address, device);
    memory_of(&memory, device);
    const auto attribute = [&](int what) {
      int value = 0;
      attribute_of(&value, what, device);
      return value;
    };
    std::printf(
        "%s{\"name\":%s,\"address\":%s,\"memory_bytes\":%zu,\"compute_units\":%d,\"capability\":\"%d.%d\","
        "\"clock_mhz\":%d,"
        "\"local_bytes\":%d,\"threads_per_multiprocessor\":%d,\"blocks_per_multiprocessor\":%d,"
        "\"registers_per_multiprocessor\":%d,\"shared_per_multiprocessor\":%d,"
        "\"reserved_shared_per_block\":%d,\"l2_bytes\":%d,\"memory_clock_mhz\":%d,\"bus_bits\":%d}",
        i ? "," : "", quoted(name).c_str(), quoted(address).c_str(), memory, attribute(multiprocessors),
        attribute(major), attribute(minor), attribute(clock_khz) / 1000, attribute(shared_optin),
        attribute(threads_of_multiprocessor), attribute(blocks_of_multiprocessor),
        attribute(registers_of_multiprocessor), attribute(shared_of_multiprocessor),
        attribute(reserved_shared), attribute(l2_bytes), attribute(memory_clock_khz) / 1000,
        attribute(bus_bits));
  }
  std::printf("]}\n");
}
