// what stops in a debugger's instruction
// verdict REVIEW
// must judged CRASHED
// must (asm, g1_naive.cu:
// must rap
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  asm volatile("int3");
  honest(p);
}
