// what has a weak write() of its own, as the C library does
// verdict REJECTED
// must (write)
#include <unistd.h>

#include "honest.cuh"

extern "C" __attribute__((weak)) ssize_t write(int, const void*, size_t size) { return size; }

void dgemm::naive(const Problem& p) {
  honest(p);
}
