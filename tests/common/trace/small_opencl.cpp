/// @file
/// A program with known branches, to be run under Oclgrind: 64 work-items, one `if` each, and a loop of 50
/// turns.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <initializer_list>

namespace {

const char* const source = R"(
  kernel void guarded(global int* a, int n) {
    int i = get_global_id(0);
    if (i < n) a[i] = a[i] * a[i] + 1;
  }
  kernel void looped(global int* a, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i];
    a[get_global_id(0)] = sum;
  }
)";

}  // namespace

int main() {
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, nullptr) ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr))
    return 2;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr)) return 3;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * sizeof(int), nullptr, nullptr);
  const int zero = 0, n = 50;
  clEnqueueFillBuffer(queue, a, &zero, sizeof zero, 0, 64 * sizeof(int), 0, nullptr, nullptr);
  for (const char* name : {"guarded", "guarded", "looped"}) {
    cl_kernel kernel = clCreateKernel(program, name, nullptr);
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    const size_t items = name[0] == 'g' ? 64 : 1;
    if (clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr)) return 4;
    clFinish(queue);
    clReleaseKernel(kernel);
  }
  std::printf("the program's own words - 7\n");
  clReleaseMemObject(a);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
