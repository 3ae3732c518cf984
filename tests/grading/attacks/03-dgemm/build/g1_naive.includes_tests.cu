// what includes the tests of its lesson
// verdict BUILD ERROR
// must BUILD ERROR
// not compare_quickly
#include "@ROOT@/tests/03-dgemm/verify.cpp"
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  honest(p);
}
