// what checks its own assumptions
// verdict PASS
#include <cassert>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  assert(p.lda >= p.k && p.ldb >= p.n && p.ldc >= p.n);
  static_assert(sizeof(double) == 8, "64 bits");
  honest(p);
}
