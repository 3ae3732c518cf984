// what includes itself
// verdict BUILD ERROR
// must BUILD ERROR
#include __FILE__
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  honest(p);
}
