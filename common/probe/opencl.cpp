/// @file
/// probe-opencl: prints the loader, the platforms and their devices as JSON.

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS  // its clGetExtensionFunctionAddress needs no platform
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "common/probe/sample.hpp"

using ladder::probe::quoted;

namespace {

std::string text(cl_platform_id platform, cl_platform_info what) {
  size_t size = 0;
  if (clGetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS) return "";
  std::string out(size, '\0');
  clGetPlatformInfo(platform, what, size, out.data(), nullptr);
  return out.c_str();
}

std::string text(cl_device_id device, cl_device_info what) {
  size_t size = 0;
  if (clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS) return "";
  std::string out(size, '\0');
  clGetDeviceInfo(device, what, size, out.data(), nullptr);
  return out.c_str();
}

template <class T>
T number(cl_device_id device, cl_device_info what) {
  T value{};
  clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

/// What the loader says of itself; only ocl-icd can be asked.
std::string loader() {
  using Ask = cl_int (*)(cl_uint, size_t, void*, size_t*);
  const auto ask = reinterpret_cast<Ask>(clGetExtensionFunctionAddress("clGetICDLoaderInfoOCLICD"));
  if (!ask) return "OpenCL loader (not ocl-icd)";
  char version[200] = "";
  ask(2, sizeof version, version, nullptr);  // CL_ICDL_VERSION of ocl_icd.h
  return std::string("ocl-icd ") + version;
}

/// The address on the PCI bus as NVIDIA's driver reports it (cl_nv_device_attribute_query); empty for others.
std::string address(cl_device_id device) {
  constexpr cl_device_info bus = 0x4008, slot = 0x4009, domain = 0x400A;
  if (text(device, CL_DEVICE_EXTENSIONS).find("cl_nv_device_attribute_query") == std::string::npos) return "";
  const auto written = [&](unsigned number_on_bus, unsigned function) {
    char out[32];
    std::snprintf(out, sizeof out, "%04x:%02x:%02x.%x", number<cl_uint>(device, domain),
                  number<cl_uint>(device, bus), number_on_bus, function);
    return std::string(out);
  };
  // The slot is the device's number and, in the last three bits, its function, or the number alone: drivers
  // differ.
  const auto place = number<cl_uint>(device, slot);
  const std::string bus_and_function = written(place >> 3, place & 7), alone = written(place, 0);
  const auto there = [](const std::string& name) {
    return std::filesystem::exists("/sys/bus/pci/devices/" + name);
  };
  return !there(bus_and_function) && there(alone) ? alone : bus_and_function;
}

void print_device(cl_device_id device, bool first) {
  const auto type = number<cl_device_type>(device, CL_DEVICE_TYPE);
  const char* kind = type & CL_DEVICE_TYPE_GPU ? "gpu" : type & CL_DEVICE_TYPE_CPU ? "cpu" : "accelerator";
  const bool fp64 = text(device, CL_DEVICE_EXTENSIONS).find("cl_khr_fp64") != std::string::npos;
  std::printf(
      "%s{\"name\":%s,\"kind\":\"%s\",\"version\":%s,\"driver\":%s,\"compute_units\":%u,\"clock_mhz\":%u,"
      "\"memory_bytes\":%llu,\"local_bytes\":%llu,\"double\":%s,\"available\":%s,\"compiler\":%s,"
      "\"address\":%s}",
      first ? "" : ",", quoted(text(device, CL_DEVICE_NAME)).c_str(), kind,
      quoted(text(device, CL_DEVICE_VERSION)).c_str(), quoted(text(device, CL_DRIVER_VERSION)).c_str(),
      number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS),
      number<cl_uint>(device, CL_DEVICE_MAX_CLOCK_FREQUENCY),
      static_cast<unsigned long long>(number<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE)),
      static_cast<unsigned long long>(number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE)),
      fp64 ? "true" : "false", number<cl_bool>(device, CL_DEVICE_AVAILABLE) ? "true" : "false",
      number<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) ? "true" : "false",
      quoted(address(device)).c_str());
}

void print_platform(cl_platform_id platform, bool first) {
  std::printf("%s{\"name\":%s,\"vendor\":%s,\"version\":%s,\"devices\":[", first ? "" : ",",
              quoted(text(platform, CL_PLATFORM_NAME)).c_str(),
              quoted(text(platform, CL_PLATFORM_VENDOR)).c_str(),
              quoted(text(platform, CL_PLATFORM_VERSION)).c_str());
  cl_uint count = 0;
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  std::vector<cl_device_id> devices(count);
  if (count > 0) clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
  for (cl_uint i = 0; i < count; ++i) print_device(devices[i], i == 0);
  std::printf("]}");
}

}  // namespace

int main() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count > 0) clGetPlatformIDs(count, platforms.data(), nullptr);
  std::printf("{\"loader\":%s,\"layers\":%s,\"platforms\":[", quoted(loader()).c_str(),
              std::getenv("LADDER_PROBE_LAYER") ? "true" : "false");
  for (cl_uint i = 0; i < count; ++i) print_platform(platforms[i], i == 0);
  std::printf("]}\n");
}
