/// @file
/// Stands before Oclgrind's clEnqueueNDRangeKernel (LD_PRELOAD) and chooses a work-group size where the
/// program leaves it open. Oclgrind would take groups of one work-item: no warps to count, and a slow run.

#include <dlfcn.h>

#ifndef CL_TARGET_OPENCL_VERSION  // which headers of Oclgrind define, too
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace {

using Range = std::array<std::size_t, 3>;

/// The largest divisor of @p n that is at most @p limit.
std::size_t divisor(std::size_t n, std::size_t limit) {
  for (std::size_t d = std::min(n, limit); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

/// As drivers do it: at most 256 work-items, as many as possible along the first dimension.
Range choose(const std::size_t* global, cl_uint dimensions) {
  constexpr std::size_t default_size = 256, max = 1024, warp = 32;
  Range local{1, 1, 1};
  local[0] = divisor(global[0], default_size);
  if (local[0] < warp) local[0] = divisor(global[0], max);  // a prime number, or twice one
  std::size_t room = std::max<std::size_t>(default_size / local[0], 1);
  for (cl_uint d = 1; d < dimensions && d < 3; ++d) {
    local[d] = divisor(global[d], room);
    room /= local[d];
  }
  return local;
}

/// Whether the kernel's own attribute says the size.
bool has_own_size(cl_kernel kernel) {
  Range size{};
  return clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size,
                                  size.data(), nullptr) == CL_SUCCESS &&
         size[0] != 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) cl_int clEnqueueNDRangeKernel(
    cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const std::size_t* offset,
    const std::size_t* global, const std::size_t* local, cl_uint waits, const cl_event* wait_list,
    cl_event* event) {
  static const auto next =
      reinterpret_cast<decltype(&clEnqueueNDRangeKernel)>(::dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  Range chosen{};
  const bool open = !local && global && dimensions >= 1 && dimensions <= 3 &&
                    std::all_of(global, global + dimensions, [](std::size_t n) { return n > 0; });
  if (open && !has_own_size(kernel)) {
    chosen = choose(global, dimensions);
    local = chosen.data();
  }
  return next(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}
