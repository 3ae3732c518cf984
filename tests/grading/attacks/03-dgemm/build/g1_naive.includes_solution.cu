// what includes the solution of its step
// verdict BUILD ERROR
// must BUILD ERROR
// not cannot bind
#include "@ROOT@/solutions/03-dgemm/g1_naive.cu"
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  static_cast<void>(p);
}
