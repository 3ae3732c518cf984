/// @file
/// Stands before Oclgrind's clReleaseMemObject (LD_PRELOAD). Oclgrind gives a buffer's number to the next
/// one, and 21.10 then takes what it knew of the first one's memory for the second one's. Where mistakes are
/// looked for, small buffers therefore stay until the process ends.

#include <dlfcn.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) cl_int clReleaseMemObject(cl_mem memory) {
  constexpr std::size_t max_bytes = std::size_t{256} << 20;
  static const auto next =
      reinterpret_cast<decltype(&clReleaseMemObject)>(::dlsym(RTLD_NEXT, "clReleaseMemObject"));
  static const bool keeps = std::getenv("LADDER_OCLGRIND_LOG") != nullptr;
  static std::atomic<std::size_t> kept_bytes = 0;
  std::size_t size = 0;
  if (keeps && clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr) == CL_SUCCESS &&
      (kept_bytes += size) <= max_bytes)
    return CL_SUCCESS;
  return next(memory);
}
