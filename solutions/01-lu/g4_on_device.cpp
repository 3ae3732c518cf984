/// @file
/// g4: A stays on the device. In g3 the whole matrix goes there and back in each step, only because the host
/// chooses the pivot and swaps the rows. The host needs one column for the choice, and the device can swap
/// rows itself.

#include <vector>

#include "common/device/opencl.hpp"
#include "pivot.hpp"
#include "problem.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

const cl::Source kernels = R"(
kernel void swap_rows(global double* A,  // n x n
                      int n, int i, int s) {
  const int j = get_global_id(0);
  // BEGIN SOLUTION Swap the elements of rows i and s in column j.
  const double above = A[i * n + j];
  A[i * n + j] = A[s * n + j];
  A[s * n + j] = above;
  // END SOLUTION
}

kernel void compute_factors(global double* A,        // n x n
                            global double* factors,  // n
                            global double* row,      // n
                            double divisor, int n, int i) {
  const int k = get_global_id(0);
  // BEGIN SOLUTION No host picks the right values any more. Make factors[k] and row[k] zero where k <= i, so
  //  that update_matrix changes nothing there. Where k > i, the factor also takes its place in column i of A.
  const double element = A[k * n + i];
  factors[k] = k > i ? element / divisor : 0.0;
  row[k] = k > i ? A[i * n + k] : 0.0;
  A[k * n + i] = k > i ? factors[k] : element;
  // END SOLUTION
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

/// PA = LU on the device; the host reads one column a step and chooses the pivot.
/// @throws ladder::Error when a call of OpenCL fails.
void on_device(const Problem& p) {
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

  const auto launch = [&](const cl::Kernel& kernel, cl_uint dimensions) {
    const std::size_t range[] = {n, n};
    check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), dimensions, nullptr, range, nullptr, 0, nullptr,
                                 nullptr));
  };

  // BEGIN SOLUTION Send A, once.
  //| ladder::task();  // Delete this line when you start.
  check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  // END SOLUTION
  for (int i = 0; i < p.n; ++i) {
    // BEGIN SOLUTION Read column i from the diagonal down into `column`, n - i numbers that are n apart on
    //  the device (clEnqueueReadBufferRect), and wait for it.
    const std::size_t from[] = {i * sizeof(double), std::size_t(i), 0}, to[] = {0, 0, 0};
    const std::size_t region[] = {sizeof(double), n - i, 1};
    check(clEnqueueReadBufferRect(queue.get(), dA.get(), CL_TRUE, from, to, region, vector_bytes, 0,
                                  sizeof(double), 0, column.data(), 0, nullptr, nullptr));
    // END SOLUTION

    const int s = largest(column.data(), p.n - i);
    const double divisor = note_pivot(p, i, i + s, column[s]);
    // BEGIN SOLUTION Swap rows i and i + s on the device if they differ, then launch the two kernels of this
    //  step.
    if (s != 0) {
      cl::set_arguments(swap_rows, dA, p.n, i, i + s);
      launch(swap_rows, 1);
    }
    cl::set_arguments(compute_factors, dA, dfactors, drow, divisor, p.n, i);
    launch(compute_factors, 1);
    cl::set_arguments(update_matrix, dA, dfactors, drow, p.n);
    launch(update_matrix, 2);
    // END SOLUTION
  }
  // BEGIN SOLUTION Read A, once.
  check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  // END SOLUTION
}

}  // namespace lu
