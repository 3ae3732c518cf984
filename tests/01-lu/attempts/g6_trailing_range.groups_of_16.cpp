// verdict CRASHED
// must CL_INVALID_WORK_GROUP_SIZE
// must no multiple of the local size
// not no result came back
// Work-groups of 16 x 16 as in CUDA, but the range is what is left, whatever its size.
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
  int c = get_global_id(0), r = get_global_id(1);
  A[r * n + c] -= A[r * n + i] * A[i * n + c];
}
)";

}  // namespace

void trailing_range(const Problem& p) {
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
    size_t one = 1, left = n - i - 1, first[2] = {n - left, n - left}, square[2] = {left, left}, group[2] = {16, 16};
    check(clEnqueueNDRangeKernel(q.get(), eliminate.get(), 1, 0, &one, &one, 0, 0, 0));
    set_arguments(update, A, p.n, i);
    if (left > 0) check(clEnqueueNDRangeKernel(q.get(), update.get(), 2, first, square, group, 0, 0, 0));
  }
  check(clEnqueueReadBuffer(q.get(), A.get(), CL_FALSE, 0, n * n * 8, p.A, 0, 0, 0));
  check(clEnqueueReadBuffer(q.get(), pivot.get(), CL_FALSE, 0, n * 4, p.pivot, 0, 0, 0));
  check(clEnqueueReadBuffer(q.get(), info.get(), CL_FALSE, 0, 4, p.info, 0, 0, 0));
  check(clFinish(q.get()));
}

}  // namespace lu
