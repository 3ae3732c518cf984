/// @file
/// Peer: cuSOLVER on resident data: getrf with partial pivoting, then getrs. On a GPU only.

#include <cusolverDn.h>

#include <algorithm>
#include <string>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

void check(cusolverStatus_t status, int line) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw ladder::Error("cusolver.cu:" + std::to_string(line) + ": cuSOLVER status " +
                        std::to_string(status));
}

/// One handle for the life of the process: making one takes longer than a small system.
cusolverDnHandle_t handle() {
  static const cusolverDnHandle_t h = [] {
    cusolverDnHandle_t made = nullptr;
    check(cusolverDnCreate(&made), __LINE__);
    return made;
  }();
  return h;
}

/// Memory that getrf wants, kept from call to call: only the first one pays for it.
struct Workspace {
  int n = 0, lda = 0;
  ladder::DeviceBuffer<double> work{0};
  ladder::DeviceBuffer<int> pivot{0};
};

Workspace& workspace(const Problem& p) {
  static Workspace w;
  if (w.n == p.n && w.lda == p.lda) return w;
  int elements = 0;
  check(cusolverDnDgetrf_bufferSize(handle(), p.n, p.n, p.A, p.lda, &elements), __LINE__);
  w.work = ladder::DeviceBuffer<double>(std::max(elements, 1));
  w.pivot = ladder::DeviceBuffer<int>(p.n);
  w.n = p.n, w.lda = p.lda;
  return w;
}

}  // namespace

/// Solves A x = b. cuSOLVER is column-major and reads our A as its transpose A': it factorises A' and then
/// solves (A')' x = b.
void library(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  Workspace& w = workspace(p);
  ladder::check(cudaMemcpyAsync(p.x, p.b, p.n * sizeof(double), cudaMemcpyDeviceToDevice));
  check(cusolverDnDgetrf(handle(), p.n, p.n, p.A, p.lda, w.work.get(), w.pivot.get(), p.info), __LINE__);
  // info of getrs would hide the one of getrf: the arguments are right, so it goes to a place that nobody
  // reads.
  check(cusolverDnDgetrs(handle(), CUBLAS_OP_T, p.n, 1, p.A, p.lda, w.pivot.get(), p.x, p.n,
                         reinterpret_cast<int*>(w.work.get())),
        __LINE__);
}

}  // namespace gauss
