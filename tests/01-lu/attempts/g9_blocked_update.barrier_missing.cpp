// verdict WRONG
// must n = 32: right
// must reads left[
// not CL_INVALID
// Tiles in local memory on an own panel: the barrier after the loads is missing.
#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {
namespace {

using namespace ladder::cl;

const Source text = R"(
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void panel(global double* A, global int* pivot, global int* info, int n, int j) {
  local int chosen;
  local double top[32];
  const int t = get_local_id(0), end = min(j + 32, n);
  for (int i = j; i < end; ++i) {
    if (t == 0) {
      int s = i;
      for (int r = i + 1; r < n; ++r)
        if (fabs(A[r * n + i]) > fabs(A[s * n + i])) s = r;
      if (A[s * n + i] == 0 && *info == 0) *info = i + 1;
      pivot[i] = s;
      chosen = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (j + t < end) {
      const int c = j + t;
      const double x = A[chosen * n + c];
      A[chosen * n + c] = A[i * n + c];
      A[i * n + c] = x;
      top[t] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const double d = top[i - j] == 0 ? 1 : top[i - j];
    for (int r = i + 1 + t; r < n; r += 64) {
      const double f = A[r * n + i] / d;
      A[r * n + i] = f;
      for (int c = i + 1; c < end; ++c) A[r * n + c] -= f * top[c - j];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
kernel void strip(global double* A, global const int* pivot, int n, int j) {
  const int c = get_global_id(0), end = min(j + 32, n);
  if (c >= j && c < end) return;
  for (int i = j; i < end; ++i) {
    const double x = A[i * n + c];
    A[i * n + c] = A[pivot[i] * n + c];
    A[pivot[i] * n + c] = x;
  }
  if (c >= end)
    for (int i = j; i < end; ++i)
      for (int r = i + 1; r < end; ++r) A[r * n + c] -= A[r * n + i] * A[i * n + c];
}
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void rest(global double* A, int n, int j) {
  local double left[16][32], top[32][16];
  const int x = get_local_id(0), y = get_local_id(1), c = j + 32 + get_global_id(0), r = j + 32 + get_global_id(1);
  left[y][x] = r < n ? A[r * n + j + x] : 0;
  left[y][x + 16] = r < n ? A[r * n + j + x + 16] : 0;
  top[y][x] = c < n ? A[(j + y) * n + c] : 0;
  top[y + 16][x] = c < n ? A[(j + y + 16) * n + c] : 0;
  double sum = 0;
  for (int q = 0; q < 32; ++q) sum += left[y][q] * top[q][x];
  if (r < n && c < n) A[r * n + c] -= sum;
}
)";

}  // namespace

void blocked_update(const Problem& p) {
  *p.info = 0;
  if (p.n == 0) return;
  const size_t n = p.n;
  static const Program program{text};
  Kernel panel{program, "panel"}, strip{program, "strip"}, rest{program, "rest"};
  Queue q;
  Buffer A{CL_MEM_READ_WRITE, n * n * 8}, pivot{CL_MEM_READ_WRITE, n * 4}, info{CL_MEM_READ_WRITE, 4};
  check(clEnqueueWriteBuffer(q.get(), A.get(), CL_TRUE, 0, n * n * 8, p.A, 0, 0, 0));
  check(clEnqueueWriteBuffer(q.get(), info.get(), CL_TRUE, 0, 4, p.info, 0, 0, 0));
  for (int j = 0; j < p.n; j += 32) {
    const size_t items = 64;
    set_arguments(panel, A, pivot, info, p.n, j);
    check(clEnqueueNDRangeKernel(q.get(), panel.get(), 1, 0, &items, &items, 0, 0, 0));
    if (p.n <= 32) break;
    set_arguments(strip, A, pivot, p.n, j);
    check(clEnqueueNDRangeKernel(q.get(), strip.get(), 1, 0, &n, 0, 0, 0, 0));
    if (j + 32 >= p.n) break;
    const size_t tiles = (n - j - 32 + 15) / 16, left[2] = {16 * tiles, 16 * tiles}, group[2] = {16, 16};
    set_arguments(rest, A, p.n, j);
    check(clEnqueueNDRangeKernel(q.get(), rest.get(), 2, 0, left, group, 0, 0, 0));
  }
  check(clEnqueueReadBuffer(q.get(), pivot.get(), CL_TRUE, 0, n * 4, p.pivot, 0, 0, 0));
  check(clEnqueueReadBuffer(q.get(), info.get(), CL_TRUE, 0, 4, p.info, 0, 0, 0));
  check(clEnqueueReadBuffer(q.get(), A.get(), CL_TRUE, 0, n * n * 8, p.A, 0, 0, 0));
}

}  // namespace lu
