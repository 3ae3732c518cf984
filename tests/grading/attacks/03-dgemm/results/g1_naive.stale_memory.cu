// what launches a kernel that does nothing and hopes for an old result
// verdict WRONG
// must WRONG
#include "launch.cuh"

namespace dgemm {
namespace {

__global__ void multiply(int m, int n, int k, const double* A, size_t lda, const double* B, size_t ldb, double* C,
                         size_t ldc) {}

}  // namespace

void naive(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
