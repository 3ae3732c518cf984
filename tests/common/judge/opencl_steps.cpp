// Steps that use the device, and two that take the recorder out.

#include <dlfcn.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "common/device/opencl.hpp"
#include "problem.hpp"

extern char** environ;

namespace probe {
namespace {

namespace cl = ladder::cl;

void through_the_device(const Problem& p, int times) {
  const cl::Queue queue;
  const std::size_t bytes = std::size_t(p.n) * sizeof(double);
  const cl::Buffer dx(CL_MEM_READ_WRITE, bytes);
  for (int i = 0; i < times; ++i)
    cl::check(clEnqueueWriteBuffer(queue.get(), dx.get(), CL_TRUE, 0, bytes, p.x, 0, nullptr, nullptr));
  cl::check(clEnqueueReadBuffer(queue.get(), dx.get(), CL_TRUE, 0, bytes, p.y, 0, nullptr, nullptr));
  for (int i = 0; i < p.n; ++i) p.y[i] *= 2;
}

#ifdef UNLOADS_RECORDER
struct Unload {
  Unload() {
    const bool only_once =
        UNLOADS_RECORDER == 1;  // a worker of one session that is started again has the same folder
    if (!only_once || ::mkdir("unloaded", 0700) == 0) ::unsetenv("OPENCL_LAYERS");
  }
};
// Before the loader reads it: the constructors of a program run before its first call.
[[gnu::init_priority(101)]] Unload unload;
#endif

}  // namespace

void copies_once(const Problem& p) {
  through_the_device(p, 1);
}
void copies_twice(const Problem& p) {
  through_the_device(p, 3);
}
void takes_long_from_4000(const Problem& p) {
  through_the_device(p, 1);
  if (p.n >= 4000) std::this_thread::sleep_for(std::chrono::milliseconds(700));
}
void unloads_the_recorder(const Problem& p) {
  through_the_device(p, 3);
}
void unloads_the_recorder_once(const Problem& p) {
  through_the_device(p, 1);
}

/// Launches of one kernel at the same time, of which PoCL makes two versions: with an offset and without.
void runs_in_two_queues(const Problem& p) {
  if (!::dlsym(RTLD_DEFAULT, "pocl_release_dlhandle_cache"))
    throw ladder::Error("PoCL's drivers do not find the worker's pocl_release_dlhandle_cache");
  static const cl::Program program{cl::Source(R"(kernel void twice(global const double* x, global double* y) {
    const int i = get_global_id(0);
    y[i] = 2 * x[i];
  })")};
  const cl::Kernel twice{program, "twice"};
  const cl::Queue first, second;
  const std::size_t bytes = std::size_t(p.n) * sizeof(double), half = p.n / 2, rest = p.n - half, group = 1;
  const cl::Buffer dx(CL_MEM_READ_ONLY, bytes), dy(CL_MEM_WRITE_ONLY, bytes);
  cl::check(clEnqueueWriteBuffer(first.get(), dx.get(), CL_TRUE, 0, bytes, p.x, 0, nullptr, nullptr));
  cl::set_arguments(twice, dx, dy);
  for (int i = 0; i < 50; ++i) {
    if (half > 0)
      cl::check(
          clEnqueueNDRangeKernel(first.get(), twice.get(), 1, nullptr, &half, &group, 0, nullptr, nullptr));
    cl::check(
        clEnqueueNDRangeKernel(second.get(), twice.get(), 1, &half, &rest, &group, 0, nullptr, nullptr));
  }
  cl::check(clFinish(first.get()));
  cl::check(clFinish(second.get()));
  cl::check(clEnqueueReadBuffer(first.get(), dy.get(), CL_TRUE, 0, bytes, p.y, 0, nullptr, nullptr));
}

/// Of the first of the two kernels nothing is wrong.
void launches_an_endless_kernel(const Problem& p) {
  static const cl::Program program{cl::Source(R"(kernel void ends(global int* x) { x[0] = 1; }
  kernel void spins(global volatile int* x) {
    while (x[0] != 2) x[1] = get_global_id(0);
  })")};
  const cl::Kernel ends{program, "ends"}, spins{program, "spins"};
  const cl::Queue queue;
  const cl::Buffer dx(CL_MEM_READ_WRITE, 64);
  const std::size_t one = 1;
  cl::set_arguments(ends, dx);
  cl::set_arguments(spins, dx);
  cl::check(clEnqueueNDRangeKernel(queue.get(), ends.get(), 1, nullptr, &one, &one, 0, nullptr, nullptr));
  cl::check(clEnqueueNDRangeKernel(queue.get(), spins.get(), 1, nullptr, &one, &one, 0, nullptr, nullptr));
  cl::check(clEnqueueReadBuffer(queue.get(), dx.get(), CL_TRUE, 0, sizeof(int), p.y, 0, nullptr, nullptr));
}

const cl::Source misspelt = R"(
kernel void k(global int* x) {
  x[0] = elment;
})";
void has_a_kernel_that_does_not_compile(const Problem&) {
  static const cl::Program program{misspelt};
}

}  // namespace probe
