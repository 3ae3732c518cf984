/// @file
/// g7: rows are read in rows. g6 leaves the shape of its work-groups to the runtime, and its ranges begin in
/// the middle of a sector. Here 64 neighbouring work-items load 64 neighbouring elements of a row, from the
/// first element of a sector on, and each keeps its element of the pivot's row for eight rows.
/// Source: work A names row-wise access as the next improvement (Cupertino); it does not try it.

#include "common/device/opencl.hpp"
#include "problem.hpp"

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
  double best = -1;
  int row = i;
  for (int k = i + t; k < n; k += 256) {
    const double candidate = fabs(A[k * n + i]);
    if (candidate > best) {
      best = candidate;
      row = k;
    }
  }
  size[t] = best;
  place[t] = row;
  for (int width = 128; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int other = t + width;
    if (t < width && (size[other] > size[t] || (size[other] == size[t] && place[other] < place[t]))) {
      size[t] = size[other];
      place[t] = place[other];
    }
  }
  if (t == 0) {
    pivot[i] = place[0];
    if (size[0] == 0 && *info == 0) *info = i + 1;
  }
}

kernel void swap_rows(global double* A,         // n x n
                      global const int* pivot,  // n
                      int n, int i) {
  const int j = get_global_id(0);
  const int s = pivot[i];
  const double above = A[i * n + j];
  A[i * n + j] = A[s * n + j];
  A[s * n + j] = above;
}

kernel void compute_factors(global double* A,        // n x n
                            global double* factors,  // n, written after i only
                            global double* row,      // n, written after i only
                            int n, int i) {
  const int k = get_global_id(0);
  const double pivot = A[i * n + i];
  factors[k] = A[k * n + i] / (pivot == 0 ? 1 : pivot);
  row[k] = A[i * n + k];
  A[k * n + i] = factors[k];
}

kernel void update_matrix(global double* A,              // n x n
                          global const double* factors,  // n, defined after i
                          global const double* row,      // n, defined after i
                          int n, int i) {
  // BEGIN SOLUTION This work-item has the column c = get_global_id(0) and eight rows, the first of them
  //  i + 1 + 8 * get_global_id(1). Read row[c] once, and change A in this column and these rows. Columns up
  //  to i and from n on do not belong to the step, nor do rows from n on.
  const int c = get_global_id(0);
  if (c <= i || c >= n) return;
  const int first = i + 1 + 8 * get_global_id(1), last = min(first + 8, n);
  const double above = row[c];
  for (int r = first; r < last; ++r) A[r * n + c] -= factors[r] * above;
  // END SOLUTION
}
)";

}  // namespace

/// PA = LU on the device; each work-item of the update walks down a column, its neighbours next to it.
/// @throws ladder::Error when a call of OpenCL fails.
void row_access(const Problem& p) {
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
  // Starts update_matrix for the rows and columns first, …, n - 1.
  const auto launch_update = [&](std::size_t first) {
    // BEGIN SOLUTION Groups of group_columns x group_lines work-items, as many as every column and every row
    //  needs. The first column of the first group is a multiple of group_columns: its work-items then load
    //  whole sectors. Nothing at all if no row is left.
    //| ladder::task();  // Delete this line when you start.
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
    // END SOLUTION
  };

  check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_FALSE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  check(
      clEnqueueWriteBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  for (int i = 0; i < p.n; ++i) {
    cl::set_arguments(find_pivot, dA, dpivot, dinfo, p.n, i);
    check(clEnqueueNDRangeKernel(queue.get(), find_pivot.get(), 1, nullptr, &searchers, &searchers, 0,
                                 nullptr, nullptr));
    cl::set_arguments(swap_rows, dA, dpivot, p.n, i);
    launch(swap_rows, 0);
    cl::set_arguments(compute_factors, dA, dfactors, drow, p.n, i);
    launch(compute_factors, i + 1);
    cl::set_arguments(update_matrix, dA, dfactors, drow, p.n, i);
    launch_update(i + 1);
  }
  check(clEnqueueReadBuffer(queue.get(), dpivot.get(), CL_FALSE, 0, n * sizeof(int), p.pivot, 0, nullptr,
                            nullptr));
  check(clEnqueueReadBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
