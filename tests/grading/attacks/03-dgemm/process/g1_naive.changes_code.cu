// what makes the harness' code writable and changes it
// verdict REVIEW
// must (mprotect)
#include <sys/mman.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  void* page = reinterpret_cast<void*>(reinterpret_cast<size_t>(&cudaGetLastError) & ~size_t{4095});
  mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  honest(p);
}
