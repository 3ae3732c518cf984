// what asks the assembler for the compiler's environment, and shows it
// verdict BUILD ERROR
// mode bwrap REVIEW
// not CANARY
#include <string>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

asm(".pushsection .rodata\n.globl secret\nsecret: .incbin \"/proc/self/environ\"\n.globl secret_end\nsecret_end: .byte 0\n.popsection");
extern "C" const char secret[], secret_end[];

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
  throw ladder::Error("the environment: " + std::string(secret, size_t(secret_end - secret)));
}

}  // namespace dgemm
