/// @file
/// g5: launch only what is needed. In g4 each step starts n x n work-items, of which (n - i - 1)^2 change
/// something; the others subtract zero. Here the ranges begin at i + 1, and nothing has to be made harmless
/// any more.

#include <vector>

#include "common/device/opencl.hpp"
#include "lu.hpp"
#include "pivot.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

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
  // TASK, 3 lines: The factor of row k into factors[k] and into its place in column i of A; row i of A into
  //  row. Every k that is launched comes after i: nothing is to be asked.
}

kernel void update_matrix(global double* A,              // n x n
                          global const double* factors,  // n, defined after i
                          global const double* row,      // n, defined after i
                          int n) {
  const int c = get_global_id(0);
  const int r = get_global_id(1);
  A[r * n + c] -= factors[r] * row[c];
}
)";

}  // namespace

/// PA = LU on the device, with work-items for the trailing rows and columns only.
/// @throws ladder::Error when a call of OpenCL fails.
void trailing_range(const Problem& p) {
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

  // Starts the work-items first, …, n - 1 in each dimension.
  const auto launch = [&](const cl::Kernel& kernel, cl_uint dimensions, std::size_t first) {
    // TASK, 4 lines: Launch exactly this range, and nothing at all if it is empty.
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
      launch(swap_rows, 1, 0);  // whole rows: the factors of earlier columns move with them
    }
    cl::set_arguments(compute_factors, dA, dfactors, drow, divisor, p.n, i);
    cl::set_arguments(update_matrix, dA, dfactors, drow, p.n);
    // TASK, 2 lines: Launch compute_factors and update_matrix, each over the rows and columns that step i
    //  changes.
    ladder::task();  // Delete this line when you start.
  }
  check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
