/// @file
/// OpenCL kernels whose counters are known by hand, to be run under Oclgrind: counted-opencl KERNEL. 64
/// work-items in two warps, and the work-group size left open, unless the kernel says it.

#include <cstdio>
#include <string_view>
#include <vector>

#include "common/device/opencl.hpp"

namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

const cl::Source kernels = R"(
#define I get_global_id(0)
kernel void coalesced(global double* a, global const double* b) { a[I] = b[I]; }
kernel void coalesced_floats(global float* a, global const float* b) { a[I] = b[I]; }
kernel void stride_2(global double* a, global const double* b) { a[I] = b[2 * I]; }
kernel void stride_32(global double* a, global const double* b) { a[I] = b[32 * I]; }
kernel void broadcast(global double* a, global const double* b) { a[I] = b[7]; }
kernel void misaligned(global double* a, global const double* b) { a[I] = b[I + 1]; }
kernel void pairs(global double2* a, global const double2* b) { a[I] = b[I]; }
kernel void fours(global double4* a, global const double4* b) { a[I] = b[I]; }
kernel void bytes(global uchar* a, global const uchar* b) { a[I] = b[I]; }
kernel void from_constant(global double* a, constant double* b) { a[I] = b[I]; }
kernel void first_half(global double* a, global const double* b) {
  if (get_local_id(0) % 32 < 16) a[I] = b[I];
}
kernel void by_lane(global double* a, global const double* b) {
  if (I % 2 == 0)
    a[I] = sqrt(b[I]);
  else
    a[I] = exp(b[I]);
}
kernel void by_warp(global double* a, global const double* b) {
  if (I / 32 % 2 == 0)
    a[I] = sqrt(b[I]);
  else
    a[I] = exp(b[I]);
}
kernel void rows(global double* a, global const double* b) {  // each work-item a row of 4
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += b[4 * I + k];
  a[I] = sum;
}
kernel void different_lengths(global double* a, global const double* b) {  // lane i turns i times
  double sum = 0;
  for (int k = 0; k < (int)(I % 32); ++k) sum += b[k];
  a[I] = sum;
}
kernel void same_counter(global int* a, global const double* b) { atomic_inc(a); }
kernel void own_counters(global int* a, global const double* b) { atomic_inc(a + I); }
kernel void local_counter(global int* a, global const double* b) {
  local int count;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) a[0] = count;
}
#define TRANSPOSE(NAME, WIDTH)                                                   \
  kernel __attribute__((reqd_work_group_size(32, 1, 1))) void NAME(              \
      global double* a, global const double* b) {                                \
    local double tile[32][WIDTH];                                                \
    const int i = get_local_id(0);                                               \
    for (int r = 0; r < 32; ++r) tile[r][i] = b[32 * r + i];                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                \
    for (int r = 0; r < 32; ++r) a[32 * r + i] = tile[i][r];                     \
  }
TRANSPOSE(transpose, 32)
TRANSPOSE(transpose_padded, 33)
kernel void multiply_add(global double* a, global const double* b) {
  a[I] = fma(b[I], 2.0, 1.0) * 3.0 + b[I];
}
)";

void run(const char* name) {
  constexpr std::size_t count = 4096, bytes = count * sizeof(double);
  const cl::Program program(kernels, "-cl-fp32-correctly-rounded-divide-sqrt");
  const cl::Kernel kernel(program, name);
  const cl::Queue queue;
  const cl::Buffer a(CL_MEM_READ_WRITE, bytes), b(CL_MEM_READ_WRITE, bytes);
  const std::vector<double> ones(count, 1);
  for (const cl::Buffer* buffer : {&a, &b})
    check(clEnqueueWriteBuffer(queue.get(), buffer->get(), CL_TRUE, 0, bytes, ones.data(), 0, nullptr,
                               nullptr));
  cl::set_arguments(kernel, a, b);
  const std::size_t range = 64, warp = 32;
  const std::size_t* group =
      std::string_view(name).starts_with("transpose") ? &warp : nullptr;  // as they say
  check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &range, group, 0, nullptr, nullptr));
  check(clFinish(queue.get()));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) return 2;
    run(argv[1]);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
