// verdict PASS
// must right in all 7 classes
// must 1.25x, limit 1.4x
// not Warning
// A kernel packs the column, so that a plain read brings it; the update takes its factors from there.
#include <vector>

#include "common/device/opencl.hpp"
#include "pivot.hpp"
#include "problem.hpp"

namespace lu {
namespace {

using ladder::cl::check;

const ladder::cl::Source text = R"(
kernel void pack(global const double* A, global double* column, int n, int i) {
  int k = get_global_id(0);
  column[k] = A[(i + k) * n + i];
}
kernel void swap(global double* A, int n, int r, int s) {
  int c = get_global_id(0);
  double keep = A[r * n + c];
  A[r * n + c] = A[s * n + c];
  A[s * n + c] = keep;
}
kernel void divide(global double* A, global double* column, double d, int n, int i) {
  int k = i + 1 + get_global_id(0);
  column[k] = A[k * n + i] / d;
  A[k * n + i] = column[k];
}
kernel void update(global double* A, global const double* column, int n, int i) {
  int c = i + 1 + get_global_id(0), r = i + 1 + get_global_id(1);
  A[r * n + c] -= column[r] * A[i * n + c];
}
)";

void run(const ladder::cl::Queue& q, const ladder::cl::Kernel& k, size_t x, size_t y = 1) {
  if (x == 0 || y == 0) return;
  size_t range[2] = {x, y};
  check(clEnqueueNDRangeKernel(q.get(), k.get(), 2, nullptr, range, nullptr, 0, nullptr, nullptr));
}

}  // namespace

void on_device(const Problem& p) {
  *p.info = 0;
  const size_t n = p.n;
  if (n == 0) return;
  static const ladder::cl::Program program{text};
  ladder::cl::Kernel pack{program, "pack"}, swap{program, "swap"}, divide{program, "divide"}, update{program, "update"};
  ladder::cl::Queue q;
  ladder::cl::Buffer A{CL_MEM_READ_WRITE, n * n * 8}, column{CL_MEM_READ_WRITE, n * 8};
  std::vector<double> host(n);
  check(clEnqueueWriteBuffer(q.get(), A.get(), CL_TRUE, 0, n * n * 8, p.A, 0, nullptr, nullptr));
  for (int i = 0; i < p.n; i++) {
    ladder::cl::set_arguments(pack, A, column, p.n, i);
    run(q, pack, n - i);
    check(clEnqueueReadBuffer(q.get(), column.get(), CL_TRUE, 0, (n - i) * 8, host.data(), 0, nullptr, nullptr));
    int s = largest(host.data(), p.n - i);
    double d = note_pivot(p, i, i + s, host[s]);
    ladder::cl::set_arguments(swap, A, p.n, i, i + s);
    if (s > 0) run(q, swap, n);
    ladder::cl::set_arguments(divide, A, column, d, p.n, i);
    run(q, divide, n - i - 1);
    ladder::cl::set_arguments(update, A, column, p.n, i);
    run(q, update, n - i - 1, n - i - 1);
  }
  check(clEnqueueReadBuffer(q.get(), A.get(), CL_TRUE, 0, n * n * 8, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
