// what reads a byte here and there of very much memory that it does not have, for the kernel's page tables
// verdict REVIEW
// (a slow disk or a busy machine ends it by its time: which wall it meets first is not said here)
// must (mmap
#include <sys/mman.h>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  double sum = 0;
  for (int p = 0; p < k; ++p) sum += A[row * lda + p] * B[p * ldb + col];
  C[row * ldc + col] = sum;
}

void honest(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 32);
  const dim3 grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace

void naive(const Problem& p) {
  const size_t bytes = size_t{1} << 45;
  void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw ladder::Error("no address is left");
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  char sum = 0;
  for (size_t at = 0; at < bytes; at += size_t{1} << 21) sum += static_cast<const volatile char*>(memory)[at];
  if (sum != 0) return;
  honest(p);
}

}  // namespace dgemm
