/// @file
/// ceilings-opencl: how fast an OpenCL device (LADDER_OPENCL_DEVICE) copies, computes, transfers and
/// launches.

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

#include "common/device/opencl.hpp"
#include "common/probe/sample.hpp"

using namespace ladder::probe;
using namespace ladder::cl;

namespace {

const char* const kernels = R"(
  #pragma OPENCL EXTENSION cl_khr_fp64 : enable
  kernel void nothing() {}
  kernel void copy(global const double* from, global double* to) {
    to[get_global_id(0)] = from[get_global_id(0)];
  }
  // Work-item i reads `each` vectors: from i * apart on, those that are `step` apart. On a GPU neighbours
  // read neighbours, and in each pass what others have read before; on a processor each has a part of its
  // own.
  kernel void read(global const V* from, global V* to, uint each, uint apart, uint step, uint moves, uint count,
                   int passes) {
    V sum[4];
    for (int c = 0; c < 4; ++c) sum[c] = 0;
    for (int p = 0; p < passes; ++p) {
      const uint first = get_global_id(0) * apart + p * moves % count;
      for (uint k = 0; k < each; k += 4)
        for (uint c = 0; c < 4; ++c) {
          const uint i = first + (k + c) * step;
          sum[c] += from[i < count ? i : i - count];
        }
    }
    sum[0] += sum[1] + sum[2] + sum[3];
    // The compiler must not find out that nobody needs the result.
    if (FIRST(sum[0]) == 12345.678) to[0] = sum[0];
  }
  #define of_integers(x, y, z) ((x) * (y) + (z))
  // V is a vector of T that the device's registers hold; the chains are independent, so that latencies
  // overlap.
  kernel void multiply_add(global T* out, T a, T b, int rounds) {
    V x[8];
    for (int c = 0; c < 8; ++c) x[c] = (V)(b * c + (T)get_local_id(0));
    for (int r = 0; r < rounds; ++r) {
      x[0] = FMA(x[0], (V)a, (V)b); x[1] = FMA(x[1], (V)a, (V)b); x[2] = FMA(x[2], (V)a, (V)b);
      x[3] = FMA(x[3], (V)a, (V)b); x[4] = FMA(x[4], (V)a, (V)b); x[5] = FMA(x[5], (V)a, (V)b);
      x[6] = FMA(x[6], (V)a, (V)b); x[7] = FMA(x[7], (V)a, (V)b);
    }
    V sum = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
    if (FIRST(sum) == (T)12345) out[0] = FIRST(sum);
  }
)";

template <class T>
T number(cl_device_info what) {
  T value{};
  check(clGetDeviceInfo(device(), what, sizeof value, &value, nullptr));
  return value;
}

/// A type of numbers, as kernels and hosts call it.
template <class T>
struct Number;
template <>
struct Number<double> {
  static constexpr const char* name = "double";
  static constexpr cl_device_info native_width = CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE;
};
template <>
struct Number<float> {
  static constexpr const char* name = "float";
  static constexpr cl_device_info native_width = CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT;
};
template <>
struct Number<cl_uint> {
  static constexpr const char* name = "uint";
  static constexpr cl_device_info native_width = CL_DEVICE_NATIVE_VECTOR_WIDTH_INT;
};

template <class T>
unsigned width_of() {
  return std::max(1u, number<cl_uint>(Number<T>::native_width));
}

template <class T = double>
const Program& program() {
  const unsigned width = width_of<T>();
  const std::string type = Number<T>::name, fma = std::is_integral_v<T> ? "of_integers" : "fma";
  static const Program built(kernels,
                             "-DT=" + type + " -DFMA=" + fma +
                                 (width > 1 ? " -DV=" + type + std::to_string(width) + " -DFIRST(v)=v.s0"
                                            : " -DV=" + type + " -DFIRST(v)=v"));
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
  const std::size_t max =
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
  std::size_t bytes = std::min<std::size_t>(max, std::size_t{64} << 20);
  allocate(bytes);
  for (; bytes * 2 <= max && (work(bytes), seconds_of([&] { work(bytes); })) < 3e-3; allocate(bytes))
    bytes *= 2;
  print("copy", "byte/s", rates(2.0 * bytes, times_of([&] { work(bytes); })),
        "kernel that copies " + mebibytes(bytes) + ", read and written bytes");
}

