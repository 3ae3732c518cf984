// what has a malloc() of its own
// verdict REVIEW
// must malloc
#include <stddef.h>

#include "honest.cuh"

static char room[1 << 26];
static size_t used = 0;
extern "C" void* malloc(size_t size) { return room + (used += (size + 63) & ~size_t{63}) - ((size + 63) & ~size_t{63}); }
extern "C" void free(void*) {}

void dgemm::naive(const Problem& p) {
  honest(p);
}
