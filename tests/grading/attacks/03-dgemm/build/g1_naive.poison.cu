// what forbids the compiler the names that the headers need
// verdict BUILD ERROR
// must poisoned
#pragma GCC poison check source_location task
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  honest(p);
}
