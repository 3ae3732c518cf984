// OpenCL kernels that are right, slow, or wrong where only a simulator sees it.

#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace probe {
namespace {

namespace cl = ladder::cl;
using cl::check;

const cl::Source kernels = R"(
kernel void twice(int n, global const double* x, global double* y) {
  const int i = get_global_id(0);
  if (i < n) y[i] = 2 * x[i];
}

// Neighbouring work-items are a column apart.
kernel void twice_strided(int n, global const double* x, global double* y) {
  const int i = get_global_id(0);
  const int rows = n / 32;
  const int j = i < rows * 32 ? i % 32 * rows + i / 32 : i;
  if (i < n) y[j] = 2 * x[j];
}

// Right where work-items run one after the other: nothing makes one wait for its neighbour.
kernel void twice_with_race(int n, global const double* x, global double* y) {
  local double tile[64];
  const int t = get_local_id(0), i = get_global_id(0);
  tile[t] = i < n ? x[i] : 0;
  if (t > 0 && i - 1 < n) y[i - 1] = 2 * tile[t - 1];
  if (t == 63 && i < n) y[i] = 2 * tile[t];
}

// All set the same element to the same value: a warning.
kernel void twice_and_all_set(int n, global const double* x, global double* y) {
  const int i = get_global_id(0);
  if (i < n) y[i] = 2 * x[i];
  y[n] = 1;
}

kernel void twice_beyond(int n, global const double* x, global double* y) {
  const int i = get_global_id(0);
  const double next = x[i + 1];
  if (i < n) y[i] = next == 12345 ? 0 : 2 * x[i];
}
)";

/// @param room  elements of y beyond the n that count
void with(const char* name, const Problem& p, std::size_t room = 0) {
  const cl::Program program(kernels);
  const cl::Kernel kernel(program, name);
  const cl::Queue queue;
  const std::size_t group = 64, n = std::size_t(p.n), range = (n + group - 1) / group * group;
  const std::size_t bytes = n * sizeof(double);
  const cl::Buffer x(CL_MEM_READ_WRITE, bytes), y(CL_MEM_READ_WRITE, bytes + room * sizeof(double));
  check(clEnqueueWriteBuffer(queue.get(), x.get(), CL_TRUE, 0, bytes, p.x, 0, nullptr, nullptr));
  cl::set_arguments(kernel, p.n, x, y);
  check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &range, &group, 0, nullptr, nullptr));
  check(clEnqueueReadBuffer(queue.get(), y.get(), CL_TRUE, 0, bytes, p.y, 0, nullptr, nullptr));
}

}  // namespace

void kernel_coalesced(const Problem& p) {
  with("twice", p);
}
void kernel_strided(const Problem& p) {
  with("twice_strided", p);
}
void kernel_races(const Problem& p) {
  with("twice_with_race", p);
}
void kernel_sets_one(const Problem& p) {
  with("twice_and_all_set", p, 1);
}
void kernel_reads_beyond(const Problem& p) {
  with("twice_beyond", p);
}

}  // namespace probe
