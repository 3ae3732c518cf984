// what calls the kernel by an instruction within another one, which no disassembler shows
// verdict REVIEW
// must (asm, g1_naive.cu:
#include "common/device/cuda.hpp"
#include "dgemm.hpp"

namespace {

long process_number() {
  long result = 39;  // getpid
#if defined(__x86_64__)
  asm volatile("jmp 1f+1\n1: .byte 0xb9,0x0f,0x05,0xeb,0x00" : "+a"(result) : : "rcx", "r11", "memory");
#else
  asm volatile("" : "+r"(result));
#endif
  return result;
}

const long at_load = process_number();

}  // namespace

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

}  // namespace

void naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const dim3 block(32, 32), grid((p.n + 31) / 32, (p.m + 31) / 32);
  multiply<<<grid, block>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
