/// @file
/// The OpenCL recorder in front of a real runtime: exact bytes, launches, waits, order.
// Guards: common/trace/README.md

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "common/trace/metrics.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;
using test::nth;
using test::record;

namespace {

// The loader reads it at the first call of OpenCL, which is later.
const int layer_is_set = setenv("OPENCL_LAYERS", LADDER_OPENCL_RECORDER, 1);

const char* const kernels = R"(
  kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }
  kernel void tiled(global int* a, local int* tile) { tile[get_local_id(0)] = a[get_global_id(0)]; }
)";

/// A device with two queues and a buffer of 64 ints, made before the recording starts. Lives until the
/// program ends.
struct Device {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr, second = nullptr, out_of_order = nullptr;
  cl_program program = nullptr;
  cl_mem a = nullptr;
  int host[64] = {};

  Device() {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) return;
    for (cl_uint i = 0; i < count && i < 8 && !device; ++i)
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
        device = nullptr;
    if (!device) return;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    second = clCreateCommandQueue(context, device, 0, nullptr);
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    out_of_order = clCreateCommandQueueWithProperties(context, device, list, nullptr);
    program = clCreateProgramWithSource(context, 1, const_cast<const char**>(&kernels), nullptr, nullptr);
    clBuildProgram(program, 1, &device, "", nullptr, nullptr);
    a = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof host, nullptr, nullptr);
  }

  cl_kernel kernel(const char* name) {
    cl_kernel result = clCreateKernel(program, name, nullptr);
    clSetKernelArg(result, 0, sizeof a, &a);
    return result;
  }
  void write(cl_command_queue q, cl_event* event = nullptr) {
    clEnqueueWriteBuffer(q, a, CL_FALSE, 0, sizeof host, host, 0, nullptr, event);
  }
  cl_int launch(cl_command_queue q, const char* name, cl_uint waits = 0, const cl_event* list = nullptr,
                cl_event* event = nullptr) {
    const size_t items = 64;
    cl_kernel k = kernel(name);
    const cl_int code = clEnqueueNDRangeKernel(q, k, 1, nullptr, &items, nullptr, waits, list, event);
    clReleaseKernel(k);
    return code;
  }
};

Device& device() {
  static Device* const the_device = new Device;
  return *the_device;
}

bool depends(const Trace& trace, const Trace::Event& event, const Trace::Event& on) {
  return test::depends(trace, event, on);
}

}  // namespace

#define NEED_DEVICE                                                             \
  Device& d = device();                                                         \
  if (!d.device) LADDER_SKIP("trace: no OpenCL device");                        \
  if (std::string(ladder_sink_recorders()).find("opencl") == std::string::npos) \
  LADDER_SKIP("trace: the OpenCL loader knows no layers")

