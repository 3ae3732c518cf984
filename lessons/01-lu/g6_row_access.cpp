/// @file
/// g6: rows are read in rows. g5 leaves the shape of its work-groups to the runtime, and its ranges begin in
/// the middle of a sector. Here 64 neighbouring work-items take 64 neighbouring elements of a row, from a
/// sector's first on, and each keeps its element of the pivot's row for eight rows.
/// Source: work A names row-wise access as the next improvement (Cupertino); it does not try it.

#include <vector>

#include "common/device/opencl.hpp"
#include "lu.hpp"
#include "pivot.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

constexpr std::size_t group_columns = 64, group_lines = 4;
constexpr std::size_t rows_each = 8;  // rows of a work-item, as in update_matrix

const cl::Source kernels = R"(
kernel void swap_rows(global double* A,  // n x n
                      int n, int i, int s) {
  const int j = get_global_id(0);
  const double above = A[i * n + j];
  A[i * n + j] = A[s * n + j];
  A[s * n + j] = above;
}

kernel void compute_factors(global double* A,        // n x n
                            global double* factors,  // n, written after i only
                            global double* row,      // n, written after i only
                            double divisor, int n, int i) {
  const int k = get_global_id(0);
  factors[k] = A[k * n + i] / divisor;
  row[k] = A[i * n + k];
  A[k * n + i] = factors[k];
}

kernel void update_matrix(global double* A,              // n x n
                          global const double* factors,  // n, defined after i
                          global const double* row,      // n, defined after i
                          int n, int i) {
  // TASK, 5 lines: This work-item has the column c = get_global_id(0) and eight rows, the first of them
  //  i + 1 + 8 * get_global_id(1). Read row[c] once, and change A in this column and these rows. Columns up
  //  to i and from n on do not belong to the step, nor do rows from n on.
}
)";

}  // namespace

/// PA = LU on the device; each work-item of the update walks down a column, its neighbours beside it.
/// @throws ladder::Error when a call of OpenCL fails.
void row_access(const Problem& p) {
  const std::size_t n = p.n, vector_bytes = n * sizeof(double), matrix_bytes = n * vector_bytes;
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const cl::Program program{kernels};
  const cl::Kernel swap_rows{program, "swap_rows"};
  const cl::Kernel compute_factors{program, "compute_factors"}, update_matrix{program, "update_matrix"};
  const cl::Queue queue;
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes};
  const cl::Buffer dfactors{CL_MEM_READ_WRITE, vector_bytes}, drow{CL_MEM_READ_WRITE, vector_bytes};
  std::vector<double> column(n);

  // Starts the work-items first, …, n - 1.
  const auto launch = [&](const cl::Kernel& kernel, std::size_t first) {
    if (first >= n) return;  // the last step has nothing to eliminate
    const std::size_t range = n - first;
    check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, &first, &range, nullptr, 0, nullptr, nullptr));
  };
  // Starts update_matrix for the rows and columns first, …, n - 1.
  const auto launch_update = [&](std::size_t first) {
    // TASK, 10 lines: Groups of group_columns x group_lines work-items, so many that every column and every
    //  row is taken. The first column of the first group is a multiple of group_columns: its work-items then
    //  read whole sectors. Nothing at all if no row is left.
    ladder::task();  // Delete this line when you start.
  };

  check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  for (int i = 0; i < p.n; ++i) {
    const std::size_t from[] = {i * sizeof(double), std::size_t(i), 0}, to[] = {0, 0, 0};
    const std::size_t region[] = {sizeof(double), n - i, 1};
    check(clEnqueueReadBufferRect(queue.get(), dA.get(), CL_TRUE, from, to, region, vector_bytes, 0,
                                  sizeof(double), 0, column.data(), 0, nullptr, nullptr));

    const int s = largest(column.data(), p.n - i);
    const double divisor = note_pivot(p, i, i + s, column[s]);
    if (s != 0) {
      cl::set_arguments(swap_rows, dA, p.n, i, i + s);
      launch(swap_rows, 0);  // whole rows: the factors of earlier columns move with them
    }
    cl::set_arguments(compute_factors, dA, dfactors, drow, divisor, p.n, i);
    launch(compute_factors, i + 1);
    cl::set_arguments(update_matrix, dA, dfactors, drow, p.n, i);
    launch_update(i + 1);
  }
  check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
