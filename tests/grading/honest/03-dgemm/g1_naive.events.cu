// what measures its kernel by events
// verdict PASS
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const ladder::Event begin, end;
  ladder::check(cudaEventRecord(begin.get()));
  honest(p);
  ladder::check(cudaEventRecord(end.get()));
  ladder::check(cudaEventSynchronize(end.get()));
  float ms = 0;
  ladder::check(cudaEventElapsedTime(&ms, begin.get(), end.get()));
}
