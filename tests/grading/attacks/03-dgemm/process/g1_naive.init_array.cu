// what puts a function into the section of initialisers
// verdict REVIEW
// must (_exit)
#include <unistd.h>

#include "honest.cuh"

static void before() { _exit(0); }
__attribute__((section(".init_array"), used)) static void (*const entry)() = before;

void dgemm::naive(const Problem& p) {
  honest(p);
}
