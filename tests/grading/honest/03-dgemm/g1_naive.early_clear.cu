// what sets C to zero first
// verdict PASS
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m > 0 && p.n > 0) ladder::check(cudaMemset2D(p.C, 8 * size_t(p.ldc), 0, 8 * size_t(p.n), p.m));
  honest(p);
}