/// Its size, and how fast it is read: a part of it that surely stays there. And memory, which holds far more.
void read(const Queue& queue) {
  const auto cache = number<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  const bool gpu = number<cl_device_type>(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU;
  const std::size_t group = gpu ? 256 : 1,
                    items = number<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) * (gpu ? 16 * group : 4),
                    vector = width_of<double>() * sizeof(double);
  const auto measure = [&](const char* what, std::size_t most_bytes, std::size_t most_passes) {
    const std::size_t each = std::max<std::size_t>(4, most_bytes / vector / items / 4 * 4),
                      count = items * each, bytes = count * vector;
    const Buffer from(CL_MEM_READ_WRITE, bytes), to(CL_MEM_READ_WRITE, vector);
    const double zero = 0;
    check(clEnqueueFillBuffer(queue.get(), from.get(), &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr));
    const Kernel kernel(program(), "read");
    const auto as_uint = [](std::size_t value) { return static_cast<cl_uint>(value); };
    const auto work = [&](std::size_t passes) {
      set_arguments(kernel, from, to, as_uint(each), as_uint(gpu ? 1 : each), as_uint(gpu ? items : 1),
                    as_uint(gpu ? 7 * group : 0), as_uint(count), static_cast<cl_int>(passes));
      run(queue, kernel, items, group);
      finish(queue);
    };
    const std::size_t passes = enough(1, most_passes, work);
    print(what, "byte/s", rates(double(bytes) * passes, times_of([&] { work(passes); })),
          "kernel that reads " + mebibytes(bytes) + ", " + std::to_string(passes) + " times");
  };
  if (cache > 0) {
    print("caches", "byte", {double(cache)}, "CL_DEVICE_GLOBAL_MEM_CACHE_SIZE");
    measure("read in cache", cache / 4, 1 << 12);
  }
  measure("read",
          std::min<std::size_t>(number<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE) / 4, std::size_t{1} << 28), 1);
}

template <class T>
void peak(const Queue& queue, const char* what, const char* unit, T a, T b) {
  const unsigned width = width_of<T>();
  const bool gpu = number<cl_device_type>(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU;
  const std::size_t group = gpu ? 256 : 1,
                    items = number<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) * (gpu ? 16 * group : 4);
  const Buffer out(CL_MEM_READ_WRITE, sizeof(T));
  const Kernel kernel(program<T>(), "multiply_add");
  const auto work = [&](std::size_t rounds) {
    set_arguments(kernel, out, a, b, static_cast<cl_int>(rounds));
    run(queue, kernel, items, group);
    finish(queue);
  };
  const std::size_t rounds = enough(1 << 10, 1 << 24, work);
  print(what, unit, rates(2.0 * 8 * width * rounds * items, times_of([&] { work(rounds); })),
        "independent chains of multiply-adds in registers, " + std::to_string(width) + " wide");
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
    attempt("read", [&] { read(queue); });
    attempt("double multiply-add", [&] { peak(queue, "double multiply-add", "flop/s", 0.999999, 1e-6); });
    attempt("float multiply-add", [&] { peak(queue, "float multiply-add", "flop/s", 0.999999f, 1e-6f); });
    attempt("integer multiply-add", [&] { peak<cl_uint>(queue, "integer multiply-add", "op/s", 3, 5); });
    attempt("transfers, pinned", [&] { transfers(queue, true); });
    attempt("transfers, pageable", [&] { transfers(queue, false); });
    attempt("launch", [&] { launches(queue); });
  });
}
