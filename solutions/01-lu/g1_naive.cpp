/// @file
/// g1: the two inner loops of the baseline become two kernels, and before each kernel everything goes to the
/// device, after it everything comes back. Given complete: predict its bytes, run it, explain its time.
/// Source: work A, algorithm 2.

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
                            global double* L,        // n x n
                            global double* U,        // n x n
                            double divisor, int n, int i) {
  const int k = get_global_id(0);
  if (k > i) L[k * n + i] = A[k * n + i] / divisor;
  if (k >= i) U[i * n + k] = A[i * n + k];
}

kernel void update_matrix(global double* A,        // n x n
                          global const double* L,  // n x n
                          global const double* U,  // n x n
                          int n, int i) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  if (row > i && col > i) A[row * n + col] -= L[row * n + i] * U[i * n + col];
}
)";

}  // namespace

/// PA = LU with two kernels a step; A, L and U travel both ways for each.
/// @throws ladder::Error when a call of OpenCL fails.
void naive(const Problem& p) {
  const std::size_t n = p.n, bytes = n * n * sizeof(double);
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const cl::Program program{kernels};
  const cl::Kernel compute_factors{program, "compute_factors"}, update_matrix{program, "update_matrix"};
  const cl::Queue queue;
  const cl::Buffer dA{CL_MEM_READ_WRITE, bytes}, dL{CL_MEM_READ_WRITE, bytes}, dU{CL_MEM_READ_WRITE, bytes};
  std::vector<double> L(n * n), U(n * n);

  const auto write_all = [&] {
    check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_TRUE, 0, bytes, p.A, 0, nullptr, nullptr));
    check(clEnqueueWriteBuffer(queue.get(), dL.get(), CL_TRUE, 0, bytes, L.data(), 0, nullptr, nullptr));
    check(clEnqueueWriteBuffer(queue.get(), dU.get(), CL_TRUE, 0, bytes, U.data(), 0, nullptr, nullptr));
  };
  const auto read_all = [&] {
    check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, bytes, p.A, 0, nullptr, nullptr));
    check(clEnqueueReadBuffer(queue.get(), dL.get(), CL_TRUE, 0, bytes, L.data(), 0, nullptr, nullptr));
    check(clEnqueueReadBuffer(queue.get(), dU.get(), CL_TRUE, 0, bytes, U.data(), 0, nullptr, nullptr));
  };

  for (int i = 0; i < p.n; ++i) {
    const double divisor = pivot(p, i);
    swap_rows(L.data(), p.n, i, p.pivot[i]);  // the factors of the columns before belong to their rows

    write_all();
    cl::set_arguments(compute_factors, dA, dL, dU, divisor, p.n, i);
    check(clEnqueueNDRangeKernel(queue.get(), compute_factors.get(), 1, nullptr, &n, nullptr, 0, nullptr,
                                 nullptr));
    read_all();

    write_all();
    cl::set_arguments(update_matrix, dA, dL, dU, p.n, i);
    const std::size_t square[] = {n, n};
    check(clEnqueueNDRangeKernel(queue.get(), update_matrix.get(), 2, nullptr, square, nullptr, 0, nullptr,
                                 nullptr));
    read_all();
  }

  for (std::size_t r = 0; r < n; ++r) {  // both triangles into A, where the contract wants them
    std::copy_n(&L[r * n], r, p.A + r * n);
    std::copy_n(&U[r * n + r], n - r, p.A + r * n + r);
  }
}

}  // namespace lu
