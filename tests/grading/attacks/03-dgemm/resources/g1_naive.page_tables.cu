// what reads a byte here and there of very much memory that it does not have, for the kernel's page tables
// verdict REVIEW
// (a slow disk or a busy machine ends it by its time: which wall it meets first is not said here)
// must (mmap
#include <sys/mman.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const size_t bytes = size_t{1} << 45;
  void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw ladder::Error("no address is left");
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  char sum = 0;
  for (size_t at = 0; at < bytes; at += size_t{1} << 21) sum += static_cast<const volatile char*>(memory)[at];
  if (sum != 0) return;
  honest(p);
}
