// verdict MISSED
// must branches
// must limit 0.1x
// not WRONG
// g1's kernels, guards and all, with two buffers more: only the transfers back became fewer.
#include <vector>

#include "common/device/opencl.hpp"
#include "pivot.hpp"
#include "problem.hpp"

namespace lu {
namespace {

using namespace ladder::cl;

const Source text = R"(
kernel void factors(global const double* A, global double* column, global double* row, double d, int n, int i) {
  int k = get_global_id(0);
  if (k > i) column[k] = A[k * n + i] / d;
  if (k >= i) row[k] = A[i * n + k];
}
kernel void update(global double* A, global const double* column, global const double* row, int n, int i) {
  int c = get_global_id(0), r = get_global_id(1);
  if (r > i && c > i) A[r * n + c] -= column[r] * row[c];
}
)";

}  // namespace

void branch_removal(const Problem& p) {
  *p.info = 0;
  if (p.n == 0) return;
  const size_t n = p.n, bytes = n * n * sizeof(double);
  static const Program program{text};
  Kernel factors{program, "factors"}, update{program, "update"};
  Queue queue;
  Buffer dA{CL_MEM_READ_WRITE, bytes}, dcolumn{CL_MEM_READ_WRITE, n * 8}, drow{CL_MEM_READ_WRITE, n * 8};
  std::vector<double> column(n);
  for (int i = 0; i < p.n; i++) {
    double d = pivot(p, i);
    check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_TRUE, 0, bytes, p.A, 0, nullptr, nullptr));
    set_arguments(factors, dA, dcolumn, drow, d, p.n, i);
    check(clEnqueueNDRangeKernel(queue.get(), factors.get(), 1, nullptr, &n, nullptr, 0, nullptr, nullptr));
    set_arguments(update, dA, dcolumn, drow, p.n, i);
    size_t square[] = {n, n};
    check(clEnqueueNDRangeKernel(queue.get(), update.get(), 2, nullptr, square, nullptr, 0, nullptr, nullptr));
    check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, bytes, p.A, 0, nullptr, nullptr));
    check(clEnqueueReadBuffer(queue.get(), dcolumn.get(), CL_TRUE, 0, n * 8, column.data(), 0, nullptr, nullptr));
    for (size_t k = i + 1; k < n; k++) p.A[k * n + i] = column[k];
  }
}

}  // namespace lu
