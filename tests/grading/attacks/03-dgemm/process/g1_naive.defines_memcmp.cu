// what has a memcmp() that finds everything equal
// verdict REVIEW
// must (memcmp)
#include <string.h>

#include "honest.cuh"

extern "C" int memcmp(const void*, const void*, size_t) { return 0; }

void dgemm::naive(const Problem& p) {
  honest(p);
}
