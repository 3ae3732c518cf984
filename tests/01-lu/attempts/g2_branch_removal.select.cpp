// verdict PASS
// must right in all 7 classes
// must 0x, limit 0.1x
// not Warning
// No auxiliary storage: both kernels choose with ?: between the new value and the one that is there.
#include <vector>

#include "common/device/opencl.hpp"
#include "pivot.hpp"
#include "problem.hpp"

namespace lu {
namespace {

using ladder::cl::check;

const ladder::cl::Source text = R"(
kernel void factors(global const double* A, global double* L, global double* U, double d, int n, int i) {
  int k = get_global_id(0);
  double l = L[k * n + i], u = U[i * n + k], below = A[k * n + i] / d, right = A[i * n + k];
  L[k * n + i] = k > i ? below : l;
  U[i * n + k] = k >= i ? right : u;
}
kernel void update(global double* A, global const double* L, global const double* U, int n, int i) {
  int c = get_global_id(0), r = get_global_id(1);
  double l = L[r * n + i], u = U[i * n + c];
  l = r > i ? l : 0.0;
  u = c > i ? u : 0.0;
  A[r * n + c] = A[r * n + c] - l * u;
}
)";

}  // namespace

void branch_removal(const Problem& p) {
  *p.info = 0;
  if (p.n == 0) return;
  const size_t n = p.n, bytes = n * n * 8;
  static const ladder::cl::Program program{text};
  ladder::cl::Kernel factors{program, "factors"}, update{program, "update"};
  ladder::cl::Queue q;
  ladder::cl::Buffer A{CL_MEM_READ_WRITE, bytes}, L{CL_MEM_READ_WRITE, bytes}, U{CL_MEM_READ_WRITE, bytes};
  std::vector<double> l(n * n), u(n * n);
  auto there = [&](ladder::cl::Buffer& to, const double* from) {
    check(clEnqueueWriteBuffer(q.get(), to.get(), CL_TRUE, 0, bytes, from, 0, NULL, NULL));
  };
  auto back = [&](ladder::cl::Buffer& from, double* to) {
    check(clEnqueueReadBuffer(q.get(), from.get(), CL_TRUE, 0, bytes, to, 0, NULL, NULL));
  };
  for (int i = 0; i < p.n; i++) {
    double d = pivot(p, i);
    swap_rows(l.data(), p.n, i, p.pivot[i]);
    there(A, p.A);
    there(L, l.data());
    there(U, u.data());
    ladder::cl::set_arguments(factors, A, L, U, d, p.n, i);
    size_t all[2] = {n, n};
    check(clEnqueueNDRangeKernel(q.get(), factors.get(), 1, NULL, all, NULL, 0, NULL, NULL));
    ladder::cl::set_arguments(update, A, L, U, p.n, i);
    check(clEnqueueNDRangeKernel(q.get(), update.get(), 2, NULL, all, NULL, 0, NULL, NULL));
    back(A, p.A);
    back(L, l.data());
    back(U, u.data());
  }
  for (size_t r = 0; r < n; r++)
    for (size_t c = 0; c < n; c++) p.A[r * n + c] = c < r ? l[r * n + c] : u[r * n + c];
}

}  // namespace lu
