// what runs before every other initialiser
// verdict REVIEW
// must preinit_array
#include "honest.cuh"

static void before() {}
__attribute__((section(".preinit_array"), used)) static void (*const entry)() = before;

void dgemm::naive(const Problem& p) {
  honest(p);
}
