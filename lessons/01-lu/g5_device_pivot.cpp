/// @file
/// g5: the device chooses the pivot. In g4 the host waits in each step for a column, only to say which row
/// comes up. Here a work-group searches the column, and what it finds stays on the device. The host enqueues
/// all commands and waits once, at the end.
/// Source: none.

#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

constexpr std::size_t searchers = 256;  // work-items of find_pivot

const cl::Source kernels = R"(
kernel void find_pivot(global const double* A,  // n x n
                       global int* pivot,       // n
                       global int* info,        // 1
                       int n, int i) {
  local double size[256];
  local int place[256];
  const int t = get_local_id(0);
  // TASK, 23 lines: This is one work-group of 256. Write the row of the largest absolute value in column i,
  //  at or below the diagonal, to pivot[i]; of equal ones the first. If that value is zero and *info still
  //  is, *info becomes i + 1. First each work-item searches every 256th row; then the group halves what is
  //  left.
}

kernel void swap_rows(global double* A,         // n x n
                      global const int* pivot,  // n
                      int n, int i) {
  const int j = get_global_id(0);
  // TASK, 4 lines: Swap the elements of rows i and pivot[i] in column j.
}

kernel void compute_factors(global double* A,        // n x n
                            global double* factors,  // n
                            global double* row,      // n
                            int n, int i) {
  const int k = get_global_id(0);
  // TASK, 4 lines: As in g4, but the divisor is in A: the pivot, or 1 if it is zero. All work-items read it,
  //  so none may write it.
}

kernel void update_matrix(global double* A,              // n x n
                          global const double* factors,  // n, zero up to i
                          global const double* row,      // n, zero up to i
                          int n) {
  const int c = get_global_id(0);
  const int r = get_global_id(1);
  A[r * n + c] -= factors[r] * row[c];
}
)";

}  // namespace

/// PA = LU on the device, the choice of the pivots included.
/// @throws ladder::Error when a call of OpenCL fails.
void device_pivot(const Problem& p) {
  const std::size_t n = p.n, vector_bytes = n * sizeof(double), matrix_bytes = n * vector_bytes;
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const cl::Program program{kernels};
  const cl::Kernel find_pivot{program, "find_pivot"}, swap_rows{program, "swap_rows"};
  const cl::Kernel compute_factors{program, "compute_factors"}, update_matrix{program, "update_matrix"};
  const cl::Queue queue;
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes};
  const cl::Buffer dfactors{CL_MEM_READ_WRITE, vector_bytes}, drow{CL_MEM_READ_WRITE, vector_bytes};
  const cl::Buffer dpivot{CL_MEM_READ_WRITE, n * sizeof(int)}, dinfo{CL_MEM_READ_WRITE, sizeof(int)};

  const auto launch = [&](const cl::Kernel& kernel, cl_uint dimensions) {
    const std::size_t range[] = {n, n};
    check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), dimensions, nullptr, range, nullptr, 0, nullptr,
                                 nullptr));
  };

  // TASK, 3 lines: Send A, and the zero of *p.info. Nobody changes them on the host before the end, so that
  //  the host need not wait here.
  ladder::task();  // Delete this line when you start.
  for (int i = 0; i < p.n; ++i) {
    // TASK, 5 lines: Launch find_pivot, one group, and swap_rows.
    cl::set_arguments(compute_factors, dA, dfactors, drow, p.n, i);
    launch(compute_factors, 1);
    cl::set_arguments(update_matrix, dA, dfactors, drow, p.n);
    launch(update_matrix, 2);
  }
  // TASK, 4 lines: Read A, pivot and info, and wait for them: once.
}

}  // namespace lu
