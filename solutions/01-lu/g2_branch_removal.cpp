/// @file
/// g2: no branches. In g1 each work-item asks whether its element belongs to this step of the elimination.
/// Here every work-item computes and writes to auxiliary storage; the host keeps what the step owns and
/// forgets the rest.
/// Source: work A, algorithm 3, first optimisation.

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
kernel void compute_factors(global const double* A,  // n x n
                            global double* factors,  // n, auxiliary
                            global double* row,      // n, auxiliary
                            double divisor, int n, int i) {
  const int k = get_global_id(0);
  // BEGIN SOLUTION Without a branch, for every k: factors[k] is column i of A over the divisor, row[k] is row
  //  i of A.
  factors[k] = A[k * n + i] / divisor;
  row[k] = A[i * n + k];
  // END SOLUTION
}

kernel void update_matrix(global const double* A,  // n x n
                          global const double* L,  // n x n
                          global const double* U,  // n x n
                          global double* updated,  // n x n, auxiliary
                          int n, int i) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  // BEGIN SOLUTION Without a branch, for every row and col: the element of A after this step, into updated.
  updated[row * n + col] = A[row * n + col] - L[row * n + i] * U[i * n + col];
  // END SOLUTION
}
)";

}  // namespace

/// PA = LU with two kernels a step that have no branch.
/// @throws ladder::Error when a call of OpenCL fails.
void branch_removal(const Problem& p) {
  const std::size_t n = p.n, bytes = n * n * sizeof(double);
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const cl::Program program{kernels};
  const cl::Kernel compute_factors{program, "compute_factors"}, update_matrix{program, "update_matrix"};
  const cl::Queue queue;
  const cl::Buffer dA{CL_MEM_READ_WRITE, bytes}, dL{CL_MEM_READ_WRITE, bytes}, dU{CL_MEM_READ_WRITE, bytes};
  const cl::Buffer dfactors{CL_MEM_READ_WRITE, n * sizeof(double)},
      drow{CL_MEM_READ_WRITE, n * sizeof(double)};
  const cl::Buffer dupdated{CL_MEM_READ_WRITE, bytes};
  std::vector<double> L(n * n), U(n * n), factors(n), row(n), updated(n * n);

  const auto write_all = [&] {
    check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_TRUE, 0, bytes, p.A, 0, nullptr, nullptr));
    check(clEnqueueWriteBuffer(queue.get(), dL.get(), CL_TRUE, 0, bytes, L.data(), 0, nullptr, nullptr));
    check(clEnqueueWriteBuffer(queue.get(), dU.get(), CL_TRUE, 0, bytes, U.data(), 0, nullptr, nullptr));
  };
  const auto read = [&](const cl::Buffer& from, std::vector<double>& to) {
    check(clEnqueueReadBuffer(queue.get(), from.get(), CL_TRUE, 0, to.size() * sizeof(double), to.data(), 0,
                              nullptr, nullptr));
  };

  for (int i = 0; i < p.n; ++i) {
    const double divisor = pivot(p, i);
    swap_rows(L.data(), p.n, i, p.pivot[i]);  // the factors of the columns before belong to their rows

    write_all();
    cl::set_arguments(compute_factors, dA, dfactors, drow, divisor, p.n, i);
    check(clEnqueueNDRangeKernel(queue.get(), compute_factors.get(), 1, nullptr, &n, nullptr, 0, nullptr,
                                 nullptr));
    read(dfactors, factors);
    read(drow, row);
    // BEGIN SOLUTION Keep what step i owns: the factors below row i go to column i of L, and row from column
    //  i on goes to row i of U.
    //| ladder::task();  // Delete this line when you start.
    for (std::size_t k = i + 1; k < n; ++k) L[k * n + i] = factors[k];
    for (std::size_t j = i; j < n; ++j) U[i * n + j] = row[j];
    // END SOLUTION

    write_all();
    cl::set_arguments(update_matrix, dA, dL, dU, dupdated, p.n, i);
    const std::size_t square[] = {n, n};
    check(clEnqueueNDRangeKernel(queue.get(), update_matrix.get(), 2, nullptr, square, nullptr, 0, nullptr,
                                 nullptr));
    read(dupdated, updated);
    // BEGIN SOLUTION Keep what step i owns: the rows and columns of updated after i go to A.
    for (std::size_t r = i + 1; r < n; ++r)
      std::copy_n(&updated[r * n + i + 1], n - i - 1, p.A + r * n + i + 1);
    // END SOLUTION
  }

  for (std::size_t r = 0; r < n; ++r) {  // both triangles into A, where the contract wants them
    std::copy_n(&L[r * n], r, p.A + r * n);
    std::copy_n(&U[r * n + r], n - r, p.A + r * n + r);
  }
}

}  // namespace lu
