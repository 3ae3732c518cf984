// verdict MISSED
// must sectors
// must limit 1.5x
// not WRONG
// Dimension 0 counts rows, as the first index of a matrix does: neighbours are n doubles apart.
#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {
namespace {

using namespace ladder::cl;

const Source text = R"(
kernel void eliminate(global double* A, global int* pivot, global int* info, int n, int i) {
  int s = i;
  for (int r = i + 1; r < n; ++r)
    if (fabs(A[r * n + i]) > fabs(A[s * n + i])) s = r;
  pivot[i] = s;
  for (int c = 0; c < n; ++c) {
    double x = A[i * n + c], y = A[s * n + c];
    A[i * n + c] = y;
    A[s * n + c] = x;
  }
  double d = A[i * n + i];
  if (d == 0) {
    if (info[0] == 0) info[0] = i + 1;
    return;
  }
  for (int r = i + 1; r < n; ++r) A[r * n + i] /= d;
}
kernel void update(global double* A, int n, int i) {
  int r = i + 1 + get_global_id(0), first = i + 1 + 8 * get_global_id(1), last = min(first + 8, n);
  if (r >= n) return;
  double factor = A[r * n + i];
  for (int c = first; c < last; ++c) A[r * n + c] -= factor * A[i * n + c];
}
)";

}  // namespace

void row_access(const Problem& p) {
  *p.info = 0;
  if (p.n == 0) return;
  const size_t n = p.n;
  static const Program program{text};
  Kernel eliminate{program, "eliminate"}, update{program, "update"};
  Queue q;
  Buffer A{CL_MEM_READ_WRITE, n * n * 8}, pivot{CL_MEM_READ_WRITE, n * 4}, info{CL_MEM_READ_WRITE, 4};
  check(clEnqueueWriteBuffer(q.get(), A.get(), CL_FALSE, 0, n * n * 8, p.A, 0, 0, 0));
  check(clEnqueueWriteBuffer(q.get(), info.get(), CL_FALSE, 0, 4, p.info, 0, 0, 0));
  for (int i = 0; i < p.n; ++i) {
    set_arguments(eliminate, A, pivot, info, p.n, i);
    size_t one = 1, left = n - i - 1, range[2] = {(left + 63) / 64 * 64, (left + 31) / 32 * 4}, group[2] = {64, 4};
    check(clEnqueueNDRangeKernel(q.get(), eliminate.get(), 1, 0, &one, &one, 0, 0, 0));
    set_arguments(update, A, p.n, i);
    if (left > 0) check(clEnqueueNDRangeKernel(q.get(), update.get(), 2, 0, range, group, 0, 0, 0));
  }
  check(clEnqueueReadBuffer(q.get(), A.get(), CL_FALSE, 0, n * n * 8, p.A, 0, 0, 0));
  check(clEnqueueReadBuffer(q.get(), pivot.get(), CL_FALSE, 0, n * 4, p.pivot, 0, 0, 0));
  check(clEnqueueReadBuffer(q.get(), info.get(), CL_FALSE, 0, 4, p.info, 0, 0, 0));
  check(clFinish(q.get()));
}

}  // namespace lu
