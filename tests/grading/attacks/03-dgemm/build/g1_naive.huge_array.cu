// what has an array of 16 GB with values
// verdict BUILD ERROR
// must BUILD ERROR
#include "honest.cuh"

double table_of_it[size_t{1} << 31] = {1};

void dgemm::naive(const Problem& p) {
  honest(p);
}
