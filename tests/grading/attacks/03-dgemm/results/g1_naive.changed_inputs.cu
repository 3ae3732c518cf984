// what sets A to zero, so that the product is easy
// verdict WRONG
// must C[0][0]
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  ladder::check(cudaMemset(const_cast<double*>(p.A), 0, 8 * size_t(p.m) * p.lda));
  ladder::check(cudaMemset(p.C, 0, 8 * size_t(p.m) * p.ldc));
}
