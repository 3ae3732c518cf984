/// @file
/// g7: the device chooses the pivot. In g6 the host waits in each step for a column, only to say which row
/// comes up. Here a work-group searches the column, and what it finds stays on the device. The host gives all
/// orders and waits once, at the end.
/// Source: none.

#include "common/device/opencl.hpp"
#include "lu.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

constexpr std::size_t searchers = 256;  // work-items of find_pivot
constexpr std::size_t group_columns = 64, group_lines = 4;
constexpr std::size_t rows_each = 8;  // rows of a work-item, as in update_matrix

const cl::Source kernels = R"(
kernel void find_pivot(global const double* A,  // n x n
                       global int* pivot,       // n
                       global int* info,        // 1
                       int n, int i) {
  local double size[256];
  local int place[256];
  const int t = get_local_id(0);
  // TASK, 23 lines: This is one work-group of 256. Write the row of the largest absolute value in column i, at
  //  or below the diagonal, to pivot[i]; of equal ones the first. If that value is zero and *info still is,
  //  *info becomes i + 1. First each work-item searches every 256th row; then the group halves what is left.
}

kernel void swap_rows(global double* A,         // n x n
                      global const int* pivot,  // n
                      int n, int i) {
  const int j = get_global_id(0);
  // TASK, 4 lines: Swap the elements of rows i and pivot[i] in column j.
}

kernel void compute_factors(global double* A,        // n x n
                            global double* factors,  // n, written after i only
                            global double* row,      // n, written after i only
                            int n, int i) {
  const int k = get_global_id(0);
  // TASK, 4 lines: As before, but the divisor is in A: the pivot, or 1 if it is zero.
}

kernel void update_matrix(global double* A,              // n x n
                          global const double* factors,  // n, defined after i
                          global const double* row,      // n, defined after i
                          int n, int i) {
  const int c = get_global_id(0);
  if (c <= i || c >= n) return;
  const int first = i + 1 + 8 * get_global_id(1), last = min(first + 8, n);
  const double above = row[c];
  for (int r = first; r < last; ++r) A[r * n + c] -= factors[r] * above;
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

  // Starts the work-items first, …, n - 1.
  const auto launch = [&](const cl::Kernel& kernel, std::size_t first) {
    if (first >= n) return;  // the last step has nothing to eliminate
    const std::size_t range = n - first;
    check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, &first, &range, nullptr, 0, nullptr, nullptr));
  };
  // Starts update_matrix for the rows and columns first, …, n - 1, from a multiple of group_columns on.
  const auto launch_update = [&](std::size_t first) {
    if (first >= n) return;
    const auto rounded_up = [](std::size_t count, std::size_t unit) {
      return (count + unit - 1) / unit * unit;
    };
    const std::size_t begin = first / group_columns * group_columns;
    const std::size_t lines = (n - first + rows_each - 1) / rows_each;
    const std::size_t offset[] = {begin, 0}, group[] = {group_columns, group_lines};
    const std::size_t range[] = {rounded_up(n - begin, group_columns), rounded_up(lines, group_lines)};
    check(clEnqueueNDRangeKernel(queue.get(), update_matrix.get(), 2, offset, range, group, 0, nullptr,
                                 nullptr));
  };

  // TASK, 3 lines: Send A, and the zero of *p.info. Nobody changes them on the host before the end, so that
  //  the host need not wait here.
  ladder::task();  // Delete this line when you start.
  for (int i = 0; i < p.n; ++i) {
    // TASK, 5 lines: Launch find_pivot, one group, and swap_rows.
    cl::set_arguments(compute_factors, dA, dfactors, drow, p.n, i);
    launch(compute_factors, i + 1);
    cl::set_arguments(update_matrix, dA, dfactors, drow, p.n, i);
    launch_update(i + 1);
  }
  // TASK, 4 lines: Bring back A, pivot and info, and wait for them: once.
}

}  // namespace lu