TEST_CASE("OpenCL: a small program, exactly") {
  NEED_DEVICE;
  for (int i = 0; i < 64; ++i) d.host[i] = i;
  int result[64] = {};
  const Trace trace = record([&] {
    cl_mem b = clCreateBuffer(d.context, CL_MEM_READ_WRITE, 1000, nullptr, nullptr);
    d.write(d.queue);
    d.launch(d.queue, "twice");
    clEnqueueCopyBuffer(d.queue, d.a, b, 0, 0, 16, 0, nullptr, nullptr);
    const int zero = 0;
    clEnqueueFillBuffer(d.queue, b, &zero, sizeof zero, 0, 40, 0, nullptr, nullptr);
    clEnqueueReadBuffer(d.queue, d.a, CL_TRUE, 0, sizeof result, result, 0, nullptr, nullptr);
    clReleaseMemObject(b);
    clFinish(d.queue);
  });
  CHECK(result[21] == 42);
  CHECK(test::kinds(trace) ==
        std::vector<ladder_event_kind>{LADDER_ALLOC, LADDER_H2D, LADDER_LAUNCH, LADDER_KERNEL, LADDER_D2D,
                                       LADDER_FILL, LADDER_D2H, LADDER_WAIT, LADDER_FREE, LADDER_WAIT});
  CHECK(trace.recorders == "opencl");
  CHECK(metric("bytes_to_device", trace) == 256);
  CHECK(metric("bytes_to_host", trace) == 256);
  CHECK(metric("pageable_bytes", trace) == 512);
  CHECK(metric("launches", trace) == 1);
  CHECK(metric("waits", trace) == 2);
  CHECK(metric("work_items:twice", trace) == 64);
  CHECK(metric("peak_device_bytes", trace) == 1000);
  CHECK(nth(trace, LADDER_D2D).bytes == 16);
  CHECK(nth(trace, LADDER_FILL).bytes == 40);
  CHECK(nth(trace, LADDER_D2H).is(LADDER_BLOCKING));
  CHECK_FALSE(nth(trace, LADDER_H2D).is(LADDER_BLOCKING));
  CHECK(nth(trace, LADDER_KERNEL).grid[0] == 64);  // the runtime chose the group: the grid counts work-items
  CHECK(nth(trace, LADDER_KERNEL).block[0] == 1);
  CHECK(metrics::chain(trace) == 1);  // one queue in order
  for (const Trace::Event& event : trace.events) {
    INFO(name_of(event.kind));
    CHECK(event.begin > 0);
    CHECK(event.end >= event.begin);
  }
  // Device times are on the host's clock: nothing ends after the last wait did.
  const Trace::Event& last = trace.events.back();
  CHECK(nth(trace, LADDER_KERNEL).end <= last.end);
  CHECK(nth(trace, LADDER_KERNEL).begin + 10'000'000'000 > last.end);
}

TEST_CASE("OpenCL: the runs do not see one another") {
  NEED_DEVICE;
  const Trace first = record([&] { d.write(d.queue); });
  d.write(d.queue);
  const Trace second = record([&] { d.write(d.queue); });
  clFinish(d.queue);
  CHECK(first.events.size() == 1);
  REQUIRE(second.events.size() == 1);
  CHECK(second.events[0].deps.empty());
  CHECK(second.events[0].end > 0);  // not waited for by the program, but by the drain
}

TEST_CASE("OpenCL: sizes of launches") {
  NEED_DEVICE;
  cl_ulong reported = 0;  // PoCL 5 does not count local memory that is an argument
  const Trace trace = record([&] {
    cl_kernel twice = d.kernel("twice"), tiled = d.kernel("tiled");
    clSetKernelArg(tiled, 1, 16 * sizeof(int), nullptr);
    const size_t one = 64, group = 16, global[3] = {4, 3, 2}, local[3] = {2, 3, 1};
    clEnqueueNDRangeKernel(d.queue, tiled, 1, nullptr, &one, &group, 0, nullptr, nullptr);
    clEnqueueNDRangeKernel(d.queue, twice, 3, nullptr, global, local, 0, nullptr, nullptr);
    clEnqueueTask(d.queue, twice, 0, nullptr, nullptr);
    clGetKernelWorkGroupInfo(tiled, d.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof reported, &reported, nullptr);
    clReleaseKernel(twice);
    clReleaseKernel(tiled);
  });
  using Size = std::array<std::uint32_t, 3>;
  CHECK(nth(trace, LADDER_KERNEL, 0).grid == Size{4, 1, 1});
  CHECK(nth(trace, LADDER_KERNEL, 0).block == Size{16, 1, 1});
  CHECK(nth(trace, LADDER_KERNEL, 0).name == "tiled");
  CHECK(nth(trace, LADDER_KERNEL, 0).shared_bytes == reported);
  CHECK(nth(trace, LADDER_KERNEL, 1).grid == Size{2, 1, 2});
  CHECK(nth(trace, LADDER_KERNEL, 1).block == Size{2, 3, 1});
  CHECK(nth(trace, LADDER_KERNEL, 2).grid == Size{1, 1, 1});
  CHECK(metric("work_items", trace) == 64 + 24 + 1);
  CHECK(metric("launches", trace) == 3);
}

TEST_CASE("OpenCL: rectangles") {
  NEED_DEVICE;
  int host[64] = {};
  const Trace trace = record([&] {
    const size_t origin[3] = {0, 0, 0}, region[3] = {12, 4, 1};
    clEnqueueWriteBufferRect(d.queue, d.a, CL_TRUE, origin, origin, region, 32, 0, 32, 0, host, 0, nullptr,
                             nullptr);
    clEnqueueReadBufferRect(d.queue, d.a, CL_TRUE, origin, origin, region, 32, 0, 32, 0, host, 0, nullptr,
                            nullptr);
  });
  CHECK(metric("bytes_to_device", trace) == 48);
  CHECK(metric("bytes_to_host", trace) == 48);
  CHECK(metric("waits", trace) == 2);
}

TEST_CASE("OpenCL: memory made from the host's") {
  NEED_DEVICE;
  alignas(4096) static char host[4096];
  const Trace trace = record([&] {
    cl_mem copied = clCreateBuffer(d.context, CL_MEM_COPY_HOST_PTR, 100, host, nullptr);
    cl_mem used = clCreateBuffer(d.context, CL_MEM_USE_HOST_PTR, sizeof host, host, nullptr);
    clRetainMemObject(copied);
    clReleaseMemObject(copied);
    clReleaseMemObject(copied);
    clReleaseMemObject(used);
  });
  CHECK(metric("bytes_to_device", trace) == 100 + 4096);
  CHECK(metric("bytes_to_host", trace) == 4096);  // never mapped, but the results are the host's
  CHECK(nth(trace, LADDER_H2D, 1).is(LADDER_WHOLE));
  CHECK(test::kinds(trace) == std::vector<ladder_event_kind>{LADDER_ALLOC, LADDER_H2D, LADDER_ALLOC,
                                                             LADDER_H2D, LADDER_FREE, LADDER_FREE,
                                                             LADDER_D2H});
}

TEST_CASE("OpenCL: mapped memory counts as a whole, pinned memory is not pageable") {
  NEED_DEVICE;
  const Trace trace = record([&] {
    cl_mem pinned = clCreateBuffer(d.context, CL_MEM_ALLOC_HOST_PTR, 512, nullptr, nullptr);
    cl_int code = 0;
    void* p = clEnqueueMapBuffer(d.queue, pinned, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 512, 0, nullptr,
                                 nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    clEnqueueWriteBuffer(d.queue, d.a, CL_TRUE, 0, 256, p, 0, nullptr, nullptr);  // from pinned memory
    clEnqueueUnmapMemObject(d.queue, pinned, p, 0, nullptr, nullptr);
    void* q = clEnqueueMapBuffer(d.queue, d.a, CL_TRUE, CL_MAP_READ, 0, 128, 0, nullptr, nullptr, &code);
    clEnqueueUnmapMemObject(d.queue, d.a, q, 0, nullptr, nullptr);
    clReleaseMemObject(pinned);
  });
  CHECK(metric("bytes_to_device", trace) == 256 + 512);
  CHECK(metric("bytes_to_host", trace) == 128);
  CHECK(metric("pageable_bytes", trace) == 128);
  CHECK(metric("waits", trace) == 3);
}

TEST_CASE("OpenCL: two queues are independent until an event ties them") {
  NEED_DEVICE;
  const Trace trace = record([&] {
    cl_event written;
    d.write(d.queue, &written);
    d.write(d.second);
    d.launch(d.second, "twice", 1, &written);
    clReleaseEvent(written);
    clFinish(d.queue);
    clFinish(d.second);
    d.write(d.queue);
  });
  const auto& first = nth(trace, LADDER_H2D, 0);
  CHECK_FALSE(depends(trace, nth(trace, LADDER_H2D, 1), first));
  CHECK(depends(trace, nth(trace, LADDER_KERNEL), first));
  CHECK(first.stream != nth(trace, LADDER_H2D, 1).stream);
  // The host has waited for both queues before the last write.
  CHECK(depends(trace, nth(trace, LADDER_H2D, 2), nth(trace, LADDER_KERNEL)));
  CHECK(metrics::chain(trace) < 1);
}

TEST_CASE("OpenCL: out of order, barriers and markers") {
  NEED_DEVICE;
  const Trace trace = record([&] {
    cl_event marker;
    d.write(d.out_of_order);
    d.write(d.out_of_order);
    clEnqueueBarrierWithWaitList(d.out_of_order, 0, nullptr, nullptr);
    d.launch(d.out_of_order, "twice");
    clEnqueueMarkerWithWaitList(d.out_of_order, 0, nullptr, &marker);
    d.launch(d.second, "twice", 1, &marker);
    clWaitForEvents(1, &marker);
    clReleaseEvent(marker);
    clFinish(d.out_of_order);
    clFinish(d.second);
  });
  CHECK_FALSE(depends(trace, nth(trace, LADDER_H2D, 1), nth(trace, LADDER_H2D, 0)));
  for (int i = 0; i < 2; ++i) CHECK(depends(trace, nth(trace, LADDER_KERNEL), nth(trace, LADDER_H2D, i)));
  CHECK(depends(trace, nth(trace, LADDER_KERNEL, 1), nth(trace, LADDER_KERNEL)));
  CHECK(depends(trace, nth(trace, LADDER_WAIT), nth(trace, LADDER_KERNEL)));
  CHECK(metric("waits", trace) == 3);
}

TEST_CASE("OpenCL: asking until it is done is waiting, once") {
  NEED_DEVICE;
  const Trace trace = record([&] {
    cl_event written;
    d.write(d.queue, &written);
    for (int i = 0; i < 3; ++i) {
      cl_int status = CL_QUEUED;
      while (status != CL_COMPLETE)
        clGetEventInfo(written, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    }
    clReleaseEvent(written);
  });
  CHECK(metric("waits", trace) == 1);
  CHECK(depends(trace, nth(trace, LADDER_WAIT), nth(trace, LADDER_H2D)));
}

TEST_CASE("OpenCL: a call that fails is not recorded and its error is the program's") {
  NEED_DEVICE;
  const Trace trace = record([&] {
    CHECK(clEnqueueReadBuffer(d.queue, d.a, CL_TRUE, 0, 1000, d.host, 0, nullptr, nullptr) ==
          CL_INVALID_VALUE);
    cl_int code = CL_SUCCESS;
    CHECK(clCreateBuffer(d.context, CL_MEM_READ_WRITE, 0, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_BUFFER_SIZE);
  });
  CHECK(trace.events.empty());
}

TEST_CASE("OpenCL: shared virtual memory") {
  NEED_DEVICE;
  cl_device_svm_capabilities svm = 0;
  clGetDeviceInfo(d.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
  if (!(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    LADDER_SKIP("trace: the device has no shared virtual memory");
  const Trace trace = record([&] {
    char* a = static_cast<char*>(clSVMAlloc(d.context, CL_MEM_READ_WRITE, 256, 0));
    REQUIRE(clEnqueueSVMMemcpy(d.queue, CL_TRUE, a, d.host, 200, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clEnqueueSVMMemcpy(d.queue, CL_TRUE, d.host, a + 100, 50, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clEnqueueSVMMap(d.queue, CL_TRUE, CL_MAP_WRITE, a, 256, 0, nullptr, nullptr) == CL_SUCCESS);
    clEnqueueSVMUnmap(d.queue, a, 0, nullptr, nullptr);
    clFinish(d.queue);
    clSVMFree(d.context, a);
  });
  CHECK(metric("bytes_to_device", trace) == 200 + 256);
  CHECK(metric("bytes_to_host", trace) == 50 + 256);  // what is mapped for writing is shown first
  CHECK(metric("peak_device_bytes", trace) == 256);
  CHECK(metric("waits", trace) == 4);
}
