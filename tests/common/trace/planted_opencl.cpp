/// @file
/// OpenCL kernels with known mistakes, each next to a correct one, to be run under Oclgrind: planted-opencl
/// KERNEL [ROUTE [again]]. ROUTE: how the host fills the buffer `in`: write, parts, rectangle, fill, copy,
/// map, copied, used, nothing.

#include <cstdio>
#include <numeric>
#include <string_view>
#include <vector>

#include "common/device/opencl.hpp"

namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

// Built without cl::Source, so that Oclgrind counts its lines from 1.
const char* const kernels = R"cl(
// 2 work-groups of 32: in and out have 64 elements, part has 32 a group.
kernel void missing_barrier(global const double* in, global double* out, local double* part, int n) {
  const int i = get_local_id(0);
  part[i] = in[get_global_id(0)];
  out[get_global_id(0)] = part[31 - i];  // planted: missing_barrier
}
kernel void with_barrier(global const double* in, global double* out, local double* part, int n) {
  const int i = get_local_id(0);
  part[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[31 - i];
}

kernel void missing_second_barrier(global const double* in, global double* out, local double* part, int n) {
  const int i = get_local_id(0);
  double sum = 0;
  for (int pass = 0; pass < 2; ++pass) {
    part[i] = in[get_global_id(0)] + pass;  // planted: missing_second_barrier
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += part[31 - i];
  }
  out[get_global_id(0)] = sum;
}
kernel void with_second_barrier(global const double* in, global double* out, local double* part, int n) {
  const int i = get_local_id(0);
  double sum = 0;
  for (int pass = 0; pass < 2; ++pass) {
    part[i] = in[get_global_id(0)] + pass;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += part[31 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

kernel void wrong_fence(global const double* in, global double* out, local double* part, int n) {
  out[get_global_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_global_id(0)] = out[get_global_id(0) + 1];  // planted: wrong_fence
}
kernel void right_fence(global const double* in, global double* out, local double* part, int n) {
  out[get_global_id(0)] = in[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_global_id(0)] = out[get_global_id(0) + 1];
}

kernel void between_groups(global const double* in, global double* out, local double* part, int n) {
  out[get_local_id(0)] = get_group_id(0);  // planted: between_groups
}
kernel void own_elements(global const double* in, global double* out, local double* part, int n) {
  out[get_global_id(0)] = get_group_id(0);
}

kernel void plain_count(global const double* in, global double* out, local double* part, int n) {
  ++*(global int*)out;  // planted: plain_count
}
kernel void atomic_count(global const double* in, global double* out, local double* part, int n) {
  atomic_inc((volatile global int*)out);
}

kernel void all_write_one(global const double* in, global double* out, local double* part, int n) {
  out[0] = 1;  // planted: all_write_one
}

kernel void past_the_end(global const double* in, global double* out, local double* part, int n) {
  out[get_global_id(0) + 1] = 2;  // planted: past_the_end
}
kernel void before_the_beginning(global const double* in, global double* out, local double* part, int n) {
  out[get_global_id(0)] = in[(int)get_global_id(0) - 1];  // planted: before_the_beginning
}
kernel void up_to_the_end(global const double* in, global double* out, local double* part, int n) {
  if (get_global_id(0) + 1 < n) out[get_global_id(0)] = in[get_global_id(0) + 1];
}
kernel void past_local(global const double* in, global double* out, local double* part, int n) {
  part[get_local_id(0) + 1] = 1;  // planted: past_local
}
kernel void past_declared_local(global const double* in, global double* out, local double* part, int n) {
  local double tile[32];
  tile[get_local_id(0) + n - 63] = in[get_global_id(0)];  // planted: past_declared_local
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) > 0) out[get_global_id(0)] = tile[get_local_id(0)];
}
kernel void past_private(global const double* in, global double* out, local double* part, int n) {
  double mine[4] = {1, 2, 3, 4};
  out[get_global_id(0)] = mine[(get_global_id(0) + n) % 5];  // planted: past_private
}
kernel void null_pointer(global const double* in, global double* out, local double* part, int n) {
  global double* nowhere = 0;
  nowhere[n] = 1;  // planted: null_pointer
}

kernel void unwritten_local(global const double* in, global double* out, local double* part, int n) {
  const int i = get_local_id(0);
  if (i < 5) part[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[i];  // planted: unwritten_local
}
kernel void written_local(global const double* in, global double* out, local double* part, int n) {
  const int i = get_local_id(0);
  part[i] = i < 5 ? 1 : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[i];
}
kernel void copies(global const double* in, global double* out, local double* part, int n) {
  out[get_global_id(0)] = in[get_global_id(0)];  // planted: copies
}
kernel void reads_own_writes(global const double* in, global double* out, local double* part, int n) {
  volatile global double* const mine = out + get_global_id(0);
  *mine = in[get_global_id(0)];
  *mine = *mine + 1;
}
kernel void decides(global const double* in, global double* out, local double* part, int n) {
  if (in[get_global_id(0)] > 3)  // planted: decides
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void some_leave(global const double* in, global double* out, local double* part, int n) {
  const int i = get_local_id(0);
  if (i >= 27) return;
  part[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);  // planted: some_leave
  out[get_global_id(0)] = part[26 - i];
}
kernel void all_stay(global const double* in, global double* out, local double* part, int n) {
  const int i = get_local_id(0);
  if (i < 27) part[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 27) out[get_global_id(0)] = part[26 - i];
}
)cl";

constexpr std::size_t group = 32;

/// Fills the buffer on a route that hosts take.
cl_mem filled(const cl::Queue& queue, std::string_view route, std::vector<double>& numbers) {
  const std::size_t bytes = numbers.size() * sizeof(double);
  cl_int code = 0;
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  if (route == "copied") flags |= CL_MEM_COPY_HOST_PTR;
  if (route == "used") flags |= CL_MEM_USE_HOST_PTR;
  void* from = route == "copied" || route == "used" ? numbers.data() : nullptr;
  const cl_mem in = clCreateBuffer(cl::context(), flags, bytes, from, &code);
  check(code);
  if (route == "write")
    check(clEnqueueWriteBuffer(queue.get(), in, CL_TRUE, 0, bytes, numbers.data(), 0, nullptr, nullptr));
  if (route == "parts")
    for (std::size_t at = 0; at < bytes; at += bytes / 4)
      check(
          clEnqueueWriteBuffer(queue.get(), in, CL_TRUE, at, bytes / 4, numbers.data(), 0, nullptr, nullptr));
  if (route == "fill") {
    const double one = 1;
    check(clEnqueueFillBuffer(queue.get(), in, &one, sizeof one, 0, bytes, 0, nullptr, nullptr));
  }
  if (route == "rectangle") {
    const std::size_t zero[] = {0, 0, 0}, region[] = {8 * sizeof(double), 8, 1};
    check(clEnqueueWriteBufferRect(queue.get(), in, CL_TRUE, zero, zero, region, region[0], 0, region[0], 0,
                                   numbers.data(), 0, nullptr, nullptr));
  }
  if (route == "copy") {
    const cl_mem other = filled(queue, "write", numbers);
    check(clEnqueueCopyBuffer(queue.get(), other, in, 0, 0, bytes, 0, nullptr, nullptr));
  }
  if (route == "map") {
    void* mapped =
        clEnqueueMapBuffer(queue.get(), in, CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, &code);
    check(code);
    std::copy(numbers.begin(), numbers.end(), static_cast<double*>(mapped));
    check(clEnqueueUnmapMemObject(queue.get(), in, mapped, 0, nullptr, nullptr));
  }
  return in;
}

cl_kernel built(const char* name) {
  cl_int code = 0;
  const char* source = kernels;
  const cl_program program = clCreateProgramWithSource(cl::context(), 1, &source, nullptr, &code);
  check(code);
  check(clBuildProgram(program, 0, nullptr, "-cl-std=CL1.2", nullptr, nullptr));
  const cl_kernel kernel = clCreateKernel(program, name, &code);
  check(code);
  return kernel;
}

void run(const char* name, std::string_view route, std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  const cl::Queue queue;
  const bool fills_out = std::string_view(name) != "reads_own_writes";
  const cl_mem in = filled(queue, route, numbers),
               out = filled(queue, fills_out ? "write" : "nothing", numbers);
  const cl_kernel kernel = built(name);
  const int n = static_cast<int>(count);
  check(clSetKernelArg(kernel, 0, sizeof in, &in));
  check(clSetKernelArg(kernel, 1, sizeof out, &out));
  check(clSetKernelArg(kernel, 2, group * sizeof(double), nullptr));
  check(clSetKernelArg(kernel, 3, sizeof n, &n));
  check(clEnqueueNDRangeKernel(queue.get(), kernel, 1, nullptr, &count, &group, 0, nullptr, nullptr));
  check(clFinish(queue.get()));
  check(clReleaseMemObject(in));
  check(clReleaseMemObject(out));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2) return 2;
    const std::string_view route = argc > 2 ? argv[2] : "write";
    if (argc > 3) run(argv[1], "write", 32);  // smaller buffers, whose numbers Oclgrind gives away again
    run(argv[1], route, 64);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
