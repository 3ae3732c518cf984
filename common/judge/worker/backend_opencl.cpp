#include <dlfcn.h>

#include "common/base/clock.hpp"
#include "common/device/opencl.hpp"
#include "common/judge/worker/whereabouts.hpp"
#include "common/judge/worker/worker.hpp"

namespace ladder {
namespace {

/// Work for a whole GPU: after an idle time it runs at lower clocks.
class Busy {
 public:
  Busy() { cl::set_arguments(kernel_, result_); }

  void work(double seconds) const {
    const Stopwatch watch;
    while (watch.seconds() < seconds) {
      constexpr std::size_t items = std::size_t{1} << 16;
      cl::check(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 1, nullptr, &items, nullptr, 0, nullptr,
                                       nullptr));
      cl::check(clFinish(queue_.get()));
    }
  }

 private:
  cl::Queue queue_;
  cl::Program program_{cl::Source(R"(kernel void busy(global float* result) {
    float x = get_global_id(0);
    for (int i = 0; i < 100000; ++i) x = x * 0.999f + 1.0f;
    if (x < 0) *result = x;
  })")};
  cl::Kernel kernel_{program_, "busy"};
  cl::Buffer result_{CL_MEM_READ_WRITE, sizeof(float)};
};

/// What the step has launched last. A kernel that does not end is nearly always that one.
struct LastLaunch {
  cl_kernel kernel = nullptr;
  const void* returns_to = nullptr;
};
LastLaunch last_launch;

class OpenCl final : public Backend {
 public:
  OpenCl() { device_ = cl::name(cl::device()); }
  const char* name() const override { return "opencl"; }
  std::string device() const override { return device_; }
  void warm() override {
    cl_device_type type = 0;
    cl::check(clGetDeviceInfo(cl::device(), CL_DEVICE_TYPE, sizeof type, &type, nullptr));
    if (!(type & CL_DEVICE_TYPE_GPU)) return;
    static const Busy busy;
    busy.work(0.01);
  }
  // A resident problem has handles of buffers where others have pointers.
  void synchronize() override {
    if (resident_) cl::check(clFinish(cl::queue()));
  }
  void* allocate(std::size_t bytes, const char*) override {
    resident_ = true;
    cl_int code = CL_SUCCESS;
    const cl_mem memory = clCreateBuffer(cl::context(), CL_MEM_READ_WRITE, bytes ? bytes : 1, nullptr, &code);
    cl::check(code);
    return memory;
  }
  void release(void* array) override { static_cast<void>(clReleaseMemObject(cl::memory(array))); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;  // OpenCL knows no empty copies
    cl::check(
        clEnqueueWriteBuffer(cl::queue(), cl::memory(to), CL_TRUE, 0, bytes, from, 0, nullptr, nullptr));
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    cl::check(clEnqueueReadBuffer(cl::queue(), cl::memory(from), CL_TRUE, 0, bytes, to, 0, nullptr, nullptr));
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    cl::check(
        clEnqueueCopyBuffer(cl::queue(), cl::memory(from), cl::memory(to), 0, 0, bytes, 0, nullptr, nullptr));
  }
  void fill(void* to, std::byte value, std::size_t bytes) override {
    if (bytes == 0) return;
    cl::check(clEnqueueFillBuffer(cl::queue(), cl::memory(to), &value, sizeof value, 0, bytes, 0, nullptr,
                                  nullptr));
  }

 private:
  bool resident_ = false;
  std::string device_;
};

}  // namespace

Backend& backend(int*, char***) {
  static OpenCl opencl;
  return opencl;
}

/// In a signal's handler, of a worker that is ended whatever becomes of it.
const void* last_kernel(char (&name)[256]) {
  name[0] = '\0';
  if (last_launch.kernel)
    static_cast<void>(
        clGetKernelInfo(last_launch.kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, nullptr));
  return last_launch.returns_to;
}

}  // namespace ladder

/// The step's launches come here, before they reach OpenCL: only here the line of the launch is known.
extern "C" cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const std::size_t* offset, const std::size_t* global,
                                         const std::size_t* local, cl_uint count, const cl_event* list,
                                         cl_event* event) {
  static const auto below =
      reinterpret_cast<decltype(&clEnqueueNDRangeKernel)>(::dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  ladder::last_launch = {kernel, __builtin_return_address(0)};
  return below(queue, kernel, dimensions, offset, global, local, count, list, event);
}
