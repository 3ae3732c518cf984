// what calls kill by another name in its source
// verdict REVIEW
// must (kill)
#include <unistd.h>

#include "honest.cuh"

extern "C" int end_it(int, int) asm("kill");

void dgemm::naive(const Problem& p) {
  end_it(getppid(), 9);
  honest(p);
}
