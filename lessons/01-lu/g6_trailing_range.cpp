/// @file
/// g6: only what is left. In g5 every step starts a work-item for each element of A, and most of
/// them subtract zero. Here a range begins at row and column i + 1. Source: none.

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
  // TASK, 4 lines: The factor of row k into factors[k] and into column i of A; row i of A into row. The
  //  divisor is the pivot, or 1 if it is zero. Every k that is launched comes after i: ask nothing.
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
  const cl::Kernel find_pivot{program, "find_pivot"}, swap_rows{program, "swap_rows"};
  const cl::Kernel compute_factors{program, "compute_factors"}, update_matrix{program, "update_matrix"};
  const cl::Queue queue;
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes};
  const cl::Buffer dfactors{CL_MEM_READ_WRITE, vector_bytes}, drow{CL_MEM_READ_WRITE, vector_bytes};
  const cl::Buffer dpivot{CL_MEM_READ_WRITE, n * sizeof(int)}, dinfo{CL_MEM_READ_WRITE, sizeof(int)};

  // Starts the work-items first, …, n - 1 in each dimension.
  const auto launch = [&](const cl::Kernel& kernel, cl_uint dimensions, std::size_t first) {
    // TASK, 4 lines: Launch exactly this range, and nothing at all if it is empty.
  };

  check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_FALSE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  check(
      clEnqueueWriteBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  for (int i = 0; i < p.n; ++i) {
    cl::set_arguments(find_pivot, dA, dpivot, dinfo, p.n, i);
    check(clEnqueueNDRangeKernel(queue.get(), find_pivot.get(), 1, nullptr, &searchers, &searchers, 0,
                                 nullptr, nullptr));
    cl::set_arguments(swap_rows, dA, dpivot, p.n, i);
    launch(swap_rows, 1, 0);  // whole rows: the factors of earlier columns move with them
    cl::set_arguments(compute_factors, dA, dfactors, drow, p.n, i);
    cl::set_arguments(update_matrix, dA, dfactors, drow, p.n);
    // TASK, 2 lines: Launch compute_factors and update_matrix, each over the rows and columns that step i
    //  changes.
    ladder::task();  // Delete this line when you start.
  }
  check(clEnqueueReadBuffer(queue.get(), dpivot.get(), CL_FALSE, 0, n * sizeof(int), p.pivot, 0, nullptr,
                            nullptr));
  check(clEnqueueReadBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
