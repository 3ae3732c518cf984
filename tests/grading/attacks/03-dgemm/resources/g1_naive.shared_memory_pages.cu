// what touches memory that it could share with others, which no limit of data counts
// verdict REVIEW
// must (mmap
// must and was ended
#include <sys/mman.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const size_t bytes = size_t{1} << 36;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw ladder::Error("no memory to share");
  // It meets the limit of memory or that of time, whichever is first: a virtual machine that had given unused memory back needed
  // 4.6 s for the first 2 GB, and a call may take 3 s.
  for (size_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(memory)[at] = 1;
  honest(p);
}
