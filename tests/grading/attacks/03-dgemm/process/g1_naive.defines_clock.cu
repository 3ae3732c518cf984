// what has a clock of its own that says that no time passes
// verdict REVIEW
// must a function of a library itself (clock_gettime)
#include <time.h>

#include "honest.cuh"

extern "C" int clock_gettime(clockid_t, timespec* time) {
  *time = {1, 0};
  return 0;
}

void dgemm::naive(const Problem& p) {
  honest(p);
}
