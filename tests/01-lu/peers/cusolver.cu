/// @file
/// Peer of the steps on an NVIDIA GPU: cuSOLVER's LU with partial pivoting, by CUDA. For the OpenCL steps the
/// matrix comes from the host and goes back to it, as theirs does; for those with resident data it is on the
/// device.

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <algorithm>
#include <string>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace lu {
namespace {

void check(int status, const char* library, int line) {
  if (status != 0)
    throw ladder::Error("cusolver.cu:" + std::to_string(line) + ": " + library + " status " +
                        std::to_string(status));
}
void check(cusolverStatus_t status, int line) {
  check(static_cast<int>(status), "cuSOLVER", line);
}
void check(cublasStatus_t status, int line) {
  check(static_cast<int>(status), "cuBLAS", line);
}

/// Handles for the life of the process: making them takes longer than a small matrix.
struct Handles {
  cusolverDnHandle_t solver = nullptr;
  cublasHandle_t blas = nullptr;
  Handles() {
    check(cusolverDnCreate(&solver), __LINE__);
    check(cublasCreate(&blas), __LINE__);
  }
};

const Handles& handles() {
  static const Handles made;
  return made;
}

/// Memory on the device, kept from call to call as long as n stays.
struct Workspace {
  int n = 0;
  ladder::DeviceBuffer<double> A{0}, transposed{0}, work{0};
  ladder::DeviceBuffer<int> pivot{0}, info{0};
};

Workspace& workspace(int n) {
  static Workspace w;
  if (w.n == n) return w;
  const std::size_t elements = std::size_t(n) * n;
  w.A = ladder::DeviceBuffer<double>(elements);
  w.transposed = ladder::DeviceBuffer<double>(elements);
  int needed = 0;
  check(cusolverDnDgetrf_bufferSize(handles().solver, n, n, w.A.get(), n, &needed), __LINE__);
  w.work = ladder::DeviceBuffer<double>(std::max(needed, 1));
  w.pivot = ladder::DeviceBuffer<int>(n);
  w.info = ladder::DeviceBuffer<int>(1);
  w.n = n;
  return w;
}

void transpose(int n, const double* from, double* to) {
  const double one = 1, zero = 0;
  check(cublasDgeam(handles().blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, from, n, &zero, from, n, to, n),
        __LINE__);
}

bool on_the_device(const double* array) {
  cudaPointerAttributes attributes{};
  ladder::check(cudaPointerGetAttributes(&attributes, array));
  return attributes.type == cudaMemoryTypeDevice;
}

__global__ void count_from_zero(int n, int* pivot) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) --pivot[i];
}

/// The same for a matrix on the device. Both transpositions are part of the time: 32 n^2 bytes, 2 to 3 % of
/// it.
void factorise_resident(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  Workspace& w = workspace(p.n);
  transpose(p.n, p.A, w.transposed.get());
  check(cusolverDnDgetrf(handles().solver, p.n, p.n, w.transposed.get(), p.n, w.work.get(), p.pivot, p.info),
        __LINE__);
  transpose(p.n, w.transposed.get(), p.A);
  count_from_zero<<<(p.n + 255) / 256, 256>>>(p.n, p.pivot);
  ladder::check(cudaGetLastError());
}

}  // namespace

/// PA = LU. cuSOLVER is column-major: the device transposes the matrix before and after. It counts rows from
/// 1.
void library(const Problem& p) {
  if (on_the_device(p.A)) return factorise_resident(p);
  *p.info = 0;
  if (p.n == 0) return;
  Workspace& w = workspace(p.n);
  ladder::check(cudaMemcpy(w.A.get(), p.A, w.A.bytes(), cudaMemcpyHostToDevice));
  transpose(p.n, w.A.get(), w.transposed.get());
  check(cusolverDnDgetrf(handles().solver, p.n, p.n, w.transposed.get(), p.n, w.work.get(), w.pivot.get(),
                         w.info.get()),
        __LINE__);
  transpose(p.n, w.transposed.get(), w.A.get());
  ladder::check(cudaMemcpy(p.A, w.A.get(), w.A.bytes(), cudaMemcpyDeviceToHost));
  ladder::check(cudaMemcpy(p.pivot, w.pivot.get(), w.pivot.bytes(), cudaMemcpyDeviceToHost));
  ladder::check(cudaMemcpy(p.info, w.info.get(), sizeof *p.info, cudaMemcpyDeviceToHost));
  for (int i = 0; i < p.n; ++i) --p.pivot[i];
}

}  // namespace lu
