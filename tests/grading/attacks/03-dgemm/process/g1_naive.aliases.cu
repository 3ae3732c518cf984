// what starts programs and opens files by other names of the same functions
// verdict REVIEW
// must (__fork)
// must (__libc_system)
// must (__open64)
// must (wordexp)
// must (setmntent)
// must starts other programs
// must opens files
#include <mntent.h>
#include <wordexp.h>

#include <cstdio>

#include "common/device/cuda.hpp"
#include "dgemm.hpp"

extern "C" int __fork();
extern "C" int __libc_system(const char*);
extern "C" int __open64(const char*, int, ...);
extern "C" long __read(int, void*, size_t);
extern "C" char** __environ;

namespace {

struct AtLoad {
  AtLoad() {
    wordexp_t words;
    char bytes[64];
    if (__environ && wordexp("$(echo ladder-attack)", &words, 0) == 0) wordfree(&words);
    if (FILE* mounts = setmntent("/proc/mounts", "r")) endmntent(mounts);
    if (__read(__open64("/proc/1/cmdline", 0), bytes, sizeof bytes) < -1) __libc_system("true");
    if (bytes[0] == 1 && bytes[1] == 2 && bytes[2] == 3) __fork();
  }
} at_load;

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
