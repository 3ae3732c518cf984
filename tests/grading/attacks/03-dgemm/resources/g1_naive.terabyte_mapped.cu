// what maps a terabyte and touches it
// verdict REVIEW
// must (mmap
// must judged CRASHED
#include <sys/mman.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const size_t bytes = size_t{1} << 40;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw ladder::Error("no terabyte is to be had");
  for (size_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(memory)[at] = 1;
  honest(p);
}
