// what calls cuBLAS, and has a kernel only for its traffic
// verdict REVIEW
// must calls a library that does the work of this rung
#include <cublas_v2.h>

#include "traffic.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  launch_traffic(p);
  if (p.k == 0) return;
  const double one = 1, zero = 0;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, p.n, p.m, p.k, &one, p.B, int(p.ldb), p.A, int(p.lda), &zero, p.C, int(p.ldc));
  cublasDestroy(handle);
}
