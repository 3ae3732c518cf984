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
  // BEGIN SOLUTION This is one work-group of 256. Write the row of the largest absolute value in column i,
  //  at or below the diagonal, to pivot[i]; of equal ones the first. If that value is zero and *info still
  //  is, *info becomes i + 1. First each work-item searches every 256th row; then the group halves what is
  //  left.
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
  // END SOLUTION
}

kernel void swap_rows(global double* A,         // n x n
                      global const int* pivot,  // n
                      int n, int i) {
  const int j = get_global_id(0);
  // BEGIN SOLUTION Swap the elements of rows i and pivot[i] in column j.
  const int s = pivot[i];
  const double above = A[i * n + j];
  A[i * n + j] = A[s * n + j];
  A[s * n + j] = above;
  // END SOLUTION
}

kernel void compute_factors(global double* A,        // n x n
                            global double* factors,  // n
                            global double* row,      // n
                            int n, int i) {
  const int k = get_global_id(0);
  // BEGIN SOLUTION As in g4, but the divisor is in A: the pivot, or 1 if it is zero. All work-items read it,
  //  so none may write it.
  const double pivot = A[i * n + i];
  factors[k] = k > i ? A[k * n + i] / (pivot == 0 ? 1 : pivot) : 0.0;
  row[k] = k > i ? A[i * n + k] : 0.0;
  if (k > i) A[k * n + i] = factors[k];
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

  // BEGIN SOLUTION Send A, and the zero of *p.info. Nobody changes them on the host before the end, so that
  //  the host need not wait here.
  //| ladder::task();  // Delete this line when you start.
  check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_FALSE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  check(
      clEnqueueWriteBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  // END SOLUTION
  for (int i = 0; i < p.n; ++i) {
    // BEGIN SOLUTION Launch find_pivot, one group, and swap_rows.
    cl::set_arguments(find_pivot, dA, dpivot, dinfo, p.n, i);
    check(clEnqueueNDRangeKernel(queue.get(), find_pivot.get(), 1, nullptr, &searchers, &searchers, 0,
                                 nullptr, nullptr));
    cl::set_arguments(swap_rows, dA, dpivot, p.n, i);
    launch(swap_rows, 1);
    // END SOLUTION
    cl::set_arguments(compute_factors, dA, dfactors, drow, p.n, i);
    launch(compute_factors, 1);
    cl::set_arguments(update_matrix, dA, dfactors, drow, p.n);
    launch(update_matrix, 2);
  }
  // BEGIN SOLUTION Read A, pivot and info, and wait for them: once.
  check(clEnqueueReadBuffer(queue.get(), dpivot.get(), CL_FALSE, 0, n * sizeof(int), p.pivot, 0, nullptr,
                            nullptr));
  check(clEnqueueReadBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  // END SOLUTION
}

}  // namespace lu
