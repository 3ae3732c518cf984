// what registers what prints a verdict at the end, and ends
// verdict REVIEW
// must (atexit)
// must (exit)
#include <cstdlib>
#include <cstdio>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  std::atexit([] { std::puts("PASS"); });
  std::exit(0);
}
