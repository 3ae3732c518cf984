/// @file
/// ceilings-opencl: how fast an OpenCL device (LADDER_OPENCL_DEVICE) copies, computes, transfers and
/// launches.

#include <array>
#include <cstring>
#include <memory>

#include "common/device/opencl.hpp"
#include "common/tool/probe/sample.hpp"

using namespace ladder::probe;
using namespace ladder::cl;

namespace {

const char* const kernels = R"(
  #pragma OPENCL EXTENSION cl_khr_fp64 : enable
  kernel void nothing() {}
  kernel void copy(global const double* from, global double* to) {
    to[get_global_id(0)] = from[get_global_id(0)];
  }
  // V is the vector that the device's registers hold; the chains are independent, so that latencies overlap.
  kernel void multiply_add(global double* out, double a, double b, int rounds) {
    V x[8];
    for (int c = 0; c < 8; ++c) x[c] = (V)(b * c + get_local_id(0));
    for (int r = 0; r < rounds; ++r) {
      x[0] = fma(x[0], (V)a, (V)b); x[1] = fma(x[1], (V)a, (V)b); x[2] = fma(x[2], (V)a, (V)b);
      x[3] = fma(x[3], (V)a, (V)b); x[4] = fma(x[4], (V)a, (V)b); x[5] = fma(x[5], (V)a, (V)b);
      x[6] = fma(x[6], (V)a, (V)b); x[7] = fma(x[7], (V)a, (V)b);
    }
    V sum = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
    // The compiler must not find out that nobody needs the result.
    if (FIRST(sum) == 12345.678) out[0] = FIRST(sum);
  }
)";

template <class T>
T number(cl_device_info what) {
  T value{};
  check(clGetDeviceInfo(device(), what, sizeof value, &value, nullptr));
  return value;
}

const Program& program() {
  const auto width = number<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE);
  static const Program built(kernels, width > 1 ? "-DV=double" + std::to_string(width) + " -DFIRST(v)=v.s0"
                                                : "-DV=double -DFIRST(v)=v");
  return built;
}

void run(const Queue& queue, const Kernel& kernel, std::size_t items, std::size_t group = 0) {
  check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &items, group ? &group : nullptr, 0,
                               nullptr, nullptr));
}

void finish(const Queue& queue) {
  check(clFinish(queue.get()));
}

/// Doubles `amount` until one call takes long enough to hide the launch, or the limit is reached.
template <class Work>
std::size_t enough(std::size_t amount, std::size_t limit, Work&& work) {
  while (amount * 2 <= limit && (work(amount), seconds_of([&] { work(amount); })) < 3e-3) amount *= 2;
  return amount;
}

void copy(const Queue& queue) {
  const std::size_t most =
      std::min<std::size_t>(number<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE) / 4, std::size_t{4} << 30);
  std::unique_ptr<Buffer> from, to;
  const auto work = [&](std::size_t bytes) {
    const Kernel kernel(program(), "copy");
    set_arguments(kernel, *from, *to);
    run(queue, kernel, bytes / sizeof(double));
    finish(queue);
  };
  const auto allocate = [&](std::size_t bytes) {
    from = std::make_unique<Buffer>(CL_MEM_READ_WRITE, bytes),
    to = std::make_unique<Buffer>(CL_MEM_READ_WRITE, bytes);
    const double zero = 0;  // pages that nobody wrote may not exist yet
    for (const Buffer* b : {from.get(), to.get()}) {
      check(clEnqueueFillBuffer(queue.get(), b->get(), &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr));
    }
    finish(queue);
  };
  std::size_t bytes = std::min<std::size_t>(most, std::size_t{64} << 20);
  allocate(bytes);
  for (; bytes * 2 <= most && (work(bytes), seconds_of([&] { work(bytes); })) < 3e-3; allocate(bytes))
    bytes *= 2;
  print("copy", "byte/s", rates(2.0 * bytes, times_of([&] { work(bytes); })),
        "kernel that copies " + mebibytes(bytes) + ", read and written bytes");
}

void peak(const Queue& queue) {
  const auto width = std::max(1u, number<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE));
  const bool gpu = number<cl_device_type>(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU;
  const std::size_t group = gpu ? 256 : 1,
                    items = number<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) * (gpu ? 16 * group : 4);
  const Buffer out(CL_MEM_READ_WRITE, sizeof(double));
  const Kernel kernel(program(), "multiply_add");
  const auto work = [&](std::size_t rounds) {
    set_arguments(kernel, out, 0.999999, 1e-6, static_cast<cl_int>(rounds));
    run(queue, kernel, items, group);
    finish(queue);
  };
  const std::size_t rounds = enough(1 << 10, 1 << 24, work);
  print("double multiply-add", "flop/s",
        rates(2.0 * 8 * width * rounds * items, times_of([&] { work(rounds); })),
        "independent chains of fma in registers, " + std::to_string(width) + " doubles wide");
}

void transfers(const Queue& queue, bool pinned) {
  const std::size_t bytes =
      std::min<std::size_t>(number<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE) / 4, std::size_t{64} << 20);
  const Buffer there(CL_MEM_READ_WRITE, bytes), page_locked(CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes);
  const std::unique_ptr<char[]> pageable(new char[bytes]);
  void* here = pageable.get();
  if (pinned) {
    cl_int code;
    here = clEnqueueMapBuffer(queue.get(), page_locked.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes,
                              0, nullptr, nullptr, &code);
    check(code);
  }
  std::memset(here, 1, bytes);
  const std::string how =
      mebibytes(bytes) + (pinned ? " of mapped CL_MEM_ALLOC_HOST_PTR memory" : " of ordinary memory");
  const auto to = times_of([&] {
    check(clEnqueueWriteBuffer(queue.get(), there.get(), CL_TRUE, 0, bytes, here, 0, nullptr, nullptr));
  });
  print(pinned ? "to the device, pinned" : "to the device, pageable", "byte/s", rates(bytes, to), how);
  const auto back = times_of([&] {
    check(clEnqueueReadBuffer(queue.get(), there.get(), CL_TRUE, 0, bytes, here, 0, nullptr, nullptr));
  });
  print(pinned ? "from the device, pinned" : "from the device, pageable", "byte/s", rates(bytes, back), how);
  if (pinned)
    check(clEnqueueUnmapMemObject(queue.get(), page_locked.get(), here, 0, nullptr, nullptr)), finish(queue);
}

void launches(const Queue& queue) {
  const Kernel kernel(program(), "nothing");
  print("launch and wait", "s", times_of([&] { run(queue, kernel, 1), finish(queue); }),
        "empty kernel, clFinish after each");
  const int batch = 100;
  auto times = times_of([&] {
    for (int i = 0; i < batch; ++i) run(queue, kernel, 1);
    finish(queue);
  });
  for (double& t : times) t /= batch;
  print("launch in a row", "s", times, "empty kernel, one clFinish after 100");
}

}  // namespace

int main() {
  attempt("device", [] {
    const Queue queue;
    attempt("copy", [&] { copy(queue); });
    attempt("double multiply-add", [&] { peak(queue); });
    attempt("transfers, pinned", [&] { transfers(queue, true); });
    attempt("transfers, pageable", [&] { transfers(queue, false); });
    attempt("launch", [&] { launches(queue); });
  });
}
