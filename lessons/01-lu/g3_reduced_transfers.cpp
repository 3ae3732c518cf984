/// @file
/// g3: reduced transfers. In g2 each kernel gets three matrices and reads a column of one and a row of
/// another. Here compute_factors gets one column and update_matrix gets A and two vectors; only what is new
/// comes back. The host needs no copies of L and U any more: both are in A.
/// Source: work A, algorithm 3.

#include <algorithm>
#include <vector>

#include "common/device/opencl.hpp"
#include "pivot.hpp"
#include "problem.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

const cl::Source kernels = R"(
kernel void compute_factors(global const double* column,  // n, column i of A
                            global double* factors,       // n
                            double divisor) {
  const int k = get_global_id(0);
  // TASK, 1 line: factors[k], from the column alone.
}

kernel void update_matrix(global double* A,              // n x n
                          global const double* factors,  // n
                          global const double* row,      // n, row i of A
                          int n) {
  const int c = get_global_id(0);
  const int r = get_global_id(1);
  // TASK, 1 line: Every element of A, in place: what the host does not keep may be anything.
}
)";

}  // namespace

/// PA = LU with two kernels a step that get what they read.
/// @throws ladder::Error when a call of OpenCL fails.
void reduced_transfers(const Problem& p) {
  const std::size_t n = p.n, vector_bytes = n * sizeof(double), matrix_bytes = n * vector_bytes;
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const cl::Program program{kernels};
  const cl::Kernel compute_factors{program, "compute_factors"}, update_matrix{program, "update_matrix"};
  const cl::Queue queue;
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes}, dcolumn{CL_MEM_READ_ONLY, vector_bytes};
  const cl::Buffer dfactors{CL_MEM_READ_WRITE, vector_bytes}, drow{CL_MEM_READ_ONLY, vector_bytes};
  std::vector<double> column(n), factors(n), updated(n * n);

  const auto write = [&](const double* from, const cl::Buffer& to, std::size_t bytes) {
    check(clEnqueueWriteBuffer(queue.get(), to.get(), CL_TRUE, 0, bytes, from, 0, nullptr, nullptr));
  };
  const auto read = [&](const cl::Buffer& from, double* to, std::size_t bytes) {
    check(clEnqueueReadBuffer(queue.get(), from.get(), CL_TRUE, 0, bytes, to, 0, nullptr, nullptr));
  };

  for (int i = 0; i < p.n; ++i) {
    const double divisor = pivot(p, i);
    // TASK, 6 lines: Send column i, launch compute_factors over n work-items, read the factors.
    ladder::task();  // Delete this line when you start.

    // TASK, 8 lines: Send A, the factors and row i, launch update_matrix over n x n work-items, read into
    //  updated.

    // TASK, 4 lines: Keep in A what step i owns: the factors in column i, and the updated rows and columns
    //  after i.
  }
}

}  // namespace lu
